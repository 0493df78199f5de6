import sys
from pathlib import Path

import pytest
from libzim.writer import Creator, Item, StringProvider

from linkspot.corpora.corpus import Corpus, current_pages, open_corpus
from linkspot.errors import MissingExtra, UnreadablePage
from linkspot.links.addresses import Naming
from linkspot.records import Page


class _Entry(Item):  # type: ignore[misc]
    def __init__(self, path: str, title: str, content: str | bytes, mimetype: str = "text/html") -> None:
        super().__init__()
        self._facts = path, title, content, mimetype

    def get_path(self) -> str:
        return self._facts[0]

    def get_title(self) -> str:
        return self._facts[1]

    def get_contentprovider(self) -> StringProvider:
        return StringProvider(self._facts[2])

    def get_mimetype(self) -> str:
        return self._facts[3]

    def get_hints(self) -> dict[object, int]:
        return {}


ENTRIES = (
    _Entry("AC/DC", "AC/DC", "<p>A band."),
    _Entry("Aids", "Aids", "<p>Helps."),
    _Entry("AIDS", "AIDS", "<p>A syndrome."),
    _Entry("What_is_it?", "What is it?", "<p>It is."),
    _Entry("example.org/guide/index.html", "The guide", "<p>A guide."),
    _Entry("example.org/about.html", "About us", "<p>About."),
    _Entry("style.css", "", "p { margin: 0 }", "text/css"),
    _Entry("image.png", "", b"\x89PNG", "image/png"),
)


def _zim(path: Path, *entries: _Entry, language: str = "swa") -> Path:
    with Creator(path).config_indexing(False, "eng") as creator:
        for entry in entries:
            creator.add_item(entry)
        creator.add_redirection("Sida", "Sida", "AIDS", {})
        creator.add_redirection("magonjwa/Ukimwi", "Ukimwi", "Sida", {})
        creator.add_redirection("picture", "Picture", "image.png", {})
        creator.set_mainpath("AIDS")
        creator.add_metadata("Language", language)
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return open_corpus(_zim(tmp_path / "a.zim", *ENTRIES))


def _pages(corpus: Corpus) -> dict[str, Page]:
    return {page.id: page for page in current_pages(corpus)}


def test_pages_are_what_is_html_with_the_archives_language(corpus: Corpus) -> None:
    pages = {path: page for path, page in _pages(corpus).items() if not page.redirect}
    assert set(pages) == {entry.get_path() for entry in ENTRIES if entry.get_mimetype() == "text/html"}
    assert {page.language for page in pages.values()} == {"sw"}
    assert (pages["AC/DC"].title, pages["AC/DC"].text) == ("AC/DC", "<p>A band.")
    assert pages["example.org/about.html"].title == "About us"
    assert corpus.share == 1
    assert not corpus.rejects


@pytest.mark.parametrize(
    ("source", "link", "target"),
    [
        ("AIDS", "./AC%2FDC", "AC/DC"),
        ("AIDS", "AC/DC#Members", "AC/DC"),
        ("AC/DC", "../AIDS", "AIDS"),
        ("AC/DC", "../Aids", "Aids"),
        ("AC/DC", "/AIDS", "AIDS"),
        ("AIDS", "What_is_it%3F", "What_is_it?"),
        ("example.org/about.html", "guide/", "example.org/guide/index.html"),
        ("example.org/guide/index.html", "../about.html?x=1", "example.org/about.html"),
        ("AIDS", "magonjwa/Ukimwi", "magonjwa/Ukimwi"),
    ],
)
def test_links_are_paths_to_pages(corpus: Corpus, source: str, link: str, target: str) -> None:
    pages = _pages(corpus)
    naming = Naming(corpus.layout)
    assert naming.target_key(link, pages[source]) == naming.key_of(pages[target])


