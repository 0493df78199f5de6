"""Pages of wikitext parsed in a second, beside mwparserfromhell's bare parse of the same pages in the same run.

Run: python bench/wikitext_speed.py DUMP.xml.xz … (MediaWiki exports; the last revision of each page counts).
"""

import argparse
import lzma
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import mwparserfromhell

from linkspot.parsing import wikitext
from linkspot.records import Markup, Page

ROUND = 200  # pages by turns, so that a busy machine slows both sides alike


def pages_of(path: Path) -> Iterator[Page]:
    """Yield the last revision of each page; a dump that is cut off ends with its last whole page."""
    language = path.name.removeprefix("openttd-")[:2]
    title = text = ""
    with lzma.open(path) as dump:
        parser = ET.XMLPullParser()
        for line in dump:
            parser.feed(line)
            for _, element in parser.read_events():
                match element.tag.rpartition("}")[2]:
                    case "title":
                        title = element.text or ""
                    case "text":
                        text = element.text or ""
                    case "page":
                        yield Page(title, text, Markup.WIKITEXT, language)
                        element.clear()


def seconds(parse: Callable[[Page], object], pages: list[Page]) -> float:
    """Return how long it takes to parse the pages."""
    start = time.perf_counter()
    for page in pages:
        parse(page)
    return time.perf_counter() - start


def main() -> int:
    """Print both speeds and their ratio; fail if ours costs more than twice the bare parse."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dumps", nargs="+", type=Path)
    parser.add_argument("--pages", type=int, default=sys.maxsize, help="at most so many of each dump")
    arguments = parser.parse_args()
    pages = [page for dump in arguments.dumps for page, _ in zip(pages_of(dump), range(arguments.pages), strict=False)]
    ours = bare = 0.0
    for start in range(0, len(pages), ROUND):
        turn = pages[start : start + ROUND]
        ours += seconds(wikitext.parse, turn)
        bare += seconds(lambda page: mwparserfromhell.parse(page.text), turn)
    characters = sum(len(page.text) for page in pages)
    print(f"{len(pages):,} pages, {characters:,} characters")
    for name, spent in (("linkspot, to sentences and links", ours), ("mwparserfromhell.parse alone", bare)):
        print(f"{name:34}{len(pages) / spent:8.0f} pages/s {characters / spent / 1e6:6.2f} M characters/s")
    print(f"cost of linkspot / cost of the bare parse: {ours / bare:.2f} (at most 2)")
    return int(ours > 2 * bare)


if __name__ == "__main__":
    sys.exit(main())
