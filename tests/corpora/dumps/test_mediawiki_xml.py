import bz2
import gzip
import lzma
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from linkspot.corpora.corpus import open_corpus
from linkspot.corpora.dumps.mediawiki_xml import MediaWikiDump
from linkspot.corpora.dumps.packed import CUT_OFF
from linkspot.errors import UnreadablePage
from linkspot.records import Revision

_COUNT = """
import re, sys
from pathlib import Path
from linkspot.corpora.corpus import open_corpus
from linkspot.corpora.dumps.mediawiki_xml import MediaWikiDump
print(sum(1 for _ in MediaWikiDump(Path(sys.argv[1])).revisions()))
print(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])
"""


def _revision(number: int, text: str = "Text.", extra: str = "") -> str:
    return (
        f"<revision><id>{number}</id><timestamp>2010-01-0{number % 9 + 1}T00:00:00Z</timestamp>"
        f"<contributor><id>7</id></contributor><text{extra}>{text}</text></revision>"
    )


def _page(title: str, *revisions: str, ns: int = 0, extra: str = "") -> str:
    return f"<page><title>{title}</title><ns>{ns}</ns><id>5</id>{extra}{''.join(revisions)}</page>"


def _export(*pages: str) -> bytes:
    head = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" xml:lang="sw"><siteinfo><x/></siteinfo>\n'
    return f"{head}{''.join(pages)}</mediawiki>".encode()


def _read(path: Path, data: bytes) -> tuple[list[Revision], dict[str, int]]:
    path.write_bytes(data)
    dump = MediaWikiDump(path)
    return list(dump.revisions()), dict(dump.rejects)


def test_a_history_comes_in_order_with_ids_and_times(tmp_path: Path) -> None:
    found, rejects = _read(tmp_path / "d.xml", _export(_page("Paka", *(_revision(n, f"Na {n}.") for n in range(1, 4)))))
    assert [(revision.id, revision.page.text) for revision in found] == [("1", "Na 1."), ("2", "Na 2."), ("3", "Na 3.")]
    assert {(r.page.title, r.page.id, r.page.language) for r in found} == {("Paka", "5", "sw")}
    assert next(revision.time.isoformat() for revision in found if revision.time) == "2010-01-02T00:00:00+00:00"
    assert rejects == {}


def test_what_is_no_article_or_has_no_text_is_counted(tmp_path: Path) -> None:
    data = _export(
        _page("Majadiliano:Paka", _revision(1), ns=1),
        _page("Paka", _revision(2, extra=' deleted="deleted"'), _revision(3)),
        _page("Paka.js", _revision(4).replace("<text", "<model>javascript</model><text")),
    )
    found, rejects = _read(tmp_path / "d.xml", data)
    assert [revision.id for revision in found] == ["3"]
    assert rejects == {"not an article": 1, "a revision without text": 1, "not wikitext": 1}


def test_a_redirect_says_where_it_leads(tmp_path: Path) -> None:
    data = _export(_page("Mpaka", _revision(1, "#REDIRECT [[Paka]]"), extra='<redirect title="Paka" />'))
    found, _ = _read(tmp_path / "d.xml", data)
    assert found[0].page.redirect == "Paka"


def test_a_dump_that_is_cut_in_the_middle_gives_what_it_has(tmp_path: Path) -> None:
    data = _export(_page("A", _revision(1)), _page("B", _revision(2), _revision(3, "cut " * 100)))
    found, rejects = _read(tmp_path / "d.xml", data[: data.index(b"cut ") + 50])
    assert [revision.id for revision in found] == ["1", "2"]
    assert rejects == {"the last page is cut off": 1}


