"""Spelling: how a site writes a page's name in an address, with which capitals, blanks and escapes."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from linkspot.links.locations import Names, compared

_OPTIONAL = frozenset("!$&'()*+,;=:@")  # an address may hold these as they are, and some sites escape them
_ALWAYS_ESCAPED = frozenset("%?#/")  # in a name, since an address would take them for signs of its own
_USUALLY_ESCAPED = frozenset("()")  # since they may end the address in Markdown
_ESCAPE = re.compile(r"((?:%[0-9a-f]{2})+)", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z0-9_.~-]*")
_WORD_BREAKS = re.compile(r"[ _-]")


@dataclass(frozen=True, slots=True)
class Spelling:
    """How names become part of an address.

    `blank` stands between words, or is empty where it stays what it is in the name. `raw` and `escaped` are the signs
    that the site is known to write as they are or with percent-escapes.
    """

    blank: str = ""
    is_lower: bool = False
    raw: frozenset[str] = frozenset()
    escaped: frozenset[str] = frozenset()
    escapes_letters: bool = False

    @classmethod
    def learned_from(cls, addresses: Iterable[str], pairs: Iterable[tuple[Names, Names]] = ()) -> "Spelling":
        """Return the spelling of some addresses; pairs are the names in an address and those of its page."""
        raw, escaped, letters = _signs(addresses)
        blanks: Counter[str] = Counter()
        cases: Counter[bool] = Counter()
        for written, known in pairs:
            for name, original in zip(reversed(written), reversed(known), strict=False):
                if compared(name) != compared(original) or len(name) != len(original):
                    break
                at = [match.start() for match in _WORD_BREAKS.finditer(original)]
                blanks.update(name[index] if name[index] != original[index] else "" for index in at)
                if not original.islower() and original.upper() != original.lower():
                    cases[name != original and name.islower()] += 1
        blank = blanks.most_common(1)[0][0] if blanks else ""
        return cls(
            blank,
            cases[True] > cases[False],
            frozenset(sign for sign in raw if raw[sign] >= escaped[sign]),
            frozenset(sign for sign in escaped if escaped[sign] > raw[sign]),
            letters > 0,
        )

    @classmethod
    def of_titles(cls, addresses: Iterable[str], names: Iterable[str]) -> "Spelling":
        """Return the spelling of addresses whose pages are not known; titles are spelled like these names."""
        raw, escaped, letters = _signs(addresses)
        spelled = list(names)
        breaks = Counter(sign for name in spelled for sign in _WORD_BREAKS.findall(name))
        blank = breaks.most_common(1)[0][0] if breaks else ""
        cased = [name for name in spelled if name.upper() != name.lower()]
        is_lower = bool(breaks) and blank == "-" and all(name.islower() for name in cased)
        return cls(blank, is_lower, frozenset(raw), frozenset(escaped) - frozenset(raw), letters > 0)

    def spell(self, name: str) -> str:
        """Return the name as it stands in an address."""
        if self.blank:
            name = name.replace(" ", self.blank).replace("_", self.blank)
        name = name.lower() if self.is_lower else name
        return name if _PLAIN.fullmatch(name) else "".join(map(self._spelled, name))

    def _spelled(self, sign: str) -> str:
        if sign in _ALWAYS_ESCAPED or sign in self.escaped:
            return quote(sign, safe="")
        if sign in self.raw or (sign.isascii() and sign.isalnum()):
            return sign
        if not sign.isascii():
            return quote(sign, safe="") if self.escapes_letters else sign
        # A site that escapes one of the signs that need no escape does so with all of them.
        is_escaped = sign in _USUALLY_ESCAPED or (sign in _OPTIONAL and bool(self.escaped & _OPTIONAL))
        return quote(sign, safe="") if is_escaped else sign


def _signs(addresses: Iterable[str]) -> tuple[Counter[str], Counter[str], int]:
    """Return how often addresses have each optional sign raw and escaped, and escaped less raw letters not of ASCII."""
    raw: Counter[str] = Counter()
    escaped: Counter[str] = Counter()
    letters = 0
    for address in addresses:
        path = re.split(r"[?#]", address, maxsplit=1)[0]
        for number, part in enumerate(_ESCAPE.split(path)):
            text = bytes.fromhex(part.replace("%", "")).decode("utf-8", "replace") if number % 2 else part
            counts = escaped if number % 2 else raw
            counts.update(sign for sign in text if sign in _OPTIONAL)
            has_letters = any(not sign.isascii() for sign in text)
            letters += has_letters * (1 if number % 2 else -1)
    return raw, escaped, letters
