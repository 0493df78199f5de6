from pathlib import Path

import pytest

from linkspot.corpora.corpus import CorpusSource
from linkspot.corpora.sites.folder import Folder
from linkspot.errors import UnknownLanguage, UnreadablePage
from linkspot.parsing import parse


def _write(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("Text.", encoding="utf-8")
    return folder


def test_pages_are_named_by_their_paths_and_other_files_are_none(tmp_path: Path) -> None:
    others = ("notes.txt", ".git/x.md", "sub/.cache/y.md", "node_modules/tool/README.md")
    _write(tmp_path, "b.md", "sub/a.html", "sub/deep/c.wiki", *others)
    (tmp_path / "bad.md").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "dir.md").mkdir()
    corpus = Folder(tmp_path, "en")
    assert [revision.page.id for revision in corpus.revisions()] == ["b", "sub/a", "sub/deep/c"]
    assert corpus.rejects == {"a file that cannot be read": 1}


def test_the_language_of_a_path_comes_before_the_one_that_is_told(tmp_path: Path) -> None:
    _write(tmp_path, "hugo.toml", "content/about.md", "content/about.fr.md")
    corpus = CorpusSource(tmp_path, language="en").open()
    assert {revision.page.id: revision.page.language for revision in corpus.revisions()} == {
        "content/about": "en",
        "content/about.fr": "fr",
    }


def test_the_language_that_a_site_says_in_its_settings_is_enough(tmp_path: Path) -> None:
    _write(tmp_path, "docs/about.md")
    (tmp_path / "mkdocs.yml").write_text("theme: {language: sw}", encoding="utf-8")
    (revision,) = Folder(tmp_path).revisions()
    assert parse(revision.page).language == "sw"
    (revision,) = Folder(tmp_path, "en").revisions()
    assert revision.page.language == "en"


def test_a_site_that_never_says_its_language_needs_to_be_told(tmp_path: Path) -> None:
    (revision,) = Folder(_write(tmp_path, "about.md")).revisions()
    with pytest.raises(UnknownLanguage, match="about does not say its language; name it, for instance: --lang sw"):
        parse(revision.page)


def test_a_folder_without_pages_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UnreadablePage, match=r"has no pages; linkspot reads files that end in \.html"):
        list(Folder(_write(tmp_path, "notes.txt")).revisions())


def test_a_pattern_that_no_page_fits_is_refused_with_pages_that_there_are(tmp_path: Path) -> None:
    corpus = CorpusSource(_write(tmp_path, "docs/a.md", "docs/b.md"), pages="content/{slug}.md").open()
    with pytest.raises(UnreadablePage) as refusal:
        list(corpus.revisions())
    assert "fits the pattern 'content/{slug}.md'; there are: docs/a.md, docs/b.md" in str(refusal.value)


def test_files_outside_of_the_layout_are_counted(tmp_path: Path) -> None:
    corpus = Folder(_write(tmp_path, "mkdocs.yml", "docs/a.md", "README.md", "src/b.md"), "en")
    assert [revision.page.entity for revision in corpus.revisions()] == ["a"]
    assert corpus.rejects == {"a file outside of the layout": 2}
