"""The HTML parser on real pages: none is refused, nothing is misplaced, and every link is accounted for."""

import re
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from linkspot.parsing import parse
from linkspot.records import Article, Markup, Page

pytestmark = pytest.mark.shared_data

_ARCHIVE = "wikipedia/wikipedia-for-schools-2007-en.tar.xz"
_LINK = re.compile(r'<a\s[^>]*?href="[^"]*"[^>]*>(.*?)</a>', re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_BLOCK = re.compile(r"<(/?)(p|li|dd|dt|div|ul|ol|dl|td|th|table|h[1-6]|body|center|blockquote|pre|br)\b[^>]*>")
_COMPARED = 10  # of every ten pages one is compared, and of every thirty by default


def _pages(archive: Path) -> Iterator[Page]:
    with tarfile.open(archive) as tar:
        for member in tar:
            stream = tar.extractfile(member) if member.name.endswith(".htm") else None
            if stream is not None:
                yield Page("", stream.read().decode("utf-8", "replace"), Markup.HTML, "en", member.name)


def _reason(html: str, start: int, body: str) -> str:
    """Return why a link is not one in prose, judged by nothing but the characters around it."""
    before = html[:start]
    last = [match for match in _BLOCK.finditer(before, max(0, start - 20_000)) if match[2] != "br"]
    if not _TAG.sub("", body).strip():
        return "an image"
    if before.count("<table") > before.count("</table"):
        return "in a table"
    if last and re.fullmatch("h[1-6]", last[-1][2]) and not last[-1][1]:
        return "in a heading"
    for box in ('<div class="thumb', '<div class="dablink', '<div id="footer', '<div class="NavFrame', "<blockquote"):
        tag = box[1:].partition(" ")[0]
        opened = before.rfind(box)
        if opened >= 0 and before.count(f"<{tag}", opened) > before.count(f"</{tag}", opened):
            return f"in {box}"
    if last and (last[-1][1] or last[-1][2] not in {"p", "li", "dd", "dt"}):
        return "outside of any paragraph or list item"
    return "unexplained"


def _count_links(page: Page, article: Article, counts: Counter[str]) -> None:
    html = _COMMENT.sub(lambda comment: " " * len(comment[0]), page.text)
    found = {link.source.start for section in article.sections for link in section.links}
    for match in _LINK.finditer(html):
        if match.start() in found:
            counts["found"] += 1
            found.discard(match.start())
        else:
            counts[_reason(html, match.start(), match[1])] += 1
    counts["invented"] += len(found)


@pytest.mark.parametrize("every", [30, pytest.param(1, marks=pytest.mark.slow)])
def test_every_page_of_wikipedia_for_schools_is_read_and_its_links_are_accounted_for(
    shared_data: Path, every: int
) -> None:
    counts: Counter[str] = Counter()
    pages = 0
    for number, page in enumerate(_pages(shared_data / _ARCHIVE)):
        pages += 1
        if number % every:
            continue
        article = parse(page)
        if number % _COMPARED == 0:
            _check_places(page, article)
            _count_links(page, article, counts)
    assert pages == 5462
    total = counts.total() - counts["invented"]
    assert total > 25_000 * _COMPARED / max(every, _COMPARED)
    assert counts["invented"] == 0
    assert counts["found"] > 0.4 * total
    assert counts["unexplained"] < 0.005 * total, counts


def _check_places(page: Page, article: Article) -> None:
    for section in article.sections:
        for run in section.source_map.runs:
            if run.is_verbatim:
                source = page.text[run.source_start : run.source_end]
                assert re.sub(r"\s", " ", source) == re.sub(r"\s", " ", section.text[run.start : run.end])
        for sentence in section.sentences:
            plain = _TAG.sub("", _COMMENT.sub("", sentence.source.cut(page.text)))
            assert all(word in plain for word in re.findall(r"[A-Za-z]{2,}", sentence.text))
