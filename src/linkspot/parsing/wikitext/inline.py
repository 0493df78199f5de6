"""The text of one paragraph or list item of wikitext: links, tags, entities, as mwparserfromhell finds them."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import mwparserfromhell
from mwparserfromhell.nodes import ExternalLink, Heading, HTMLEntity, Tag, Text, Wikilink
from mwparserfromhell.wikicode import Wikicode

from linkspot.parsing.character_references import resolved
from linkspot.parsing.namespaces import is_interwiki, namespace_of
from linkspot.parsing.prose import Prose
from linkspot.parsing.wikitext.link_trails import link_trail
from linkspot.parsing.wikitext.mask import COMMENT, EXTRA_NAMESPACES, HIDDEN
from linkspot.parsing.wikitext.quotes import QuoteRun, Quotes, quote_runs
from linkspot.records import LinkKind
from linkspot.remembering import remembered
from linkspot.source_map import Span

_MASKED = re.compile(f"[{HIDDEN}{COMMENT}]+")
_SHOWN = re.compile(f"[^{HIDDEN}{COMMENT}]+")
_BEHIND_ADDRESS = r"\x00-\x20\x7f\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"  # where MediaWiki ends one
_NEEDS_NODES = re.compile(rf"[\[<&]|:(?=[^{_BEHIND_ADDRESS}])")
_ADDRESS_OR_TEXT = re.compile(rf"[^{_BEHIND_ADDRESS}]+|[{_BEHIND_ADDRESS}]+[^{_BEHIND_ADDRESS}]*")
_EMPTY_ADDRESS = re.compile(r"[^:]*:(?://)?")
_BRACKETS = re.compile(
    r"<(?P<slash>/?)(?!(?:br|hr|wbr|li|d[td]|t[rdh])\b)(?P<tag>[a-z]+)(?![^<>]*/>)|(?P<opening>\[)|\]", re.IGNORECASE
)
# With more brackets and tags in one block that do not nest, the library's attempts at each of them add up:
# a block of 20,000 <b> takes it 9 seconds, of 40,000 four times as long.
_MOST_MISFITS = 20

_SPECIAL = re.compile(
    rf"(?P<hidden>[{HIDDEN}{COMMENT}]+|~{{3,}}|\[\[+|\]\]+|\{{\{{+|\}}\}}+)|(?P<quotes>'{{2,}})"
    r"|__(?P<switch>[^\W\d_]+)__|</?(?P<tag>[A-Za-z][A-Za-z0-9]*)[^<>]*>"
)
_BREAKS = frozenset(
    "br hr p div center ul ol li dl dt dd table caption tbody thead tr td th section poem gallery blockquote"
    " h1 h2 h3 h4 h5 h6 noinclude onlyinclude includeonly translate languages references".split()
)
_INLINE = frozenset(
    "abbr b bdi bdo big cite code data del dfn em font i ins kbd mark math nowiki pre q rb ref rp rt rtc ruby s samp"
    " small source span strike strong sub sup syntaxhighlight time tt tvar u var wbr".split()
)

_UNCUT = frozenset({"code", "kbd", "nowiki", "samp", "tt", "var"})  # no link can stand inside, or none should

_BEFORE_SHOWN_TITLE = re.compile(r"\s*:?\s*")
_PIPE_TRICK = re.compile(r"\s*+:?(?:[^:|]*+:)?+\s*+(?P<shown>[^(,（，]*+)")


class Inline:
    """Writes the text of masked wikitext into prose, block by block."""

    def __init__(self, prose: Prose, language: str) -> None:
        self._prose = prose
        self._language = language
        self._trail = link_trail(language)
        self._is_in_link = False
        self._runs: Mapping[int, QuoteRun] = {}
        self._read: dict[type, Callable[[Any, int, int], None]] = {
            ExternalLink: self._external_link,
            Heading: self._equals_signs,
            HTMLEntity: self._entity,
            Tag: self._tag,
        }

    def write(self, markup: str, start: int) -> None:
        """Write the words that the markup of one block shows; it begins at this position of the page."""
        self._runs = quote_runs(markup, start) if "''" in markup else {}
        if not _NEEDS_NODES.search(markup):
            self._text(markup, start, Quotes(self._prose, self._runs))
        elif not _is_hopeless(markup):
            self._nodes(mwparserfromhell.parse(markup, skip_style_tags=True).nodes, start)
        elif "\n" in markup.rstrip("\n"):
            for line in markup.splitlines(keepends=True):
                self.write(line, start)
                start += len(line)
        else:
            mark = self._prose.mark()
            self._text(markup, start, Quotes(self._prose, self._runs))
            self._prose.close(mark)  # since no link is read here

    def _nodes(self, nodes: Sequence[Any], position: int) -> None:
        quotes, nodes = Quotes(self._prose, self._runs), _with_ended_addresses(nodes)
        taken = 0  # characters of the next node that are the trail of the link before it
        for index, node in enumerate(nodes):
            if isinstance(node, Text):
                self._text(node.value[taken:], position + taken, quotes)
                position += len(node.value)
                taken = 0
                continue
            end = position + len(str(node))
            if isinstance(node, Wikilink):
                trail = self._trail_after(nodes, index)
                taken = len(trail)
                self._wikilink(node, position, end, trail)
            else:
                self._read.get(type(node), self._hidden)(node, position, end)
            position = end

    def _text(self, text: str, position: int, quotes: Quotes) -> None:
        done = looked = 0
        while match := _SPECIAL.search(text, looked):
            if not _is_markup(match):
                looked = match.start() + 1  # what looks like a tag and is none may hold what is hidden
                continue
            start, end = position + match.start(), position + match.end()
            self._prose.write(text[done : match.start()], position + done, start)
            done = looked = match.end()
            if match["quotes"]:
                quotes.read(start)
            elif match["tag"] and match["tag"].lower() in _BREAKS:
                self._break(start, end)
            else:
                self._prose.skip(start, end)
        self._prose.write(text[done:], position + done, position + len(text))

    def _wikilink(self, link: Wikilink, start: int, end: int, trail: str) -> None:
        title = str(link.title)
        inner = Span(start + len("[["), end - len("]]"))
        mark = self._prose.mark()
        if link.text is None:
            before = _BEFORE_SHOWN_TITLE.match(title)
            self._label(link.title.nodes, inner.start, before.end() if before else 0)
        elif not link.text.nodes:
            self._pipe_trick(title, inner.start)
        else:
            inner = Span(inner.start + len(title) + len("|"), inner.end)
            self._label(link.text.nodes, inner.start)
        self._prose.write(trail, end, end + len(trail))
        target = resolved(_MASKED.sub("", title)).strip()
        holds_links = link.text is not None and any(isinstance(node, Wikilink) for node in link.text.nodes)
        if target and not holds_links:
            kind = _kind(target.lstrip(": ").partition(":")[0], self._language) if ":" in target else LinkKind.PAGE
            self._prose.link(mark, target, kind, Span(start, end + len(trail)), inner)
        else:
            self._prose.close(mark)

    def _label(self, nodes: Sequence[Any], position: int, hidden: int = 0) -> None:
        """Write a link's words without their first `hidden` characters; a line break in them is a space."""
        was_in_link, self._is_in_link = self._is_in_link, True
        first = nodes[0] if nodes else None
        if hidden and isinstance(first, Text):
            nodes = [Text(first.value[hidden:]), *nodes[1:]]
            position += hidden
        self._nodes(nodes, position)
        self._is_in_link = was_in_link

    def _pipe_trick(self, title: str, position: int) -> None:
        """Write what MediaWiki would have made of [[Help:Mercury (planet)|]] when the page was saved: Mercury."""
        shown = _PIPE_TRICK.match(title)
        if shown:
            words = shown["shown"].rstrip()
            self._text(words, position + shown.start("shown"), Quotes(self._prose, self._runs))

    def _trail_after(self, nodes: Sequence[Any], index: int) -> str:
        following = nodes[index + 1] if index + 1 < len(nodes) else None
        if not isinstance(following, Text):
            return ""
        trail = self._trail.match(following.value)
        return trail.group() if trail else ""

    def _external_link(self, link: ExternalLink, start: int, end: int) -> None:
        if link.title is None or not link.brackets:
            self._hidden(link, start, end)  # a bare address, or a number in brackets
            return
        mark = self._prose.mark()
        inner = Span(end - len("]") - len(str(link.title)), end - len("]"))
        self._label(link.title.nodes, inner.start)
        self._prose.link(mark, str(link.url), LinkKind.EXTERNAL, Span(start, end), inner)

    def _equals_signs(self, heading: Heading, start: int, end: int) -> None:
        """Write what the library takes for a heading; real ones are not in a block, since they fill their line."""
        quotes, signs = Quotes(self._prose, self._runs), "=" * heading.level
        self._text(signs, start, quotes)
        self._nodes(heading.title.nodes, start + len(signs))
        self._text(signs, end - len(signs), quotes)

    def _entity(self, entity: HTMLEntity, start: int, end: int) -> None:
        character = resolved(str(entity))
        if character:
            self._prose.write(character, start, end)
        else:
            self._prose.skip(start, end)

    def _tag(self, tag: Tag, start: int, end: int) -> None:
        name = str(tag.tag).strip().lower()
        if name in _BREAKS and not tag.wiki_markup:
            self._break(start, start)
        if tag.wiki_markup and tag.self_closing:
            self._text(str(tag), start, Quotes(self._prose, self._runs))  # the mark of a list inside of a line is text
        elif tag.wiki_markup or tag.self_closing or any("display" in str(value) for value in tag.attributes):
            self._hidden(tag, start, end)  # a table, <wbr>, text that a style hides
        else:
            inner_end = end - len(f"</{tag.closing_tag}>")
            inner = Span(inner_end - len(str(tag.contents)), inner_end)
            mark = self._prose.mark()
            if name == "nowiki":
                self._verbatim(tag.contents.nodes, inner.start)
            else:
                self._nodes(tag.contents.nodes, inner.start)
            if name in _UNCUT:
                self._prose.seal(mark, Span(start, end))
            else:
                self._prose.element(mark, Span(start, end), inner)
        if name in _BREAKS and not tag.wiki_markup:
            self._break(end, end)

    def _verbatim(self, nodes: Sequence[Any], position: int) -> None:
        for node in nodes:
            markup = str(node)
            end = position + len(markup)
            if isinstance(node, HTMLEntity):
                self._entity(node, position, end)
            else:
                for shown in _SHOWN.finditer(markup):
                    self._prose.write(shown.group(), position + shown.start(), position + shown.end())
            position = end

    def _hidden(self, _node: object, start: int, end: int) -> None:
        self._prose.skip(start, end)

    def _break(self, start: int, end: int) -> None:
        if self._is_in_link:
            self._prose.write(" ", start, end)
        else:
            self._prose.end_block()


