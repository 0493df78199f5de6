import gc
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from linkspot.corpora.corpus import current_pages, open_corpus, sources
from linkspot.corpora.sites.git_pages import GitPages
from linkspot.errors import MissingExtra, UnreadablePage
from linkspot.records import Revision


class Repository:
    """A small real repository."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> None:
        identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
        subprocess.run(["git", *identity, *arguments], cwd=self.folder, check=True, capture_output=True)

    def commit(self, **files: str | None) -> None:
        for name, text in files.items():
            path = self.folder / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(exist_ok=True)
            path.unlink(missing_ok=True)
            if text is not None:
                path.write_text(text, encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "change")

    def versions(self) -> list[tuple[str, str]]:
        return _versions(self.folder)


def _versions(path: Path) -> list[tuple[str, str]]:
    return [(revision.page.id, revision.page.text) for revision in open_corpus(path, language="en").revisions()]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_each_commit_that_touches_a_page_is_a_revision(repository: Repository) -> None:
    repository.commit(a_md="One.", b_md="Bee.")
    repository.commit(a_md="One. Two.")
    repository.commit(notes_txt="no page")
    repository.commit(a_md="One. Two. Three.")
    assert repository.versions() == [("a", "One."), ("a", "One. Two."), ("a", "One. Two. Three."), ("b", "Bee.")]


def test_a_renamed_page_keeps_its_history(repository: Repository) -> None:
    text = "A page with enough words to be known again after it was moved to another place.\n"
    repository.commit(old_md=text)
    repository.commit(old_md=None, docs__new_md=text)
    repository.commit(docs__new_md=text + "More.\n")
    assert repository.versions() == [("docs/new", text), ("docs/new", text), ("docs/new", text + "More.\n")]


def test_a_page_that_becomes_another_kind_of_file_ends_there(repository: Repository) -> None:
    text = "A page with enough words to be known again after it was moved to another place.\n"
    repository.commit(a_md=text)
    repository.commit(a_md=None, a_txt=text)
    repository.commit(a_txt=text + "More.\n")
    assert repository.versions() == [("a", text), ("a", "")]


def test_a_page_that_was_deleted_keeps_what_it_had(repository: Repository) -> None:
    repository.commit(a_md="One.")
    repository.commit(a_md=None)
    repository.commit(a_md="Back again, quite different.")
    assert repository.versions() == [("a", "One."), ("a", ""), ("a", "Back again, quite different.")]


def test_names_in_any_script_are_read(repository: Repository) -> None:
    for name in ("緑茶 é", 'say "hi"', "tab\there", "commit 1 2"):
        (repository.folder / f"{name}.md").write_text("お茶。", encoding="utf-8")
    repository.commit()
    assert {name for name, _ in repository.versions()} == {"緑茶 é", 'say "hi"', "tab\there", "commit 1 2"}


def test_a_file_that_is_no_text_is_counted(repository: Repository) -> None:
    (repository.folder / "bad.md").write_bytes(b"\xff\x00")
    repository.commit(a_md="One.")
    corpus = GitPages(repository.folder)
    assert [revision.page.id for revision in corpus.revisions()] == ["a"]
    assert corpus.rejects == {"a file that cannot be read": 1}


def test_what_is_no_repository_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UnreadablePage, match=r"git cannot read .*: ") as refusal:
        list(GitPages(tmp_path / "nothing").revisions())
    assert "\n" not in str(refusal.value)


def test_a_folder_of_a_work_tree_has_the_pages_below_it(repository: Repository) -> None:
    repository.commit(a_md="One.", docs__b_md="Bee.")
    repository.commit(docs__b_md="Bee. Two.", docs__c_txt="no page")
    assert _versions(repository.folder / "docs") == [("b", "Bee."), ("b", "Bee. Two.")]


def test_a_folder_that_git_does_not_keep_is_read_as_it_is(repository: Repository) -> None:
    repository.commit(a_md="One.")
    (repository.folder / "drafts").mkdir()
    (repository.folder / "drafts" / "d.md").write_text("Draft.", encoding="utf-8")
    assert _versions(repository.folder / "drafts") == [("d", "Draft.")]
    repository.commit(dumps__notes_txt="no page")
    (repository.folder / "dumps" / "wiki.xml").write_bytes(b"<mediawiki/>")
    assert [source.path.name for source in sources(repository.folder / "dumps")] == ["wiki.xml"]


def test_a_shallow_clone_begins_where_it_was_cut(
    repository: Repository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for text in ("One.", "One. Two.", "One. Two. Three."):
        repository.commit(a_md=text)
    clone = tmp_path_factory.mktemp("shallow") / "clone"
    repository.git("clone", "-q", "--depth", "2", repository.folder.as_uri(), str(clone))
    assert _versions(clone) == [("a", "One. Two."), ("a", "One. Two. Three.")]


@pytest.mark.parametrize("branches", [["main"], ["HEAD"], ["main", "draft"], ["draft"]])
def test_a_bundle_is_read_and_its_copy_removed(repository: Repository, branches: list[str]) -> None:
    repository.commit(a_md="One.")
    repository.git("branch", "draft")
    repository.git("bundle", "create", "pages.bundle", *branches)
    corpus = GitPages(repository.folder / "pages.bundle", "en")
    before = _copies()
    assert [revision.page.text for revision in corpus.revisions()] == ["One."]
    assert len(_copies() - before) == 1
    del corpus
    gc.collect()
    assert _copies() <= before


def _copies() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("linkspot-scratch-*/bundle.git"))


def test_a_bundle_that_is_cut_off_or_needs_another_is_refused_in_one_line(repository: Repository) -> None:
    repository.commit(a_md="One.")
    repository.commit(a_md="One. Two.")
    bundle = repository.folder / "pages.bundle"
    repository.git("bundle", "create", bundle.name, "HEAD~1..main")
    with pytest.raises(UnreadablePage, match=r"git cannot read .*pages\.bundle: .*prerequisite") as refusal:
        _versions(bundle)
    assert "\n" not in str(refusal.value)
    repository.git("bundle", "create", bundle.name, "main")
    bundle.write_bytes(bundle.read_bytes()[:-40])
    with pytest.raises(UnreadablePage, match=r"git cannot read .*pages\.bundle: "):
        _versions(bundle)


def test_a_repository_without_a_commit_is_refused_in_one_line(repository: Repository) -> None:
    with pytest.raises(UnreadablePage, match="has no commit on its current branch; commit its pages first"):
        repository.versions()


def test_the_usual_branch_is_read_where_the_current_one_is_empty(repository: Repository) -> None:
    repository.commit(a_md="One.")
    repository.git("checkout", "-q", "--orphan", "empty")
    assert repository.versions() == [("a", "One.")]
    repository.git("branch", "-q", "-m", "main", "this")
    repository.git("branch", "-q", "that", "this")
    with pytest.raises(UnreadablePage, match="has no commit on its current branch; there are: that, this; check one"):
        repository.versions()


def test_a_repository_without_pages_is_refused_in_one_line(repository: Repository) -> None:
    repository.commit(notes_txt="no page")
    with pytest.raises(UnreadablePage, match=r"has no pages; linkspot reads files that end in \.html"):
        repository.versions()


def test_without_git_the_way_out_is_told(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit(docs__a_md="One.")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingExtra, match=r"git is not installed.*--kind folder"):
        repository.versions()
    assert _versions(repository.folder / "docs") == [("a", "One.")]


def test_settings_of_git_and_a_running_hook_change_nothing(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    repository.commit(a_md="One.")
    for setting in ("log.showRoot=false", "color.ui=always", "diff.noprefix=true", "core.quotePath=true"):
        repository.git("config", *setting.split("="))
    monkeypatch.setenv("GIT_DIR", str(tmp_path_factory.mktemp("other")))
    assert repository.versions() == [("a", "One.")]


def test_a_revision_knows_how_many_pages_its_commit_touched(repository: Repository) -> None:
    repository.commit(a_md="One.", b_md="Bee.", c_txt="no page")
    repository.commit(a_md="One. Two.")
    revisions: list[Revision] = list(open_corpus(repository.folder, language="en").revisions())
    assert [(revision.page.id, revision.touched) for revision in revisions] == [("a", 2), ("a", 1), ("b", 2)]


@pytest.mark.slow
@pytest.mark.shared_data
def test_the_history_of_mdn_is_read(shared_data: Path) -> None:
    corpus = open_corpus(shared_data / "mdn" / "mdn.bundle")
    pages, languages, count = set(), set(), 0
    for revision in corpus.revisions():
        pages.add(revision.page.id)
        languages.add(revision.page.language)
        count += 1
    assert len(pages) > 6_900
    assert languages == {"en-us", "ja", "fr", "zh-cn", "zh-tw", "ko", "ru", "es", "pt-br"}
    assert count > 8_307
    assert not corpus.rejects


def test_a_deleted_page_is_none_of_the_current_ones(repository: Repository) -> None:
    repository.commit(a_md="One.", b_md="Bee.")
    repository.commit(b_md=None)
    ends = [r.page.id for r in open_corpus(repository.folder, language="en").revisions() if r.is_deletion]
    assert ends == ["b"]
    assert [page.id for page in current_pages(open_corpus(repository.folder, language="en"))] == ["a"]


LONG = "A page with enough words to be known again after it was moved to another place.\n" * 3


def _object(repository: Repository, name: str) -> Path:
    blob = subprocess.run(["git", "rev-parse", name], cwd=repository.folder, check=True, capture_output=True, text=True)
    return repository.folder / ".git" / "objects" / blob.stdout[:2] / blob.stdout[2:].strip()


def test_a_lost_object_costs_its_version_of_one_page(repository: Repository) -> None:
    repository.commit(a_md="One.", b_md="Bee.")
    repository.commit(a_md="One. Two.")
    repository.commit(a_md="One. Two. Three.")
    _object(repository, "HEAD~1:a.md").unlink()
    corpus = open_corpus(repository.folder, language="en")
    assert [(r.page.id, r.page.text) for r in corpus.revisions()] == [
        ("a", "One."),
        ("a", "One. Two. Three."),
        ("b", "Bee."),
    ]
    assert corpus.rejects == {"a file whose content is missing": 1}


def test_a_damaged_object_costs_its_version_of_one_page(repository: Repository) -> None:
    repository.commit(a_md="One.", b_md="Bee.")
    damaged = _object(repository, "HEAD:a.md")
    damaged.chmod(0o644)
    damaged.write_bytes(b"not an object")
    corpus = open_corpus(repository.folder, language="en")
    assert [(r.page.id, r.page.text) for r in corpus.revisions()] == [("b", "Bee.")]
    assert corpus.rejects == {"a file whose content is missing": 1}


def test_where_contents_are_lost_only_exact_renames_are_followed(repository: Repository) -> None:
    repository.commit(a_md=LONG, b_md=LONG.upper())
    repository.commit(a_md=None, c_md=LONG + "More.\n", b_md=None, d_md=LONG.upper())
    _object(repository, "HEAD~1:a.md").unlink()
    corpus = open_corpus(repository.folder, language="en")
    assert [(r.page.id, r.page.text) for r in corpus.revisions()] == [
        ("a", ""),
        ("c", LONG + "More.\n"),
        ("d", LONG.upper()),
        ("d", LONG.upper()),
    ]
    assert corpus.rejects == {"a file whose content is missing": 1}


def test_a_partial_clone_has_the_pages_whose_content_it_has_and_fetches_nothing(
    repository: Repository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    repository.commit(a_md="One.", b_md=LONG)
    repository.commit(a_md="One. Two.", b_md=None, c_md=LONG + "More.\n")
    repository.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path_factory.mktemp("clone") / "pages"
    repository.git("clone", "-q", "--filter=blob:none", f"file://{repository.folder}", str(clone))

    for _ in range(2):  # the origin is there at first, then gone
        corpus = open_corpus(clone, language="en")
        pages = [(r.page.id, r.page.text, r.is_deletion) for r in corpus.revisions()]
        assert pages == [("a", "One. Two.", False), ("b", "", True), ("c", LONG + "More.\n", False)]
        assert corpus.rejects == {"a file whose content is missing": 2}
        shutil.rmtree(repository.folder / ".git", ignore_errors=True)


def test_a_whole_partial_clone_without_contents_has_no_page_and_says_how_many_are_missing(
    repository: Repository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    repository.commit(a_md="One.", b_md="Bee.")
    repository.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path_factory.mktemp("clone") / "pages.git"
    repository.git("clone", "-q", "--bare", "--filter=blob:none", f"file://{repository.folder}", str(clone))
    corpus = open_corpus(clone, language="en")
    assert list(corpus.revisions()) == []
    assert corpus.rejects == {"a file whose content is missing": 2}


def test_a_commit_of_the_year_10000_is_counted(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit(a_md="One.", b_md="Bee.")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "@253402300800 +0000")
    repository.commit(a_md="One. Two.")
    monkeypatch.delenv("GIT_COMMITTER_DATE")
    repository.commit(a_md="One. Two. Three.")
    corpus = open_corpus(repository.folder, language="en")
    assert [r.page.text for r in corpus.revisions()] == ["One.", "One. Two. Three.", "Bee."]
    assert corpus.rejects == {"a commit whose date cannot be read": 1}


def test_a_file_that_is_too_large_is_counted_and_the_next_one_is_read(repository: Repository) -> None:
    with (repository.folder / "a.md").open("wb") as file:
        file.truncate(60_000_000)
    repository.commit(b_md="Bee.")
    corpus = open_corpus(repository.folder, language="en")
    assert [r.page.text for r in corpus.revisions()] == ["Bee."]
    assert corpus.rejects == {"a file that is too large": 1}
