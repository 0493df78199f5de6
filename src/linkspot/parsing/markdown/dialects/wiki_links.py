"""Wiki links: `[[Page]]`, `[[Page#heading]]`, `[[Page|words]]`, and `![[embedded]]` pages, which show no words here."""

import re

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_inline import StateInline

from linkspot.parsing.markdown.dialects.hidden import hide

_LINK = re.compile(r"\[\[(?P<target>[^\[\]|\n]+)(?:\|(?P<words>[^\[\]\n]+))?\]\]")
_LONGEST = 500  # characters of a link
_CONTENTS = frozenset({"toc", "_toc_"})


def add(md: MarkdownIt) -> None:
    """Read links in double brackets, as Obsidian and MediaWiki write them: the page first, then the words."""
    md.inline.ruler.before("link", "wiki_link", _link)
    md.inline.ruler.before("image", "wiki_embed", _embed)


def _link(state: StateInline, silent: bool) -> bool:
    match = _match(state, state.pos)
    if match is None or state.linkLevel > 0:
        return False
    if not silent:
        _push(state, match)
    state.pos = match.end()
    return True


def _embed(state: StateInline, silent: bool) -> bool:
    match = _match(state, state.pos + 1) if state.src[state.pos] == "!" else None
    return hide(state, match, silent)


def _match(state: StateInline, start: int) -> re.Match[str] | None:
    match = _LINK.match(state.src, start, min(state.posMax, start + _LONGEST))
    if match is None or not match["target"].strip():
        return None
    # `[[1]](page.md)` and a label that the page defines are Markdown's own links.
    is_markdown = state.src[match.end() : match.end() + 1] in {"(", "["}
    is_label = normalizeReference(match["target"]) in state.env.get("references", {})
    return None if is_markdown or is_label else match


def _push(state: StateInline, match: re.Match[str]) -> None:
    if match["target"].strip().lower() in _CONTENTS:
        state.push("hidden", "", 0)
        return
    start, end = match.span("words") if match["words"] else match.span("target")
    opening = state.push("link_open", "a", 1)
    opening.attrs = {"href": match["target"].strip()}
    opening.info = "wiki"
    opening.map = [match.start(), start]
    text = state.push("text", "", 0)
    text.content = state.src[start:end]
    text.map = [start, end]
    state.push("link_close", "a", -1).map = [end, match.end()]
