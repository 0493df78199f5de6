"""Repositories that try to run commands of their own while they are read: none may succeed."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from linkspot.corpora.corpus import CorpusSource, open_corpus
from linkspot.errors import UnreadablePage

PAGE = "A page with enough words to be known again after it was moved to another place.\n" * 3
ENDINGS = "*.md filter=trap diff=trap merge=trap\n"


class Trap:
    """A repository with two versions of two pages, and a program that leaves a mark if anything runs it."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "it-ran"
        self.folder = folder / "pages"
        self.program = folder / "program"
        self.program.write_text(f'#!/bin/sh\necho "$0 $*" >> "{self.mark}"\nexit 1\n', encoding="utf-8")
        self.program.chmod(0o755)
        (self.folder / "docs").mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        self.commit({"a.md": PAGE, "docs/b.md": PAGE.upper()})
        self.commit({"a.md": PAGE + "See [b](docs/b.md).\n", "docs/b.md": PAGE.upper() + "More.\n"})

    def git(self, *arguments: str) -> str:
        command = ["git", "-c", "user.name=Test", "-c", "user.email=test@example.org", *arguments]
        return subprocess.run(command, cwd=self.folder, check=True, capture_output=True, text=True).stdout

    def commit(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "change")

    def set(self, **settings: object) -> None:
        for name, value in settings.items():
            self.git("config", name.replace("__", "."), str(value))

    def lose(self, *names: str) -> None:
        """Remove objects, so that a partial clone would have to fetch them."""
        for name in names:
            number = self.git("rev-parse", name).strip()
            (self.folder / ".git" / "objects" / number[:2] / number[2:]).unlink()

    def promise(self, url: str) -> None:
        self.set(core__repositoryformatversion=1, extensions__partialClone="origin", remote__origin__promisor="true")
        self.set(remote__origin__url=url)
        self.lose("HEAD:a.md", "HEAD~1:docs")

    def hook(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        for name in (
            "post-checkout",
            "post-index-change",
            "reference-transaction",
            "fsmonitor-watchman",
            "pre-auto-gc",
        ):
            shutil.copy(self.program, folder / name)


def _upload_pack(trap: Trap) -> None:
    trap.set(remote__origin__uploadpack=trap.program, protocol__allow="always", protocol__file__allow="always")
    trap.promise(".")


def _upload_pack_of_an_unnamed_partial_clone(trap: Trap) -> None:
    trap.set(remote__origin__uploadpack=trap.program, remote__origin__url=".", core__repositoryformatversion=1)
    included = trap.folder / ".git" / "more"
    included.write_text('[remote "origin"]\n\tpromisor\n[extensions]\n\tpartialClone = origin\n', encoding="utf-8")
    trap.set(include__path="more")
    trap.lose("HEAD:a.md", "HEAD~1:docs")


def _ssh_command(trap: Trap) -> None:
    trap.set(core__sshCommand=trap.program, protocol__ssh__allow="always")
    trap.promise("ssh://127.0.0.1/pages")


def _git_proxy(trap: Trap) -> None:
    trap.set(core__gitProxy=trap.program, protocol__git__allow="always")
    trap.promise("git://127.0.0.1/pages")


def _external_transport(trap: Trap) -> None:
    trap.set(protocol__ext__allow="always")
    trap.promise(f"ext::{trap.program}")


def _remote_helper(trap: Trap) -> None:
    trap.set(remote__origin__vcs="ext", protocol__allow="always")
    trap.promise(str(trap.program))


def _credential_helper(trap: Trap) -> None:
    trap.set(credential__helper=trap.program, core__askPass=trap.program, protocol__http__allow="always")
    trap.promise("http://127.0.0.1:9/pages")


def _file_monitor(trap: Trap) -> None:
    trap.git("update-index", "--fsmonitor")
    trap.set(core__fsmonitor=trap.program, core__fsmonitorHookVersion=1)


def _hooks(trap: Trap) -> None:
    trap.hook(trap.folder / ".git" / "hooks")


def _hooks_elsewhere(trap: Trap) -> None:
    trap.hook(trap.folder / ".git" / "elsewhere")
    trap.set(core__hooksPath=trap.folder / ".git" / "elsewhere")


def _filters_and_diffs(trap: Trap) -> None:
    (trap.folder / ".git" / "info").mkdir(exist_ok=True)
    (trap.folder / ".git" / "info" / "attributes").write_text(ENDINGS, encoding="utf-8")
    (trap.folder / ".gitattributes").write_text(ENDINGS, encoding="utf-8")
    for part in ("clean", "smudge", "process"):
        trap.set(**{f"filter__trap__{part}": trap.program})
    trap.set(filter__trap__required="true", diff__trap__textconv=trap.program, diff__trap__command=trap.program)
    trap.set(merge__trap__driver=trap.program, diff__external=trap.program)


def _pagers(trap: Trap) -> None:
    trap.set(core__pager=trap.program, core__editor=trap.program, sequence__editor=trap.program)
    for command in ("log", "ls-tree", "for-each-ref", "config", "cat-file"):
        trap.git("config", f"pager.{command}", str(trap.program))


def _alternates(trap: Trap) -> None:
    other = trap.folder.parent / "other.git"
    trap.git("clone", "-q", "--bare", ".", str(other))
    (trap.folder / ".git" / "objects" / "info" / "alternates").write_text(f"{other}/objects\n", encoding="utf-8")
    trap.set(core__alternateRefsCommand=trap.program)


def _aliases(trap: Trap) -> None:
    for command in ("log", "ls-tree", "for-each-ref", "rev-parse", "cat-file", "config"):
        trap.git("config", f"alias.{command}", f"!{trap.program}")


def _signatures(trap: Trap) -> None:
    signature = "-----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----"
    head, _, message = trap.git("cat-file", "commit", "HEAD").partition("\n\n")
    text = f"{head}\ngpgsig {signature}\n\n{message}"
    command = ["git", "hash-object", "-t", "commit", "-w", "--stdin"]
    signed = subprocess.run(command, cwd=trap.folder, input=text, check=True, capture_output=True, text=True).stdout
    trap.git("update-ref", "refs/heads/main", signed.strip())
    trap.set(log__showSignature="true", gpg__program=trap.program, gpg__openpgp__program=trap.program)
    trap.set(format__pretty="%G?")


def _included_settings(trap: Trap) -> None:
    _file_monitor(trap)
    trap.git("config", "--unset", "core.fsmonitor")
    included = trap.folder / ".git" / "more"
    lines = f"[core]\n\tfsmonitor = {trap.program}\n\tsshCommand = {trap.program}\n[safe]\n\tdirectory = *\n"
    included.write_text(lines, encoding="utf-8")
    trap.set(include__path="more")


def _upkeep(trap: Trap) -> None:
    trap.set(gc__auto=1, maintenance__auto="true", gc__recentObjectsHook=trap.program)
    trap.set(uploadpack__packObjectsHook=trap.program, trailer__x__command=trap.program)


TRAPS: dict[str, Callable[[Trap], None]] = {
    function.__name__.strip("_"): function
    for function in (
        _signatures,
        _upload_pack,
        _upload_pack_of_an_unnamed_partial_clone,
        _ssh_command,
        _git_proxy,
        _external_transport,
        _remote_helper,
        _credential_helper,
        _file_monitor,
        _hooks,
        _hooks_elsewhere,
        _filters_and_diffs,
        _pagers,
        _alternates,
        _aliases,
        _included_settings,
        _upkeep,
    )
}
INTACT = [name for name in TRAPS if not any(word in name for word in ("pack", "ssh", "git_", "ext", "remote", "cred"))]

OTHER_REMOTES = {
    _upload_pack_of_an_unnamed_partial_clone,
    _ssh_command,
    _git_proxy,
    _external_transport,
    _remote_helper,
    _credential_helper,
}


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path)