def test_redirects_lead_to_pages_or_other_redirects(corpus: Corpus) -> None:
    pages = _pages(corpus)
    naming = Naming(corpus.layout)
    redirects = {path: naming.target_key(page.redirect, page) for path, page in pages.items() if page.redirect}
    assert redirects == {"Sida": naming.key_of(pages["AIDS"]), "magonjwa/Ukimwi": naming.key_of(pages["Sida"])}


def test_paths_that_differ_in_their_capitals_are_different_pages(corpus: Corpus) -> None:
    keys = [Naming(corpus.layout).key_of(page) for page in _pages(corpus).values()]
    assert len(set(keys)) == len(keys)


def test_old_archives_have_their_pages_in_a_folder(tmp_path: Path) -> None:
    corpus = open_corpus(_zim(tmp_path / "a.zim", _Entry("A/Dog", "Dog", "<p>Dog."), *ENTRIES))
    pages = _pages(corpus)
    naming = Naming(corpus.layout)
    for link in ("Dog", "./Dog", "../A/Dog", "Dog.html"):
        assert naming.target_key(link, pages["A/Dog"]) == naming.key_of(pages["A/Dog"])


def test_an_archive_in_several_languages_leaves_them_to_its_pages(tmp_path: Path) -> None:
    path = _zim(tmp_path / "a.zim", *ENTRIES, language="eng,fra")
    assert {page.language for page in current_pages(open_corpus(path))} == {""}
    assert {page.language for page in current_pages(open_corpus(path, language="fr"))} == {"fr"}


def test_a_page_that_is_no_text_is_counted(tmp_path: Path) -> None:
    corpus = open_corpus(_zim(tmp_path / "a.zim", _Entry("Bad", "Bad", b"caf\xe9"), *ENTRIES))
    assert "Bad" not in _pages(corpus)
    assert corpus.rejects == {"a page that cannot be read": 1}


def test_an_archive_that_is_cut_off_is_refused_in_one_line(tmp_path: Path) -> None:
    path = _zim(tmp_path / "a.zim", *ENTRIES)
    data = path.read_bytes()
    for end in (0, 60, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:end])
        with pytest.raises(UnreadablePage, match=r"a\.zim is not a complete ZIM archive .*fetch it again") as refusal:
            open_corpus(path)
        assert "\n" not in str(refusal.value)


def test_an_archive_in_parts_is_one_corpus(tmp_path: Path) -> None:
    path = _zim(tmp_path / "a.zim", *ENTRIES)
    data = path.read_bytes()
    path.unlink()
    for name, part in (("a.zimaa", data[:500]), ("a.zimab", data[500:])):
        (tmp_path / name).write_bytes(part)
    assert "AIDS" in _pages(open_corpus(tmp_path / "a.zimaa"))


def test_without_libzim_the_way_to_get_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _zim(tmp_path / "a.zim", *ENTRIES)
    monkeypatch.setitem(sys.modules, "libzim", None)
    with pytest.raises(MissingExtra, match=r"pip install 'linkspot\[zim\]'"):
        open_corpus(path)


@pytest.mark.parametrize("name", [b"About us", b"example.org/about.html", b"magonjwa/Ukimwi"])
def test_a_name_that_is_not_utf_8_costs_one_page(tmp_path: Path, name: bytes) -> None:
    path = _zim(tmp_path / "a.zim", *ENTRIES)
    whole = set(_pages(open_corpus(path)))
    data = path.read_bytes()
    assert name in data
    path.write_bytes(data.replace(name, name[:-1] + b"\xff"))
    corpus = open_corpus(path)
    pages = _pages(corpus)
    assert whole > set(pages)
    assert sum(corpus.rejects.values()) == 1


def test_a_language_that_is_not_utf_8_is_left_to_the_pages(tmp_path: Path) -> None:
    path = _zim(tmp_path / "a.zim", *ENTRIES, language="s\u00fc")
    path.write_bytes(path.read_bytes().replace("s\u00fc".encode(), b"s\xff\xff"))
    assert isinstance(list(current_pages(open_corpus(path))), list)
