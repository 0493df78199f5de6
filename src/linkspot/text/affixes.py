"""Affixes that wikis leave outside of a link: the prefixes of Hebrew and Arabic, the particles of Korean."""

import re

from linkspot.text.words import bare, primary

# Particles that mean "and", "in", "to" … and are written together with the next word. An article stays in the link.
_PREFIXES = {"ar": re.compile("[وفبكل](?=.{3})"), "he": re.compile("[והבכלמש]{1,2}(?=.{3})")}
_WITH_PARTICLES = frozenset({"ko"})


def outer_affixes(written: str, name: str, language: str) -> tuple[int, int]:
    """Return how many characters of a word at its beginning and at its end stay outside of a link to the name."""
    tongue = primary(language)
    own, other = bare(name, language), bare(written, language)
    if len(other) != len(written):  # letters were dropped or joined: their number says nothing about the text
        return 0, 0
    if tongue in _WITH_PARTICLES and other.startswith(own):
        return 0, len(other) - len(own)
    prefixes = _PREFIXES[tongue].match(other) if tongue in _PREFIXES else None
    if prefixes is None or other[0] == own[0]:
        return 0, 0
    # A name may begin with a letter that is a prefix elsewhere: במצדה is ב and מצדה.
    fitting = (end for end in range(1, prefixes.end() + 1) if other.startswith(own[:2], end))
    return next(fitting, 0), 0
