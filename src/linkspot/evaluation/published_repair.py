"""Repairs of the published windows, right and wrong ones alike, so that no seam gives the answer away.

For a link that came with new text, the released code joined what stood before and behind it without a space
("…end.Start…"), and only there: all other sentences it joined with one. It also normalised white space in right windows
only. Both give the answer away, so here white space is normalised everywhere and joints are fixed. Two hints
stay: such a right window has at most ten sentences, others up to eleven; and a wrong one has more than ten words.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

from linkspot.examples.published_rows import PublishedQuery
from linkspot.text import sentences
from linkspot.text.scripts import is_spaceless

_WORD = re.compile(r"\S+")
_SIDE = 12  # characters on each side that make two joints the same; with 8, parts of longer words look like joints
_EDGE = "\0"  # of a text: its first and last words have few neighbours, but this one
_OPENING = "\"'“„«‘¿¡"
# A sign that may end a sentence, and a word at once: splitting takes far longer than looking whether there is any.
_MAY_TOUCH = re.compile(rf"[^\w\s,;:/(\[’-][{_OPENING}]*\w")
_ADDRESS = re.compile(r"\S*(?:://|www\.|@)\S*", re.IGNORECASE)
_FULL_WIDTH = "\u3000"  # stops from here on leave no space behind them


def repaired(query: PublishedQuery) -> PublishedQuery:
    """Return the query with the joints and white space of all its windows fixed; no window is dropped or moved.

    A wrong window that differed from the right one only by its seam becomes its twin, and so is right too.
    """
    normalised = [_normalised(window.text) for window in query.windows]
    joints = _Joints([*normalised, _normalised(query.source_lead)])
    texts = [
        repair_seams(joints.fix(_below_heading(text, window.section)), query.language)
        for text, window in zip(normalised, query.windows, strict=True)
    ]
    windows = (replace(window, text=text) for text, window in zip(texts, query.windows, strict=True))
    return replace(query, windows=tuple(windows))


def repair_seams(text: str, language: str) -> str:
    """Return the text with a space between sentences that touch, where the script has spaces."""
    if not _MAY_TOUCH.search(text):
        return text
    spans = pairwise(sentences.split(text, language))
    joints = [following.start for before, following in spans if before.end == following.start]
    return _with_blanks(text, {joint: " " for joint in joints if _lacks_space(text, joint)})


def _lacks_space(text: str, joint: int) -> bool:
    last, first = text[joint - 1], text[joint]
    if any(address.start() < joint < address.end() for address in _ADDRESS.finditer(text)):
        return False
    return (first.isalnum() or first in _OPENING) and last < _FULL_WIDTH and not is_spaceless(first)


def _normalised(text: str) -> str:
    """Return the text with one space, or one line's end, wherever it has white space."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _below_heading(text: str, heading: str) -> str:
    """Return a text that begins with its section's heading, as the first window of a section does, with a space there.

    Where a small letter follows, it may be another word that only begins like the heading.
    """
    behind = text[len(heading) : len(heading) + 1]
    is_glued = bool(heading) and text.startswith(heading) and (behind.isupper() or behind.isdecimal())
    return f"{heading} {text[len(heading) :]}" if is_glued else text


class _Joints:
    """The white space of some texts. Windows of one page overlap, so nearly every seam of one is known from another.

    That holds for seams with and without a full stop, and in any script.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = [_EDGE + text + _EDGE for text in texts]
        words = [text.strip(_EDGE).split() for text in self._texts]
        pairs = {(before[-_SIDE:], behind[:_SIDE]) for of_text in words for before, behind in pairwise(of_text)}
        # Only a word that is two neighbours in one may hold a joint: looking around each character takes far longer.
        self._glued = {
            word: offsets
            for word in set().union(*words)
            if (offsets := [p for p in range(1, len(word)) if (word[:p][-_SIDE:], word[p : p + _SIDE]) in pairs])
        }

    def fix(self, text: str) -> str:
        """Return the text with white space wherever another text has it between the same characters."""
        if self._glued.keys().isdisjoint(text.split()):
            return text
        blanks: dict[int, str] = {}
        for word in _WORD.finditer(text):
            for offset in self._glued.get(word[0], ()):
                joint = word.start() + offset
                blanks[joint] = next((blank for blank in (" ", "\n") if self._is_known(text, joint, blank)), "")
        return _with_blanks(text, blanks)

    def _is_known(self, text: str, joint: int, blank: str) -> bool:
        framed = _EDGE + text + _EDGE
        before = framed[max(0, joint + 1 - _SIDE) : joint + 1]
        known = before + blank + framed[joint + 1 : joint + 1 + _SIDE]
        return any(known in other for other in self._texts)


def _with_blanks(text: str, blanks: Mapping[int, str]) -> str:
    borders = pairwise([0, *sorted(blanks), len(text)])
    return "".join(blanks.get(start, "") + text[start:end] for start, end in borders)
