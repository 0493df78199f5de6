"""Two markups of its own: a paragraph on each line, and links like <<words -> Title>> or <<words -> path.sheet>>."""

import re
from collections.abc import Iterator
from dataclasses import replace

from linkspot.parsing.markup import MarkupKind, NewLink
from linkspot.parsing.prose import Prose
from linkspot.records import Article, LinkKind, Page
from linkspot.source_map import Span

_LINE = re.compile(r"[^\n]+")
_LINK = re.compile(r"<<([^<>\n]+) -> ([^<>\n]+)>>")


def parse(page: Page) -> Article:
    """Return the article of a note."""
    prose = Prose(page)
    for line in _LINE.finditer(page.text):
        position = line.start()
        for link in _LINK.finditer(page.text, *line.span()):
            prose.write(page.text[position : link.start()], position, link.start())
            mark = prose.mark()
            prose.write(link[1], *link.span(1))
            prose.link(mark, link[2], LinkKind.PAGE, Span(*link.span()), Span(*link.span(1)))
            position = link.end()
        prose.write(page.text[position : line.end()], position, line.end())
        prose.end_block()
    return prose.article()


def link_targets(page: Page) -> Iterator[str]:
    """Yield the titles that the note's links name."""
    return (target for _words, target in _LINK.findall(page.text))


def write_link(link: NewLink) -> str:
    """Return a link around the words."""
    return f"<<{link.words} -> {link.title or link.words}>>"


def write_addressed_link(link: NewLink) -> str:
    """Return a link around the words that holds an address."""
    return f"<<{link.words} -> {link.address}>>"


NOTE = MarkupKind(
    endings=(".note",),
    parse=parse,
    link_targets=link_targets,
    write_link=write_link,
    links_hold_titles=True,
    title_is_file_name=True,
    not_in_link="<>\n",
)

SHEET = replace(NOTE, endings=(".sheet",), write_link=write_addressed_link, links_hold_titles=False)
