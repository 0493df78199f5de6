import gzip
import io
import json
import tarfile
from pathlib import Path
from typing import Any

from linkspot.corpora.dumps.enterprise_html import EnterpriseDump
from linkspot.corpora.dumps.packed import CUT_OFF


def _record(name: str = "Dog", **changes: Any) -> dict[str, Any]:
    return {
        "name": name,
        "identifier": 4269567,
        "version": {"identifier": 99},
        "date_modified": "2024-05-01T10:00:00Z",
        "namespace": {"identifier": 0},
        "in_language": {"identifier": "en"},
        "main_entity": {"identifier": "Q144"},
        "redirects": [{"name": "Dogs"}, {"name": "Canis familiaris"}],
        "article_body": {"html": "<p>The dog.</p>"},
        **changes,
    }


def _read(path: Path, *lines: bytes) -> tuple[list[Any], dict[str, int]]:
    path.write_bytes(b"\n".join(lines))
    dump = EnterpriseDump(path)
    return list(dump.revisions()), dict(dump.rejects)


def test_an_article_keeps_all_that_the_dump_tells_of_it(tmp_path: Path) -> None:
    (revision,), rejects = _read(tmp_path / "d.ndjson", json.dumps(_record()).encode())
    page = revision.page
    assert (page.title, page.id, page.entity, page.language) == ("Dog", "4269567", "Q144", "en")
    assert page.redirects == ("Dogs", "Canis familiaris")
    assert (revision.id, page.text) == ("99", "<p>The dog.</p>")
    assert rejects == {}


def test_broken_lines_among_good_ones_are_counted(tmp_path: Path) -> None:
    good = json.dumps(_record()).encode()
    lines = [
        good,
        b'{"name": "Cut',
        b"\xff\xfe not text",
        b"[1, 2]",
        b"{}",
        b"",
        json.dumps(_record(article_body={"html": None})).encode(),
        json.dumps(_record(article_body=None)).encode(),
        json.dumps(_record(namespace={"identifier": 14})).encode(),
        json.dumps(_record(main_entity=None, redirects=None, version=None, date_modified="soon")).encode(),
        good,
    ]
    found, rejects = _read(tmp_path / "d.ndjson", *lines)
    assert [revision.page.entity for revision in found] == ["Q144", "", "Q144"]
    assert rejects == {
        "a line that is no JSON": 2,
        "a line that is no article": 2,
        "an article without HTML": 2,
        "not an article": 1,
    }


def test_an_archive_that_is_cut_off_gives_what_it_has(tmp_path: Path) -> None:
    lines = b"".join(json.dumps(_record(f"Dog {n * 7919 % 10007}")).encode() + b"\n" for n in range(20_000))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        member = tarfile.TarInfo("enwiki_0.ndjson")
        member.size = len(lines)
        tar.addfile(member, io.BytesIO(lines))
    found, rejects = _read(tmp_path / "d.json.tar.gz", packed.getvalue()[: len(packed.getvalue()) // 2])
    assert 0 < len(found) < 20_000
    assert rejects[CUT_OFF] >= 1


def test_lines_can_be_packed_alone(tmp_path: Path) -> None:
    found, _ = _read(tmp_path / "d.ndjson.gz", gzip.compress(json.dumps(_record()).encode()))
    assert [revision.page.title for revision in found] == ["Dog"]
