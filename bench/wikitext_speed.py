"""Wikitext → Article, compared with mwparserfromhell's bare parse of the same pages, on one core."""

import time
from collections.abc import Callable

import mwparserfromhell

from bench.wikis import DATA, wikipedia
from linkspot.corpora.corpus import current_pages, open_corpus
from linkspot.parsing.wikitext import page as wikitext
from linkspot.records import Page

WIKIPEDIAS = ("bn", "ja", "uk", "vi")
PAGES = 150  # of each Wikipedia
ROUND = 100  # pages by turns, so that a noisy moment of the machine hits both


def measure() -> str:
    """Return a table of pages per second on two kinds of wiki."""
    dumps = sorted((DATA / "openttd").glob("*.xml.xz"))
    openttd = [page for dump in dumps for page in current_pages(open_corpus(dump))]
    articles = [page for language in WIKIPEDIAS for page in wikipedia(language, PAGES)]
    rows = [_row("the OpenTTD wiki, 24 languages", openttd), _row(f"Wikipedia, {', '.join(WIKIPEDIAS)}", articles)]
    return f"""One core, by turns. linkspot makes sections, sentences and links, each with its position in the markup;
`mwparserfromhell.parse` (default arguments) makes only a tree. The cost may be at most 2.

| pages of | pages | characters | linkspot, pages a second | mwparserfromhell | linkspot's cost / mwparserfromhell's |
| --- | ---: | ---: | ---: | ---: | ---: |
{"".join(rows)}"""


def _row(name: str, pages: list[Page]) -> str:
    ours = theirs = 0.0
    for start in range(0, len(pages), ROUND):
        turn = pages[start : start + ROUND]
        ours += _seconds(wikitext.parse, turn)
        theirs += _seconds(lambda page: mwparserfromhell.parse(page.text), turn)
    characters = sum(len(page.text) for page in pages)
    speeds = f"{len(pages) / ours:.0f} | {len(pages) / theirs:.0f} | {ours / theirs:.2f}"
    return f"| {name} | {len(pages):,} | {characters:,} | {speeds} |\n"


def _seconds(parse: Callable[[Page], object], pages: list[Page]) -> float:
    start = time.process_time()
    for page in pages:
        parse(page)
    return time.process_time() - start
