"""Endings that links show: how titles end, and the words that editors link to them."""

import json
from enum import StrEnum
from functools import cache
from importlib.resources import files

EndingPairs = frozenset[tuple[str, str]]


class Kinship(StrEnum):
    """How the words of a link are akin to the title."""

    FORM = "form"  # inflected: столиця, столиці
    DERIVED = "derived"  # another word for who or what belongs to it: Australia, Australian


@cache
def ending_pairs(kinship: Kinship, language: str) -> EndingPairs:
    """Return the pairs of endings, a title's and its word's, that bench/make_linked_endings.py found in links."""
    table = json.loads(files("linkspot.text").joinpath("linked_endings.json").read_text(encoding="utf-8"))
    pairs = table[kinship].get(language, "").split()
    return frozenset((one, other) for one, _, other in (pair.partition("|") for pair in pairs))


def differing_endings(name: str, word: str, shared: int, kinship: Kinship) -> tuple[str, str]:
    """Return how two words end behind what they share; of derived words, with the last letter that they share."""
    start = shared - 1 if kinship is Kinship.DERIVED else shared
    return name[start:], word[start:]


def is_enough(name: str, word: str, shared: int) -> bool:
    """Return whether two words share so much that their endings say something."""
    return shared >= (3 if shared < min(len(name), len(word)) else 4)
