from pathlib import Path

import pytest

from linkspot.corpora.corpus import CorpusSource, sources


def _files(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    return folder


def _names(folder: Path, kind: str = "") -> list[str]:
    return [source.path.name for source in sources(folder, kind)]


def test_a_folder_of_dumps_is_its_dumps_in_the_order_of_their_parts(tmp_path: Path) -> None:
    parts = [f"enwiki-20240501-pages-meta-history{n}.xml-p{n}1p{n}9.7z" for n in (1, 2, 10)]
    _files(tmp_path, *reversed(parts), "md5sums.txt", "enwiki-20240501-index.txt.bz2")
    assert _names(tmp_path) == parts


def test_of_dumps_that_differ_only_in_their_packing_one_is_taken(tmp_path: Path) -> None:
    _files(tmp_path, "a.xml-p1p2.bz2", "a.xml-p1p2.7z", "b.xml.gz", "b.xml", "c.zim", "d.json.tar.gz")
    assert _names(tmp_path) == ["a.xml-p1p2.bz2", "b.xml", "c.zim", "d.json.tar.gz"]


def test_what_the_user_says_holds_for_every_dump(tmp_path: Path) -> None:
    _files(tmp_path, "a.xml", "b.xml")
    told = {"kind": "mediawiki-xml", "language": "sw", "pages": "", "link_base": ""}
    assert sources(tmp_path, **told) == [CorpusSource(tmp_path / name, **told) for name in ("a.xml", "b.xml")]


@pytest.mark.parametrize(
    "names",
    [("page.md", "dump.xml"), ("docs/page.md", "dump.xml"), (".git/HEAD", "dump.xml"), ("notes.txt",), ()],
)
def test_any_other_folder_is_one_corpus(names: tuple[str, ...], tmp_path: Path) -> None:
    _files(tmp_path, *names)
    assert sources(tmp_path) == [CorpusSource(tmp_path)]


def test_a_folder_is_one_corpus_if_the_user_says_so(tmp_path: Path) -> None:
    assert _names(_files(tmp_path / "site", "a.xml"), "folder") == ["site"]


def test_a_file_is_one_corpus(tmp_path: Path) -> None:
    path = _files(tmp_path, "a.xml") / "a.xml"
    assert sources(path) == [CorpusSource(path)]


@pytest.mark.shared_data
def test_the_openttd_wiki_is_a_folder_of_24_dumps(shared_data: Path) -> None:
    found = sources(shared_data / "openttd")
    assert len(found) == 24
    assert all(source.path.name.endswith(".xml.xz") for source in found)
