"""Corpora with a record that is broken or far too large: it is counted and set aside, and the others are read."""

import bz2
import gzip
import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tree_wiki import write_export

from linkspot.corpora.corpus import CorpusSource, current_pages, open_corpus, time_of
from linkspot.corpora.dumps.packed import BOMB
from linkspot.engines.engine import Engine
from linkspot.errors import LinkspotError, UnreadablePage
from linkspot.limits import LIMITS
from linkspot.pipeline.index import index
from linkspot.pipeline.insertions import insertions

GOOD = {
    "name": "Dog",
    "identifier": 1,
    "date_modified": "2024-05-01T10:00:00Z",
    "version": {"identifier": 7},
    "namespace": {"identifier": 0},
    "in_language": {"identifier": "en"},
    "main_entity": {"identifier": "Q144"},
    "article_body": {"html": "<p>A dog barks at a <a href='./Cat'>cat</a>.</p>"},
}
_PEAK = """
import resource, sys
from pathlib import Path
from linkspot.corpora.corpus import open_corpus, revisions_of
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
corpus = open_corpus(Path(sys.argv[1]), language="en")
print([revision.page.title for revision in revisions_of(corpus)], dict(corpus.rejects))
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def _lines(path: Path, *records: object) -> Path:
    texts = [record if isinstance(record, str) else json.dumps(record) for record in records]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def _with(**fields: Any) -> dict[str, Any]:
    return {**GOOD, "name": "Bad", "identifier": 2, **fields}


BAD: list[object] = [
    _with(name="half \ud800"),
    _with(article_body={"html": "<p>half \udfff</p>"}),
    _with(redirects=[{"name": "\ud800"}]),
    _with(version={"identifier": "\ud800"}),
    _with(name="x" * 5_000),
    _with(article_body={"html": "<p>" + "x" * LIMITS.page_bytes}),
    "[" * 200_000,
    '{"name": "Bad", "x":' + "[" * 200_000 + "]" * 200_000 + "}",
    '{"name": "Bad", "identifier": ' + "9" * 5_000 + "}",
    _with(namespace={"identifier": [1]}),
    _with(namespace={"identifier": {}}),
    _with(name=["Bad"]),
    _with(article_body=[]),
    "null",
]


@pytest.mark.parametrize("command", [index, insertions])
def test_bad_lines_are_counted_and_the_others_are_read(
    command: Callable[..., Any], tmp_path: Path, local: Engine, rows: Callable[[Path], list[dict[str, Any]]]
) -> None:
    later = {**GOOD, "article_body": {"html": GOOD["article_body"]["html"] + "<p>See <a href='./Dog2'>a dog</a>."}}
    path = _lines(tmp_path / "wiki.ndjson", GOOD, *BAD, {**later, "name": "Dog2", "identifier": 3}, later)
    corpus = open_corpus(path)
    assert [page.title for page in current_pages(corpus)] == ["Dog", "Dog2", "Dog"]
    assert corpus.rejects == {
        "a page with half a character (a lone surrogate)": 4,
        "a line that is no JSON": 3,
        "not an article": 2,
        "a line that is no article": 2,
        "a title that is too long": 1,
        "a page that is too large": 1,
        "an article without HTML": 1,
    }
    if command is index:
        index([CorpusSource(path)], tmp_path / "out", local)
        assert {row["title"] for row in rows(tmp_path / "out" / "articles")} == {"Dog", "Dog2"}
    else:
        with pytest.raises(LinkspotError, match="has no history"):
            insertions([CorpusSource(path)], tmp_path / "out", local)


def test_a_time_that_no_calendar_has_costs_only_the_time(tmp_path: Path, local: Engine) -> None:
    times = ["10000-01-01", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2024-13-01", "today", [1], -1]
    records = [_with(date_modified=time, name=f"Bad {number}") for number, time in enumerate(times)]
    path = _lines(tmp_path / "wiki.ndjson", *records)
    assert index([CorpusSource(path)], tmp_path / "index", local).rows["articles"] == len(times)
    assert {revision.time for revision in open_corpus(path).revisions()} == {None}


def test_a_time_without_a_zone_is_in_utc() -> None:
    assert time_of("2024-05-01T10:00:00") == time_of("2024-05-01T10:00:00Z")


def _peak(path: Path) -> tuple[str, int]:
    """Read a corpus in a process of its own; return what it printed, and the megabytes that it took."""
    run = subprocess.run([sys.executable, "-c", _PEAK, path], capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 0, run.stderr
    printed, megabytes = run.stdout.splitlines()
    return printed, int(megabytes)


def test_a_line_that_unpacks_to_a_third_of_a_gigabyte_is_never_in_memory(tmp_path: Path) -> None:
    lines = json.dumps(GOOD).encode() + b"\n"
    path = tmp_path / "wiki.ndjson.gz"
    path.write_bytes(gzip.compress(lines) + gzip.compress(b"x" * 50_000_000) * 6 + gzip.compress(b"\n" + lines))
    printed, megabytes = _peak(path)
    assert printed == "['Dog', 'Dog'] {'a line that is too long': 1}"
    assert megabytes < 4 * LIMITS.line_bytes / 1e6


@pytest.mark.parametrize(
    ("filler", "size"),
    [(b"x", 100_000_000), (b"<x/>", 22_000_000), (b"<page>", 22_000_000), (b"<revision/>", 2_000_000)],
)
def test_xml_that_unpacks_to_much_more_is_never_in_memory(tmp_path: Path, filler: bytes, size: int) -> None:
    export = write_export(tmp_path / "wiki.xml", {"Dog": [("2024-05-01T10:00:00Z", "Barks.")]}).read_bytes()
    head, page, tail = export.partition(b"<page>")[0], export[export.index(b"<page>") : -12], export[-12:]
    middle = b"<page><title>Bad</title><revision><text>" + filler * (size // len(filler))
    path = tmp_path / "bomb.xml.gz"
    path.write_bytes(gzip.compress(head + page + middle, 1) + gzip.compress(page + tail))
    printed, megabytes = _peak(path)
    assert printed.startswith("['Dog'")
    assert megabytes < 30 * LIMITS.element_bytes / 1e6


def test_an_archive_that_unpacks_to_thousands_of_times_its_size_ends(tmp_path: Path) -> None:
    path = tmp_path / "wiki.ndjson.bz2"
    path.write_bytes(bz2.compress(json.dumps(GOOD).encode() + b"\n") + bz2.compress(b"x" * 45_000_000) * 4)
    corpus = open_corpus(path, kind="enterprise-html")
    assert [revision.page.title for revision in corpus.revisions()] == ["Dog"]
    assert corpus.rejects == {BOMB: 1, "a line that is too long": 1}


def _tar(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for member, data in members:
            tar.addfile(member, io.BytesIO(data))
    return path


def test_members_that_are_no_ordinary_files_are_counted(tmp_path: Path) -> None:
    line = json.dumps(GOOD).encode() + b"\n"
    members = []
    for number, kind in enumerate(
        [tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE]
    ):
        member = tarfile.TarInfo(f"{number}.ndjson")
        member.type, member.size, member.linkname = kind, 0 if number else len(line), "/etc/passwd" if number else ""
        members.append((member, b"" if number else line))
    corpus = open_corpus(_tar(tmp_path / "wiki.json.tar.gz", *members))
    assert [page.title for page in current_pages(corpus)] == ["Dog"]
    assert corpus.rejects == {"a member of the archive that is not an ordinary file": 4}


def test_a_sparse_member_is_not_read(tmp_path: Path) -> None:
    holes = tmp_path / "holes"
    with holes.open("wb") as file:
        file.truncate(10**12)
    packed = tmp_path / "wiki.json.tar.gz"
    subprocess.run(["tar", "--sparse", "-czf", packed, "-C", tmp_path, "holes"], check=True)
    corpus = open_corpus(packed, language="en")
    assert list(corpus.revisions()) == []
    assert corpus.rejects == {"a member of the archive that is not an ordinary file": 1}


def test_links_out_of_a_folder_pipes_and_broken_names_are_left_out(tmp_path: Path) -> None:
    pages, secret = tmp_path / "pages", tmp_path / "secret.md"
    pages.mkdir()
    secret.write_text("A secret.", encoding="utf-8")
    (pages / "a.md").write_text("A page.", encoding="utf-8")
    (pages / "inside.md").symlink_to("a.md")
    (pages / "outside.md").symlink_to(secret)
    (pages / "chain.md").symlink_to("outside.md")
    (pages / "circle.md").symlink_to("circle.md")
    (pages / "zero.md").symlink_to("/dev/zero")
    (pages / "folder").symlink_to(tmp_path, target_is_directory=True)
    os.mkfifo(pages / "pipe.md")
    os.mkfifo(pages / "mkdocs.yml")
    with open(os.fsencode(pages) + b"/caf\xe9.md", "wb") as file:  # noqa: PTH123 (a path of bytes)
        file.write(b"Latin-1.")
    corpus = open_corpus(pages, language="en")
    assert [page.id for page in current_pages(corpus)] == ["a", "inside"]
    assert corpus.rejects == {
        "a link that leads out of the folder": 3,
        "a file that cannot be read": 2,
        "a file name that is not UTF-8": 1,
    }


def test_a_page_file_that_is_a_pipe_or_a_device_is_refused_at_once(tmp_path: Path) -> None:
    from linkspot.corpora.page_file import read_page

    os.mkfifo(tmp_path / "pipe.md")
    for path in (tmp_path / "pipe.md", Path("/dev/zero")):
        with pytest.raises(UnreadablePage, match="cannot be read: not a regular file"):
            read_page(path, "markdown")
    with pytest.raises(UnreadablePage, match="is a pipe or a device; save it as a file first"):
        open_corpus(tmp_path / "pipe.md", kind="mediawiki-xml")


def test_a_file_with_a_time_that_no_calendar_has_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("A page.", encoding="utf-8")
    os.utime(tmp_path / "a.md", (1e15, 1e15))
    assert [revision.page.id for revision in open_corpus(tmp_path, language="en").revisions()] == ["a"]


EMPTY = {
    "wiki.xml": b"<mediawiki/>",
    "wiki.xml.gz": gzip.compress(b"<mediawiki></mediawiki>"),
    "wiki.ndjson": b"",
    "wiki.ndjson.gz": gzip.compress(b""),
    "wiki.json.tar.gz": gzip.compress(bytes(10_240)),
    "pages/notes.txt": b"not a page",
    "wiki2.xml": b"",
    "wiki.zim": b"",
    "wiki.xml.7z": b"",
    "wiki.xml.bz2": b"",
}


@pytest.mark.parametrize("command", [index, insertions])
@pytest.mark.parametrize("name", EMPTY)
def test_a_corpus_without_pages_is_refused_in_one_line(
    name: str, command: Callable[..., Any], tmp_path: Path, local: Engine
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(EMPTY[name])
    source = CorpusSource(path.parent if "/" in name else path, language="en")
    with pytest.raises(LinkspotError) as refusal:
        command([source], tmp_path / "out", local)
    assert "\n" not in str(refusal.value)


def test_an_empty_7z_archive_ends(tmp_path: Path) -> None:
    import py7zr

    with py7zr.SevenZipFile(tmp_path / "wiki.xml.7z", "w"):
        pass
    run = [sys.executable, "-c", _PEAK, tmp_path / "wiki.xml.7z"]
    failed = subprocess.run(run, capture_output=True, text=True, check=False, timeout=30)
    assert "UnreadablePage" in failed.stderr
