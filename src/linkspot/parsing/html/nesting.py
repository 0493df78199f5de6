"""How deep the elements of an HTML page are nested, told from its tags before a tree is built.

The tree builder looks through the open elements at many tags, so that its time grows with the square of the depth. This
follows its rules for tags without an end closely enough that sloppy pages are not taken for deep ones.
"""

from collections import Counter, defaultdict
from collections.abc import Set

from linkspot.errors import TooLarge
from linkspot.limits import LIMITS, Limits
from linkspot.parsing.html.source import HtmlSource, opens_inline, tag_name
from linkspot.remembering import remembered

# Begun anew in the next paragraph if their own ends before they do.
_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
_EMPTY = frozenset({"br", "hr"})
_MOST_EQUAL = 3  # of equal tags of formatting that are begun anew
_NEVER_IN_ITSELF = frozenset({"a", "nobr"})

_SECTIONS = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer h1 h2 h3 h4 h5"
    " h6 header hgroup listing main menu nav ol pre search section summary ul".split()
)
_ENDS_PARAGRAPH = _SECTIONS | frozenset("p li dd dt form hr table plaintext xmp".split())
_BORDERS = frozenset("table td th caption object template marquee applet button svg math".split())
_SPECIAL = _SECTIONS | _BORDERS | frozenset("p li dd dt form select option tr thead tbody tfoot body head html".split())
_FOREIGN = frozenset({"svg", "math"})

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_PARAGRAPH = frozenset({"p"})
_LIST_BORDERS = _SPECIAL - {"address", "div", "p"}
_TABLE = frozenset({"table"})
_CELLS, _ROW = frozenset({"td", "th"}), frozenset({"td", "th", "tr"})
_ROWS = _ROW | {"thead", "tbody", "tfoot", "caption", "colgroup"}
# What an opening tag ends, and what stops it from ending more: <li> ends the item before it, but none around its list.
_ENDS_BEFORE: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), _LIST_BORDERS - {"li"}),
    "dd": (frozenset({"dd", "dt"}), _LIST_BORDERS - {"dd", "dt"}),
    "dt": (frozenset({"dd", "dt"}), _LIST_BORDERS - {"dd", "dt"}),
    "option": (frozenset({"option"}), _SPECIAL - {"option"}),
    "td": (_CELLS, _TABLE),
    "th": (_CELLS, _TABLE),
    "tr": (_ROW, _TABLE),
    **dict.fromkeys(_HEADINGS, (_HEADINGS, _SPECIAL - _HEADINGS)),
    **dict.fromkeys(("thead", "tbody", "tfoot", "caption", "colgroup"), (_ROWS, _TABLE)),
}


def check_nesting(source: HtmlSource, limits: Limits = LIMITS) -> None:
    """Raise TooLarge if the page's tree would be too deep or too large."""
    tags = source.pieces[1::2]
    if sum(tag[1] != "/" for tag in tags) <= limits.page_nesting:
        return
    opened = _OpenElements()
    for tag in tags:
        name, is_end = _read(tag)
        if is_end:
            opened.end(name)
        elif name:
            opened.begin(name, tag)
            if len(opened.names) > limits.page_nesting or opened.repeats > limits.page_repeats:
                raise TooLarge(
                    f"the page's elements are nested more than {limits.page_nesting} deep, or too many like <b> have "
                    "no end; expected a page that browsers show as it is: close the elements that it opens",
                    f"a page with elements more than {limits.page_nesting} deep, or too many without an end",
                )


@remembered(entries=4096, longest=512)  # most tags of a page are the same few
def _read(tag: str) -> tuple[str, bool]:
    """Return the name of an element's tag, and whether it is an end tag; no name for what has no content."""
    is_end, name = tag.startswith("</"), tag_name(tag)
    return (name if is_end or (opens_inline(tag) and name not in _EMPTY) else "", is_end)


class _OpenElements:
    """The elements that are open at one point of a page."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.repeats = 0  # elements that were begun anew
        self._counts: Counter[str] = Counter()
        self._formatting: defaultdict[str, list[str]] = defaultdict(list)  # tags without an end so far, by their names
        self._number_formatting = 0
        self._foreign = 0

    def begin(self, name: str, tag: str) -> None:
        """Note an opening tag, and what it ends."""
        if name in _FORMATTING:
            self._begin_formatting(name, tag)
        elif name in _SPECIAL:
            self.repeats += self._number_formatting
            self._foreign += name in _FOREIGN
            if not self._foreign:
                if name in _ENDS_BEFORE:
                    self._end_first(*_ENDS_BEFORE[name])
                if name in _ENDS_PARAGRAPH and self._counts["p"]:
                    self._end_first(_PARAGRAPH, _BORDERS)
        self.names.append(name)
        self._counts[name] += 1

    def end(self, name: str) -> None:
        """Note an end tag; that of a block ends all elements in it, that of formatting only its own."""
        if name in _FORMATTING:
            if self._formatting[name]:
                self._formatting[name].pop()
                self._number_formatting -= 1
            self._remove(name)
        elif name in _SPECIAL:
            self.repeats += self._number_formatting
            if name == "form":
                self._remove(name)
            else:
                self._end_first({name}, _TABLE if name in _ROWS else _BORDERS - {name})
        else:
            self._end_first({name}, _SPECIAL)

    def _begin_formatting(self, name: str, tag: str) -> None:
        if name in _NEVER_IN_ITSELF and self._formatting[name] and not self._foreign:
            self.end(name)
        if self._formatting[name].count(tag) < _MOST_EQUAL:
            self._formatting[name].append(tag)
            self._number_formatting += 1

    def _end_first(self, names: Set[str], borders: Set[str]) -> None:
        """End the innermost of these elements, with all in it, unless a border is around it."""
        if not any(self._counts[name] for name in names):
            return
        for place in range(len(self.names) - 1, -1, -1):
            if self.names[place] in names:
                for name in self.names[place:]:
                    self._counts[name] -= 1
                    self._foreign -= name in _FOREIGN
                del self.names[place:]
                return
            if self.names[place] in borders:
                return

    def _remove(self, name: str) -> None:
        if self._counts[name]:
            self._counts[name] -= 1
            place = len(self.names) - 1
            while self.names[place] != name:
                place -= 1
            del self.names[place]
