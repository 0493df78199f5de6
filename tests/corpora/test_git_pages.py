import subprocess
from pathlib import Path

import pytest

from linkspot.corpora.git_pages import GitPages
from linkspot.errors import UnreadablePage


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

    def told(self) -> list[tuple[str, str]]:
        return [(revision.page.id, revision.page.text) for revision in GitPages(self.folder).revisions()]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_each_commit_that_touches_a_page_is_a_revision(repository: Repository) -> None:
    repository.commit(a_md="One.", b_md="Bee.")
    repository.commit(a_md="One. Two.")
    repository.commit(notes_txt="no page")
    repository.commit(a_md="One. Two. Three.")
    assert repository.told() == [("a", "One."), ("a", "One. Two."), ("a", "One. Two. Three."), ("b", "Bee.")]


def test_a_renamed_page_keeps_its_history(repository: Repository) -> None:
    text = "A page with enough words to be known again after it was moved to another place.\n"
    repository.commit(old_md=text)
    repository.commit(old_md=None, docs__new_md=text)
    repository.commit(docs__new_md=text + "More.\n")
    assert repository.told() == [("docs/new", text), ("docs/new", text), ("docs/new", text + "More.\n")]


def test_a_page_that_was_deleted_keeps_what_it_had(repository: Repository) -> None:
    repository.commit(a_md="One.")
    repository.commit(a_md=None)
    repository.commit(a_md="Back again, quite different.")
    assert repository.told() == [("a", "One."), ("a", "Back again, quite different.")]


def test_names_in_any_script_are_read(repository: Repository) -> None:
    (repository.folder / "緑茶 é.md").write_text("お茶。", encoding="utf-8")
    repository.commit()
    assert repository.told() == [("緑茶 é", "お茶。")]


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


@pytest.mark.shared_data
def test_the_history_of_mdn_is_read(shared_data: Path, tmp_path: Path) -> None:
    bundle = shared_data / "mdn" / "mdn.bundle"
    subprocess.run(["git", "clone", "-q", "--bare", "-b", "main", bundle, tmp_path / "mdn"], check=True)
    corpus = GitPages(tmp_path / "mdn")
    pages, languages, count = set(), set(), 0
    for revision in corpus.revisions():
        pages.add(revision.page.id)
        languages.add(revision.page.language)
        count += 1
    assert len(pages) > 6_900
    assert languages == {"en-us", "ja", "fr", "zh-cn", "zh-tw", "ko", "ru", "es", "pt-br"}
    assert count > 8_307
    assert not corpus.rejects
