"""The HTML of a real MediaWiki's revisions gives the insertions that its wikitext gives."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import run
from tests.end_to_end.mediawiki import LiveWiki

pytestmark = pytest.mark.shared_data
Rows = Callable[[Path], list[dict[str, Any]]]
PAPER = ("--protocol", "paper", "--snapshots", "2009-01-01", "2019-12-31", "--jobs", "1")


def test_insertions_from_fetched_html_are_those_of_the_wikitext(
    live_wiki: LiveWiki, tmp_path: Path, rows: Rows
) -> None:
    history = live_wiki.dump(tmp_path / "testwiki.xml")
    added, html = tmp_path / "added", tmp_path / "added-html"
    from_xml = run("insertions", history, "--out", added, *PAPER)
    assert from_xml.returncode == 0, from_xml.stderr
    lines = tmp_path / "added.ndjson.gz"
    words = ("fetch", live_wiki.api_url, "--contact", "test@example.org", "--revisions", added, "--out", lines)
    fetched = run(*words)
    assert fetched.returncode == 0, fetched.stderr
    content = lines.read_bytes()
    assert run(*words).returncode == 0
    assert lines.read_bytes() == content  # nothing is fetched twice
    from_html = run("insertions", lines, "--out", html, *PAPER)
    assert from_html.returncode == 0, from_html.stderr
    both = [{_link(row): row["scenario"] for row in rows(folder / "insertions")} for folder in (added, html)]
    wikitext_links, html_links = both
    assert len(wikitext_links) > 5
    common = wikitext_links.keys() & html_links.keys()
    assert len(common) > 0.9 * len(wikitext_links.keys() | html_links.keys()), both
    assert sum(wikitext_links[link] == html_links[link] for link in common) > 0.9 * len(common)


def _link(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(row[name] for name in ("source_title", "target_title", "before_revision", "after_revision"))
