"""Template languages inside Markdown: Hugo's shortcodes, Liquid's tags and outputs, kramdown's attribute lists."""

import re
from types import ModuleType, SimpleNamespace

from markdown_it import MarkdownIt, helpers
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from linkspot.parsing.markdown.dialects.hidden import hide

_LONGEST = 2_000  # characters of a tag; an unclosed one must not make the parser look through the whole page
_TAG = re.compile(r"\{\{<.*?>\}\}|\{\{%.*?%\}\}|\{\{.*?\}\}|\{%.*?%\}|\{:[^}]*\}", re.DOTALL)
_DESTINATION = re.compile(
    r"\{(?:\{[<%]|%)-?\s*(?:ref|relref|link|post_url)\s+(?:\"(?P<quoted>[^\"\n]*)\"|(?P<bare>[^\s>%]+))\s*-?(?:[>%]\}|%)\}"
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# What these enclose is code or is not shown at all.
_ENCLOSING = re.compile(r"\{(?:\{[<%]|%)-?\s*(?P<name>highlight|comment|mermaid|math|codeblock)\b")


def add(md: MarkdownIt) -> None:
    """Hide template tags, and what some of them enclose; take a link's target out of `{{< ref "page.md" >}}`."""
    md.inline.ruler.before("escape", "template_tag", _tag)
    md.block.ruler.before("fence", "template_enclosure", _enclosure, {"alt": ["paragraph", "reference", "list"]})
    md.helpers = _helpers()


def _helpers() -> ModuleType:
    """Return the library's functions for links, but for the one that reads a destination."""
    module = ModuleType(helpers.__name__)
    vars(module).update({**vars(helpers), "parseLinkDestination": _parse_destination})
    return module


def _tag(state: StateInline, silent: bool) -> bool:
    end = min(state.posMax, state.pos + _LONGEST)
    if state.src[state.pos] != "{" or state.src.find("}", state.pos, end) < 0:
        return False
    match = _TAG.match(state.src, state.pos, end)
    return hide(state, match, silent)


def _enclosure(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    start = state.bMarks[start_line] + state.tShift[start_line]
    match = _ENCLOSING.match(state.src, start, state.eMarks[start_line])
    if match is None or state.is_code_block(start_line):
        return False
    end = _closing_line(state, match["name"], start_line, end_line)
    if end is None:
        return False
    if not silent:
        state.line = end + 1
    return True


def _closing_line(state: StateBlock, name: str, start_line: int, end_line: int) -> int | None:
    # A search that failed is not repeated from each of the following lines.
    searched: dict[str, int] = state.env.setdefault("unclosed", {})
    if end_line <= searched.get(name, 0):
        return None
    closing = re.compile(rf"\{{(?:\{{[<%]|%)-?\s*(?:/\s*|end){name}\b")
    for line in range(start_line, end_line):
        if closing.search(state.src, state.bMarks[line], state.eMarks[line]):
            return line
    searched[name] = end_line
    return None


def _parse_destination(string: str, pos: int, maximum: int) -> object:
    """Read a link's destination like the library's function, which this replaces; template tags count as well."""
    match = _DESTINATION.match(string, pos, maximum)
    if match:
        return SimpleNamespace(ok=True, pos=match.end(), str=match["quoted"] or match["bare"] or "")
    destination = helpers.parseLinkDestination(string, pos, maximum)
    # The library reads any character behind a backslash as escaped; in CommonMark a line end stays a line end.
    control = _CONTROL.search(string, pos, destination.pos) if destination.ok else None
    if control is None:
        return destination
    if string[pos] != "<":
        return helpers.parseLinkDestination(string, pos, control.start())
    return SimpleNamespace(ok=False, pos=0, str="") if "\n" in string[pos : destination.pos] else destination