def _with_ended_addresses(nodes: Sequence[Any]) -> Sequence[Any]:
    """Return the nodes, with bare addresses that end at any blank; the library ends them at spaces and lines only."""
    ended = []
    for node in nodes:
        is_address = isinstance(node, ExternalLink) and not node.brackets
        address, *texts = _ADDRESS_OR_TEXT.findall(str(node)) if is_address else ("",)
        if not texts:
            ended.append(node)
            continue
        shown = Text(address)
        ended.append(shown if _EMPTY_ADDRESS.fullmatch(address) else ExternalLink(Wikicode([shown]), brackets=False))
        for text in texts:
            ended += mwparserfromhell.parse(text, skip_style_tags=True).nodes
    return ended


def _is_markup(match: re.Match[str]) -> bool:
    """Return whether it is a behaviour switch or a tag; MediaWiki shows words like __init__ and <username>."""
    if match["switch"]:
        return match["switch"] == match["switch"].upper()
    return not match["tag"] or match["tag"].lower() in _BREAKS | _INLINE


def _is_hopeless(markup: str) -> bool:
    """Return whether the library would read the block many times over, for brackets and tags that do not nest."""
    opened: list[str] = []
    number_opened: Counter[str] = Counter()
    misfits = 0
    for match in _BRACKETS.finditer(markup):
        kind = (match["tag"] or "[").lower()
        if match["opening"] or match["slash"] == "":
            opened.append(kind)
            number_opened[kind] += 1
        elif opened and opened[-1] == kind:
            number_opened[opened.pop()] -= 1
        elif number_opened[kind]:  # it closes an outer one; a closing without an opening does no harm
            misfits += 1
    return len(opened) + misfits > _MOST_MISFITS


@remembered(entries=4096, longest=128)
def _kind(prefix: str, language: str) -> LinkKind:
    title = f"{prefix}:"
    if namespace_of(title, language, EXTRA_NAMESPACES) is not None:
        return LinkKind.NAMESPACE
    return LinkKind.INTERWIKI if is_interwiki(title, language) else LinkKind.PAGE