def _read(path: Path) -> list[tuple[str, str]]:
    """Read all that any command reads: the layout, the histories, and how large the corpus is."""
    source = CorpusSource(path, language="en")
    corpus = source.open()
    _ = source.size, corpus.layout
    return [(revision.page.id, revision.page.text) for revision in corpus.revisions()]


@pytest.mark.parametrize("name", TRAPS)
def test_reading_a_repository_runs_none_of_its_commands(trap: Trap, name: str) -> None:
    TRAPS[name](trap)
    trap.mark.unlink(missing_ok=True)  # git itself may have run it while the trap was made
    for path in (trap.folder, trap.folder / "docs", trap.folder / ".git"):
        with suppress(UnreadablePage):
            _read(path)
    assert not trap.mark.exists(), trap.mark.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", INTACT)
def test_a_repository_with_commands_reads_as_one_without(trap: Trap, name: str) -> None:
    before = _read(trap.folder)
    TRAPS[name](trap)
    assert _read(trap.folder) == before
    assert len(before) == 4


def _linkspot(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "linkspot.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("command", ["index", "insertions"])
def test_no_command_of_linkspot_runs_a_repositorys_commands(trap: Trap, tmp_path: Path, command: str) -> None:
    for make in TRAPS.values():
        if make not in OTHER_REMOTES:  # a repository can only lose its objects once
            make(trap)
    trap.mark.unlink(missing_ok=True)
    arguments = [command, str(trap.folder), "--lang", "en", "--out", str(tmp_path / "out"), "--jobs", "1"]
    run = _linkspot(*arguments)
    assert "Traceback" not in run.stderr
    assert run.returncode in {0, 1, 2}
    assert not trap.mark.exists(), trap.mark.read_text(encoding="utf-8")


def test_gits_own_variables_do_not_reach_git(trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _read(trap.folder)
    _file_monitor(trap)
    settings = tmp_path / "settings"
    settings.write_text(f"[core]\n\tfsmonitor = {trap.program}\n[log]\n\tshowRoot = false\n", encoding="utf-8")
    for name, value in {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": str(trap.program),
        "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor'='{trap.program}'",
        "GIT_CONFIG_GLOBAL": str(settings),
        "GIT_CONFIG_SYSTEM": str(settings),
        "GIT_EXTERNAL_DIFF": str(trap.program),
        "GIT_SSH_COMMAND": str(trap.program),
        "GIT_ASKPASS": str(trap.program),
        "GIT_PAGER": str(trap.program),
        "GIT_TRACE": str(trap.mark),
        "GIT_TRACE2": str(trap.mark),
        "GIT_TEMPLATE_DIR": str(tmp_path),
        "GIT_OBJECT_DIRECTORY": str(tmp_path),
        "GIT_NAMESPACE": "other",
        "GIT_ALLOW_PROTOCOL": "file:ext",
    }.items():
        monkeypatch.setenv(name, value)
    trap.mark.unlink(missing_ok=True)
    assert _read(trap.folder) == before
    assert not trap.mark.exists()


@pytest.mark.parametrize("name", ["--upload-pack=program", "-c", "ext::program", "--", "a:b"])
def test_a_bundle_or_folder_may_have_any_name(trap: Trap, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(trap.folder.parent)
    before = _read(trap.folder)
    trap.git("bundle", "create", str(trap.folder.parent / "pages.bundle"), "main")
    Path("pages.bundle").rename(name)
    assert _read(Path(name)) == before
    Path(name).unlink()
    trap.folder.rename(name)
    assert _read(Path(name)) == before
    assert not trap.mark.exists()


def test_a_page_may_have_a_name_that_looks_like_an_option(trap: Trap) -> None:
    trap.commit({"--output=x.md": PAGE[::-1], "-p.md": "Short."})
    assert {"--output=x", "-p"} < {name for name, _ in _read(trap.folder)}


def test_a_file_that_leads_to_a_repository_is_not_a_bundle(trap: Trap, tmp_path: Path) -> None:
    trap.folder.rename(tmp_path / "others")
    (tmp_path / "pages").write_text(f"gitdir: {tmp_path / 'others' / '.git'}\n", encoding="utf-8")
    with pytest.raises(UnreadablePage, match="is not a git bundle; name a bundle, or a folder that git keeps"):
        open_corpus(tmp_path / "pages", kind="git")


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give files to another user")
def test_a_repository_of_another_user_needs_the_users_consent(
    trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for path in (trap.folder, trap.folder / ".git"):
        os.chown(path, 12345, 12345)
    with (trap.folder / ".git" / "config").open("a", encoding="utf-8") as settings:
        settings.write("[safe]\n\tdirectory = *\n")  # a repository cannot trust itself
    arguments = ["insertions", str(trap.folder), "--lang", "en", "--out", str(tmp_path / "out"), "--jobs", "1"]
    refused = _linkspot(*arguments)
    assert refused.returncode
    assert "belongs to another user, and git refuses to read it; if you trust it, run: git" in refused.stderr
    subprocess.run(["git", "config", "--global", "--add", "safe.directory", trap.folder], check=True)
    assert _linkspot(*arguments).returncode == 0
