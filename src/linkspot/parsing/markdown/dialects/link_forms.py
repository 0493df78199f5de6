"""Forms of links that dialects of Markdown have besides the usual one: MDN's macros, and wiki links."""

import re
from collections.abc import Iterator

from linkspot.parsing.markdown.dialects.mdn import LINK_MACROS
from linkspot.remembering import remembered

WIKI = "wiki"
# The capitals that MDN's pages use; the other macros have none.
_SPELLINGS = {
    name.lower(): name
    for name in "CSP Glossary HTMLElement HTTPHeader HTTPMethod HTTPStatus MathMLElement SVGAttr SVGElement "
    "WebExtAPIRef".split()
}
_MACRO = re.compile(r"\{\{\s*([A-Za-z][\w-]*)")
_LOCALE = re.compile(r"^/[\w-]+(?=/docs/)")
_DOCS = "/docs/"
_MOST_NAMES = 3  # of a page's slug in the argument of a macro: Array.prototype.at
_NOT_CODE = frozenset({"glossary", "livesamplelink", "rfc"})  # the other macros show their words as code
_SHOW_TAGS = frozenset({"htmlelement", "mathmlelement", "svgelement"})
_TYPE = re.compile(r"<([\w-]+)>")  # of CSS, as a macro's argument names it
_INLINE_LINK = re.compile(r"\[([^\[\]]*)\]\(")
# In words that such a link shows as they are: what Markdown would read, or what ends a macro's argument.
_MARKED = re.compile(r"[\"\\`*\[\]{}<>|~$^&\x00-\x1f\x7f-\x9f]|(?<![^\W_])_|_(?![^\W_])|:(?=//)")
_NOT_IN_PAGES = re.compile(r"[\[\]|#^\\{}<>\x00-\x1f\x7f-\x9f]")


def link_form(markup: str) -> str:
    """Return the form of a link: a macro's name as it is spelled, "wiki", or nothing for the usual links and tags."""
    if markup.startswith("[[") and markup.endswith("]]"):
        return WIKI
    macro = _MACRO.match(markup)
    return macro[1] if macro and macro[1].lower() in LINK_MACROS else ""


@remembered(entries=1 << 12, longest=256)
def macros_for(address: str) -> tuple[str, ...]:
    """Return the names of the macros that can link this address."""
    return tuple(_SPELLINGS.get(name, name) for name in LINK_MACROS if _argument(name, address))


def shows_code(name: str) -> bool:
    """Return whether the macro with this name shows its words as code."""
    return name.lower() in LINK_MACROS and name.lower() not in _NOT_CODE


def inline_words(markup: str) -> str:
    """Return the markup of the words in an inline link, or nothing for a link of another form."""
    link = _INLINE_LINK.match(markup)
    return link[1] if link else ""


def macros_instead(markup: str, target: str) -> tuple[str, ...]:
    """Return the names of the macros that could link the same words as this ordinary link to the same target."""
    if "#" in target:  # macros can lead to a part of a page, but pages hardly ever use that
        return ()
    words = inline_words(markup)
    return tuple(name for name in macros_for(target) if macro_link(name, target, words))


def macro_link(name: str, address: str, words: str) -> str:
    """Return a macro that links these words, which are markup, or nothing if it cannot show them as they are."""
    macro = LINK_MACROS.get(name.lower())
    is_code = len(words) > 2 and words[0] == words[-1] == "`" and "`" not in words[1:-1]
    if macro is None or is_code != shows_code(name):
        return ""
    shown = words[1:-1] if is_code else words
    is_plain = bool(shown.strip()) and not _MARKED.search(shown)
    is_name = is_plain or (is_code and _TYPE.fullmatch(shown))
    says_target = is_name and macro.target(shown) == macro_target(address)
    argument = shown if says_target else _argument(name.lower(), address)
    if not argument or '"' in argument:
        return ""
    if macro.words(argument) == shown:
        return f'{{{{{name}("{argument}")}}}}'
    if name.lower() in _SHOW_TAGS:  # MDN writes `type`, a part of <input>, as an ordinary link
        return ""
    return f'{{{{{name}("{argument}", "{shown}")}}}}' if is_plain else ""


def macro_target(address: str) -> str:
    """Return the target of a macro that links this address: macros leave out the locale."""
    return _LOCALE.sub("", address)


def wiki_link(address: str, words: str) -> str:
    """Return a wiki link to a page, or nothing if its name or the words cannot stand in one."""
    is_plain = bool(words.strip()) and not _MARKED.search(words)
    if not is_plain or not address.strip() or _NOT_IN_PAGES.search(address):
        return ""
    return f"[[{address}]]" if address == words else f"[[{address}|{words}]]"


def _argument(name: str, address: str) -> str:
    """Return the argument by which a macro links this address, or nothing if none does."""
    target = macro_target(address)
    if not target.startswith(_DOCS):
        return ""
    macro = LINK_MACROS[name]
    fitting = (argument for argument in _arguments(target) if macro.target(argument) == target)
    # No tag has a slash: input/color is a kind of <input>.
    return next((argument for argument in fitting if name not in _SHOW_TAGS or "/" not in argument), "")


def _arguments(target: str) -> Iterator[str]:
    names = target.removeprefix(_DOCS).split("/")
    for count in range(1, min(_MOST_NAMES, len(names)) + 1):
        last = names[-count:]
        yield from (".".join(last), "/".join(last))
    yield from (f"<{names[-1]}>", f"{names[-1]}()", names[-1].replace("_", " "))
