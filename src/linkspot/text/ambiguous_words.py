"""Words that may well mean something else than the name that they look like."""

import re

from linkspot.text.mentions import Exactness, Mention
from linkspot.text.scripts import character_class
from linkspot.text.words import primary

# A noun with another one behind "de" and no article is the beginning of a longer name: banco de datos is no bank.
_COMPOUND = re.compile(r" d(?:e|i) (?!la\b|las\b|los\b|les\b|lo\b|el\b)[^\W\d_]{3,}")
_ROMANCE = frozenset({"ca", "es", "fr", "gl", "it", "pt"})
_KANJI = re.compile(f"[{character_class('han')}]")  # 京都 is not in 東京都
_DEFINITE = {"ar": "ال"}  # with its article a word is often a name: البندقية is Venice, بندقية a rifle


def is_ambiguous(mention: Mention, text: str, language: str) -> bool:
    """Return whether a mention of one word may well mean something else in this text."""
    tongue, written = primary(language), mention.span.cut(text)
    if tongue in _DEFINITE and mention.exactness is Exactness.NEAR:
        article = _DEFINITE[tongue]
        return written.startswith(article) and not mention.name.startswith(article)
    if tongue == "ja":
        is_inside_run = mention.span.start > 0 and _KANJI.match(text, mention.span.start - 1)
        return bool(is_inside_run and _KANJI.match(written))
    is_plain = written[:1].islower()
    return tongue in _ROMANCE and is_plain and bool(_COMPOUND.match(text, mention.span.end))
