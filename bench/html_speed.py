"""HTML → Article, compared with mwparserfromhtml on the same pages, on one core."""

import tarfile
import time
from collections.abc import Callable
from typing import Any

from bench.wikis import SCHOOLS

PAGES = 300
ROUNDS = 5
_BASE = '<head><base href="//en.wikipedia.org/wiki/">'  # mwparserfromhtml refuses pages without one


def measure() -> str:
    """Return a table of pages per second; each parser reads every page, and the best round counts."""
    from mwparserfromhtml import Article

    from linkspot.parsing import parse
    from linkspot.records import Markup, Page

    def rival(html: str) -> object:
        article = Article(html)
        return list(article.get_plaintext()), article.wikistew.get_sections(), article.wikistew.get_wikilinks()

    pages = [page for page in read_pages() if _can_read(rival, _with_base(page))]
    based = [_with_base(page) for page in pages]
    unparsed = [Page("", page, Markup.HTML, "en") for page in pages]
    ours, theirs = _best_times((parse, unparsed), (rival, based))
    size = sum(map(len, pages)) / len(pages) / 1000
    return f"""{len(pages)} pages of Wikipedia for Schools ({size:.0f} kB on average), one core, best of {ROUNDS}
rounds. linkspot makes sections, sentences and links, each with its position in the markup; mwparserfromhtml makes
sections, plain text and links.

| parser | pages a second | relative |
| --- | ---: | ---: |
| linkspot | {len(pages) / ours:.0f} | {theirs / ours:.1f} × |
| mwparserfromhtml | {len(pages) / theirs:.0f} | 1 × |
"""


def _with_base(page: str) -> str:
    return page.replace("<head>", _BASE, 1)


def _can_read(parser: Callable[[str], object], page: str) -> bool:
    """Return whether the rival reads the page; on some of them mwparserfromhtml raises."""
    try:
        parser(page)
    except Exception:  # noqa: BLE001 - whatever the error is, the page is left out for both parsers
        return False
    return True


def read_pages() -> list[str]:
    """Return some real pages, evenly spread over the archive."""
    with tarfile.open(SCHOOLS) as tar:
        files = [tar.extractfile(member) for member in tar if member.name.endswith(".htm")]
        step = len(files) // PAGES
        return [file.read().decode("utf-8", "replace") for file in files[:: step or 1] if file][:PAGES]


def _best_times(*sides: tuple[Callable[[Any], object], list[Any]]) -> list[float]:
    """Return the best time of each side; they take turns, so that a noisy moment of the machine hits all of them."""
    best = [float("inf")] * len(sides)
    for _ in range(ROUNDS):
        for index, (parser, pages) in enumerate(sides):
            start = time.process_time()
            for page in pages:
                parser(page)
            best[index] = min(best[index], time.process_time() - start)
    return best
