"""The apparatus of an article: sections of references, notes, further reading and external links, by their titles."""

from dataclasses import dataclass
from functools import cache
from importlib import resources

from linkspot.text.words import normal_form, primary

_AMBIGUOUS = "~"
_EVERYWHERE = "en"  # wikis in other languages have pages with English headings, too
_ALIASES = {"simple": "en", "nb": "no", "be-tarask": "be-x-old", "zh-yue": "yue", "gsw": "als"}
_AROUND_TITLES = " \t:：.。·*'\"「」[]()（）"


@dataclass(frozen=True, slots=True)
class ApparatusTitles:
    """The titles of such sections in one language: those that head nothing else, and those that also head prose."""

    sure: frozenset[str] = frozenset()
    ambiguous: frozenset[str] = frozenset()


def apparatus_titles(language: str) -> ApparatusTitles:
    """Return the titles of a language and the English ones, each as `plain_title` has it."""
    own, english = _own_titles(language), _titles()[_EVERYWHERE]
    return ApparatusTitles(own.sure | english.sure, own.ambiguous | (english.ambiguous - own.sure))


def is_known(language: str) -> bool:
    """Return whether the titles of a language are known."""
    return bool(_own_titles(language).sure)


def plain_title(title: str) -> str:
    """Return a section's title as it is compared: without case, and without signs around it."""
    return normal_form("NFKC", title).casefold().strip(_AROUND_TITLES)


def _own_titles(language: str) -> ApparatusTitles:
    code = language.replace("_", "-").lower()
    code = _ALIASES.get(code, code)
    titles = _titles()
    return titles.get(code) or titles.get(_ALIASES.get(primary(code), primary(code))) or ApparatusTitles()


@cache
def _titles() -> dict[str, ApparatusTitles]:
    table = resources.files("linkspot.text").joinpath("apparatus.txt").read_text(encoding="utf-8")
    lines = (line.partition(":") for line in table.splitlines() if not line.startswith("#"))
    return {code: _read(titles) for code, _, titles in lines}


def _read(titles: str) -> ApparatusTitles:
    names = [name.strip() for name in titles.split("|")]
    return ApparatusTitles(
        frozenset(plain_title(name) for name in names if not name.startswith(_AMBIGUOUS)),
        frozenset(plain_title(name.removeprefix(_AMBIGUOUS)) for name in names if name.startswith(_AMBIGUOUS)),
    )
