"""HTML tags inside a Markdown paragraph: which of them belong together, and what they do to the text between them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from markdown_it.token import Token

_TAG = re.compile(r"<(?P<slash>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*)(?P<attributes>[^>]*)>", re.DOTALL)
_DESTINATION = re.compile(r"\shref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_CONCEALING = frozenset("button math object script select style svg template textarea".split())
_MARKDOWN = "*"  # stands for an element of Markdown, which tags may not cross
_DEEPEST = 64  # open tags that a closing one is compared with


class Tag(NamedTuple):
    """A tag: its name, whether it closes an element, and where it leads if it is a link's."""

    name: str
    closes: bool = False
    target: str = ""

    @property
    def conceals(self) -> bool:
        """Whether the content of the element is not prose."""
        return self.name in _CONCEALING


def read_tag(markup: str) -> Tag:
    """Return the tag in this markup; a comment or declaration gives a tag without a name.

    An address has no line ends, as in a browser, and no blanks around them: how a list is indented does not matter.
    """
    match = _TAG.match(markup)
    if match is None:
        return Tag("")
    name = match["name"].lower()
    destination = _DESTINATION.search(match["attributes"]) if name == "a" else None
    target = next(filter(None, destination.groups()), "") if destination else ""
    return Tag(name, bool(match["slash"]), "".join(line.strip() for line in target.split("\n")))


def tag_pairs(tokens: Sequence[Token]) -> dict[int, int]:
    """Return each opening tag's index with its closing tag's; tags do not pair across Markdown's elements."""
    pairs: dict[int, int] = {}
    open_tags: list[tuple[str, int]] = []
    for index, token in enumerate(tokens):
        if token.type == "html_inline":
            tag = read_tag(token.content)
            if tag.closes:
                _close(tag.name, index, open_tags, pairs)
            elif tag.name not in _VOID and not token.content.endswith("/>"):
                open_tags.append((tag.name, index))
        elif token.nesting > 0:
            open_tags.append((_MARKDOWN, index))
        elif token.nesting < 0:
            while open_tags.pop()[0] != _MARKDOWN:
                continue
    return pairs


def _close(name: str, index: int, open_tags: list[tuple[str, int]], pairs: dict[int, int]) -> None:
    for depth in range(1, min(len(open_tags), _DEEPEST) + 1):
        candidate, opening = open_tags[-depth]
        if candidate == _MARKDOWN:
            return
        if candidate == name:
            pairs[opening] = index
            del open_tags[-depth:]
            return