@pytest.mark.parametrize("pack", [bz2.compress, gzip.compress, lzma.compress])
def test_an_archive_that_is_cut_off_gives_what_it_has(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    pages = [_page(f"P{n}", _revision(n, f"{n * 7919 % 10007} " * 500)) for n in range(1, 1500)]
    packed = pack(_export(*pages))
    found, rejects = _read(tmp_path / "d.xml", packed[: len(packed) * 2 // 3])
    assert rejects[CUT_OFF] == 1
    assert 0 < len(found) < 1499
    assert all(revision.page.text for revision in found)


@pytest.mark.parametrize("bad", [b"caf\xe9 ole", b"a \x01 b", b"a & b", b"<b>a</i>", b"&unknown; b"])
def test_a_fault_costs_no_more_than_its_page_and_is_counted(bad: bytes, tmp_path: Path) -> None:
    data = _export(_page("A", _revision(1)), _page("B", _revision(2, "BAD")), _page("C", _revision(3)))
    found, rejects = _read(tmp_path / "d.xml", data.replace(b"BAD", bad))
    assert {"1", "3"} <= {revision.id for revision in found}
    assert rejects["a fault in the XML"] >= 1


@pytest.mark.parametrize("timestamp", ["", "<timestamp></timestamp>", "<timestamp>soon</timestamp>"])
def test_a_revision_without_a_time_has_none(timestamp: str, tmp_path: Path) -> None:
    data = _export(_page("A", f"<revision><id>1</id>{timestamp}<text>A.</text></revision>"))
    found, rejects = _read(tmp_path / "d.xml", data)
    assert [(revision.id, revision.time) for revision in found] == [("1", None)]
    assert rejects == {}


def test_a_wiki_says_whether_the_first_letter_counts(tmp_path: Path) -> None:
    path = tmp_path / "d.xml"
    for case, capitalises in (("first-letter", True), ("case-sensitive", False)):
        path.write_bytes(_export(_page("a", _revision(1))).replace(b"<x/>", f"<case>{case}</case>".encode()))
        assert MediaWikiDump(path).capitalises is capitalises
    path.write_bytes(_export(_page("a", _revision(1))))
    assert MediaWikiDump(path).capitalises


def test_titles_in_the_wrong_namespace_are_counted(tmp_path: Path) -> None:
    names = b'<namespaces><namespace key="0" /><namespace key="1">Majadiliano</namespace></namespaces>'
    pages = (_page("Majadiliano:Paka", _revision(1)), _page("Paka: hadithi", _revision(2)))
    data = _export(*pages).replace(b"<x/>", names)
    found, rejects = _read(tmp_path / "d.xml", data)
    assert [revision.page.title for revision in found] == ["Paka: hadithi"]
    assert rejects == {"a title in the wrong namespace": 1}
    found, rejects = _read(tmp_path / "d.xml", data.replace(b"<ns>0</ns>", b""))
    assert [revision.page.title for revision in found] == ["Paka: hadithi"]
    assert rejects == {"not an article": 1}


def test_a_file_that_is_no_export_is_refused(tmp_path: Path) -> None:
    for data in (b"<html><p>Hello</p></html>", b"not xml at all", b""):
        (tmp_path / "d.xml").write_bytes(data)
        with pytest.raises(UnreadablePage, match="is not a MediaWiki export"):
            open_corpus(tmp_path / "d.xml")


@pytest.mark.shared_data
def test_a_gigabyte_of_one_pages_history_streams_in_little_memory(shared_data: Path) -> None:
    dump = shared_data / "wikipedia" / "enwiki-Anarchism-2001-2010-pages-meta-history.xml.lzma"
    if not Path("/proc/self/status").exists():
        pytest.skip("this system does not report the peak memory of a process")
    done = subprocess.run([sys.executable, "-c", _COUNT, str(dump)], capture_output=True, text=True, check=True)
    count, kilobytes = map(int, done.stdout.split())
    assert count == 15_180
    assert kilobytes < 200_000


@pytest.mark.shared_data
def test_the_openttd_wiki_has_as_many_pages_and_revisions_as_it_should(shared_data: Path) -> None:
    counted = {}
    for language in ("en", "ru", "es", "fr", "de"):
        dump = MediaWikiDump(shared_data / "openttd" / f"openttd-{language}-pages-meta-history.xml.xz")
        titles = [(revision.page.title, revision.page.language) for revision in dump.revisions()]
        counted[language] = (len(set(titles)), len(titles))
        assert {spoken for _, spoken in titles} == {language}
        assert not dump.rejects
    expected = {"en": (1476, 27528), "ru": (358, 3766), "es": (461, 2994), "fr": (947, 2471), "de": (178, 1033)}
    assert counted == expected
