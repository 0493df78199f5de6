"""Link trails: the letters behind a link's brackets that MediaWiki shows as part of the link, by language."""

import json
import re
from functools import cache, lru_cache
from importlib.resources import files

_OTHER_CODES = {"no": "nb", "als": "gsw"}  # names of languages -> names in the table
_DEFAULT = "[a-z]+"  # of English and all languages that the table does not name


def link_trail(language: str) -> re.Pattern[str]:
    """Return the pattern of a trail in a language; where a language has none, it matches nothing but an empty text."""
    tag = language.lower().replace("_", "-")
    trails = _trails()
    tag = _OTHER_CODES.get(tag, tag)
    return _compiled(trails.get(tag, trails.get(tag.partition("-")[0], _DEFAULT)))


def trail_at(text: str, position: int, language: str) -> str:
    """Return the trail of a link that ends at this position of the text."""
    trail = link_trail(language).match(text, position)
    return trail[0] if trail else ""


def continues_link(following: str, language: str) -> bool:
    """Return whether the text behind a link would become part of its words."""
    return bool(trail_at(following, 0, language))


@lru_cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@cache
def _trails() -> dict[str, str]:
    """Return the table that bench/make_link_trails.py writes from MediaWiki's messages."""
    table = files("linkspot.parsing.wikitext").joinpath("link_trails.json").read_text(encoding="utf-8")
    trails: dict[str, str] = json.loads(table)
    return trails
