"""MDN's macros: `{{domxref("Window.open")}}` shows words and links them; badges and sidebars show nothing."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from linkspot.parsing.character_references import resolved
from linkspot.remembering import remembered

_LONGEST = 2_000  # characters of a macro; an unclosed one must not make the parser look through the whole page
_MACRO = re.compile(
    r"\{\{\s*(?P<name>[A-Za-z][\w-]*)\s*"
    r"(?:\((?P<arguments>(?:[^\"'(){}]|\"[^\"]*\"|'[^']*')*)\)\s*)?\}\}"
)
_ARGUMENT = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)'|([^,]*))\s*(?:,|$)")

_JAVASCRIPT_CHAPTERS = frozenset(
    "Classes Deprecated_and_obsolete_features Errors Functions Global_Objects Iteration_protocols Lexical_grammar "
    "Operators Regular_expressions Statements Strict_mode Template_literals Trailing_commas".split()
)
# These share their name with a property or a plain selector, which has a page of its own.
_CSS_NAMESAKES = {
    "<color>": "color_value",
    "<flex>": "flex_value",
    "<overflow>": "overflow_value",
    "<position>": "position_value",
    "fit-content()": "fit-content_function",
    ":heading()": ":heading_function",
    ":host()": ":host_function",
}


@dataclass(frozen=True, slots=True)
class LinkMacro:
    """A macro that links: where its first argument leads, and the words that it shows unless others are given."""

    target: Callable[[str], str]
    words: Callable[[str], str] = str


def add(md: MarkdownIt) -> None:
    """Read macros: those that link become `macro` tokens, the others `hidden` ones."""
    md.inline.ruler.before("escape", "mdn_macro", _macro)


def is_mdn(text: str) -> bool:
    """Return whether the page calls a macro that only MDN has."""
    return _ONLY_IN_MDN.search(text) is not None


def _macro(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("{{", state.pos):
        return False
    match = _MACRO.match(state.src, state.pos, min(state.posMax, state.pos + _LONGEST))
    if match is None:
        return False
    if not silent:
        _push(state, match["name"].lower(), _arguments(match["arguments"] or ""))
    state.pos = match.end()
    return True


@remembered(entries=1 << 12, longest=256)  # most macros of a site are the same few
def macro_target(text: str) -> str:
    """Return where the macro at the beginning of the text leads, or nothing."""
    match = _MACRO.match(text, 0, _LONGEST)
    return _target(match["name"].lower(), _arguments(match["arguments"] or "")) if match else ""


def _push(state: StateInline, name: str, arguments: list[str]) -> None:
    target = _target(name, arguments)
    if not target:
        state.push("hidden", "", 0)
        return
    token = state.push("macro", "", 0)
    token.content = arguments[1] or LINK_MACROS[name].words(arguments[0])
    token.attrs = {"href": target}


def _target(name: str, arguments: list[str]) -> str:
    macro = LINK_MACROS.get(name)
    if macro is None or not arguments[0]:
        return ""
    anchor = arguments[2].removeprefix("#")
    return macro.target(arguments[0]) + (f"#{anchor}" if anchor else "")


def _arguments(text: str) -> list[str]:
    """Return at least three arguments, without their quotation marks; those that are not given are empty."""
    arguments = [resolved(next(filter(None, match.groups()), "")).strip() for match in _ARGUMENT.finditer(text)]
    return [*arguments, "", "", ""]


def _under(root: str) -> Callable[[str], str]:
    return lambda name: f"/docs/{root}/{name.replace(' ', '_')}"


def _interface(root: str) -> Callable[[str], str]:
    return lambda name: f"/docs/{root}/{_path(name)}"


def _path(name: str) -> str:
    """Return the path of a member: `Array.prototype.at()` is at `Array/at`."""
    return name.replace("()", "").replace(".prototype.", ".").replace(" ", "_").replace(".", "/")


def _javascript(name: str) -> str:
    if name.split("/")[0] in _JAVASCRIPT_CHAPTERS:
        return f"/docs/Web/JavaScript/Reference/{name.replace('()', '')}"
    return f"/docs/Web/JavaScript/Reference/Global_Objects/{_path(name)}"


def _css(name: str) -> str:
    slug = _CSS_NAMESAKES.get(name) or name.strip("<>").replace("()", "")
    if name.startswith("@"):
        chapter = "At-rules"
    elif name.startswith(":"):
        chapter = "Selectors"
    elif name.startswith("<") or "()" in name or "/" in name:
        chapter = "Values"
    else:
        chapter = "Properties"
    return f"/docs/Web/CSS/Reference/{chapter}/{slug}"


def _html_element(name: str) -> str:
    slug = "Heading_Elements" if re.fullmatch("h[1-6]", name) else name
    return f"/docs/Web/HTML/Reference/Elements/{slug}"


def _tag(name: str) -> str:
    return name if " " in name else f"<{name}>"


def _rfc(number: str) -> str:
    return f"https://datatracker.ietf.org/doc/html/rfc{number}"


LINK_MACROS = {
    "csp": LinkMacro(_under("Web/HTTP/Reference/Headers/Content-Security-Policy")),
    "cssxref": LinkMacro(_css),
    "domxref": LinkMacro(_interface("Web/API")),
    "glossary": LinkMacro(_under("Glossary")),
    "htmlelement": LinkMacro(_html_element, _tag),
    "httpheader": LinkMacro(_under("Web/HTTP/Reference/Headers")),
    "httpmethod": LinkMacro(lambda name: f"/docs/Web/HTTP/Reference/Methods/{name.upper()}"),
    "httpstatus": LinkMacro(_under("Web/HTTP/Reference/Status")),
    "jsxref": LinkMacro(_javascript),
    "livesamplelink": LinkMacro(lambda name: f"#{name}"),
    "mathmlelement": LinkMacro(_under("Web/MathML/Reference/Element"), _tag),
    "rfc": LinkMacro(_rfc, lambda number: f"RFC {number}"),
    "svgattr": LinkMacro(_under("Web/SVG/Reference/Attribute")),
    "svgelement": LinkMacro(_under("Web/SVG/Reference/Element"), _tag),
    "webextapiref": LinkMacro(_interface("Mozilla/Add-ons/WebExtensions/API")),
}
_ONLY_IN_MDN = re.compile(rf"\{{\{{\s*(?:{'|'.join(LINK_MACROS)}|compat|specifications)\b", re.IGNORECASE)
