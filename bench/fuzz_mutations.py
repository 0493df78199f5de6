"""Mutated pages: pieces of real pages, cut, joined and damaged at random; the same number gives the same page."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from random import Random

from bench.fuzz_material import SIGNS, TOKENS, Material
from linkspot.records import Markup, Page

_SHORTEST, _LONGEST = 40, 450  # characters of a piece
_MOST_CHANGES = 8
_OTHER_MARKUP = 0.04  # the share of joined pieces that come from another markup


class MutatedPages:
    """Makes page after page out of some material."""

    def __init__(self, material: Sequence[Material], seed: int) -> None:
        self._seed = seed
        self._material = material
        self._by_markup: defaultdict[str, list[Material]] = defaultdict(list)
        for piece in material:
            self._by_markup[piece.markup].append(piece)

    def page(self, number: int) -> tuple[Page, Random]:
        """Return the page with this number, and the source of all further draws about it."""
        random = Random(f"{self._seed}:{number}")
        markup = list(Markup)[number % len(Markup)]
        source = random.choice(self._by_markup[markup])
        text = _piece(source.text, random)
        if random.random() < 0.3:
            others = self._material if random.random() < _OTHER_MARKUP else self._by_markup[markup]
            text += _piece(random.choice(others).text, random)
        for _ in range(random.randrange(_MOST_CHANGES + 1)):
            text = random.choice(_CHANGES)(text, random, markup)
        return Page("", text, markup, source.language, id="fuzz"), random


def _piece(text: str, random: Random) -> str:
    length = int(_SHORTEST * (_LONGEST / _SHORTEST) ** random.random())
    start = random.randrange(max(1, len(text) - length))
    if random.random() < 0.7:  # from the beginning of a line, as most markup wants it
        start = text.rfind("\n", 0, start) + 1
    return text[start : start + length]


def _range(text: str, random: Random, longest: int) -> tuple[int, int]:
    start = random.randrange(len(text) + 1)
    return start, min(len(text), start + random.randrange(longest + 1))


def _token(random: Random, markup: str) -> str:
    return random.choice(TOKENS[markup] if random.random() < 0.97 else TOKENS[random.choice(list(Markup))])


def _insert_token(text: str, random: Random, markup: str) -> str:
    position = random.randrange(len(text) + 1)
    return text[:position] + _token(random, markup) + text[position:]


def _insert_tokens(text: str, random: Random, markup: str) -> str:
    position = random.randrange(len(text) + 1)
    tokens = "".join(_token(random, markup) for _ in range(random.randrange(2, 9)))
    return text[:position] + tokens + text[position:]


def _insert_pair(text: str, random: Random, markup: str) -> str:
    start, end = _range(text, random, 60)
    return text[:start] + _token(random, markup) + text[start:end] + _token(random, markup) + text[end:]


def _insert_sign(text: str, random: Random, _markup: str) -> str:
    position = random.randrange(len(text) + 1)
    return text[:position] + random.choice(SIGNS) + text[position:]


def _insert_beside_word(text: str, random: Random, markup: str) -> str:
    position = text.find(" ", random.randrange(len(text) + 1))
    sign = random.choice(SIGNS) if random.random() < 0.4 else _token(random, markup)
    return text if position < 0 else text[: position + 1] + sign + text[position + 1 :]


def _repeat_token(text: str, random: Random, markup: str) -> str:
    position = random.randrange(len(text) + 1)
    return text[:position] + _token(random, markup) * random.randrange(2, 40) + text[position:]


def _delete(text: str, random: Random, _markup: str) -> str:
    start, end = _range(text, random, 80)
    return text[:start] + text[end:]


def _delete_sign(text: str, random: Random, _markup: str) -> str:
    """Delete one sign that is no letter: an end tag loses its bracket, a link half of its end."""
    places = [index for index, sign in enumerate(text) if not sign.isalnum() and sign != " "]
    position = random.choice(places) if places else len(text)
    return text[:position] + text[position + 1 :]


def _double(text: str, random: Random, _markup: str) -> str:
    start, end = _range(text, random, 80)
    return text[:end] + text[start:end] + text[end:]


def _move(text: str, random: Random, _markup: str) -> str:
    start, end = _range(text, random, 80)
    rest = text[:start] + text[end:]
    position = random.randrange(len(rest) + 1)
    return rest[:position] + text[start:end] + rest[position:]


def _truncate(text: str, random: Random, _markup: str) -> str:
    return text[: random.randrange(len(text) + 1)] if random.random() < 0.3 else text


_CHANGES: tuple[Callable[[str, Random, str], str], ...] = (
    *(_insert_token, _insert_token, _insert_tokens, _insert_pair, _insert_sign, _insert_beside_word, _repeat_token),
    *(_delete, _delete_sign, _double, _move, _truncate),
)
