"""The apparatus of an article: sections of references, notes, further reading and external links, by their titles."""

from dataclasses import dataclass
from functools import cache
from importlib import resources

from linkspot.text.words import normal_form, primary

_AMBIGUOUS = "~"
_EVERYWHERE = "en"  # wikis in other languages have pages with English headings, too
# Codes under which the tables have other codes' languages.
ALIASES = {
    "bat-smg": "sgs",
    "be-tarask": "be-x-old",
    "fiu-vro": "vro",
    "gsw": "als",
    "nb": "no",
    "roa-rup": "rup",
    "simple": "en",
    "zh-classical": "lzh",
    "zh-min-nan": "nan",
    "zh-yue": "yue",
}
_AROUND_TITLES = " \t:：.。·*'\"「」[]()（）"


@dataclass(frozen=True, slots=True)
class ApparatusTitles:
    """The titles of such sections in one language: those that head nothing else, and those that also head prose."""

    sure: frozenset[str] = frozenset()
    ambiguous: frozenset[str] = frozenset()


def apparatus_titles(language: str) -> ApparatusTitles:
    """Return the titles of a language and the English ones, each as `plain_title` has it."""
    own, words, english = _own(headings(), language), _own(messages(), language), headings()[_EVERYWHERE]
    sure = own.sure | words.sure
    return ApparatusTitles(sure | english.sure, own.ambiguous | words.ambiguous | (english.ambiguous - sure))


def is_known(language: str) -> bool:
    """Return whether the headings of a language's wiki are known, not only the words of its interface."""
    return bool(_own(headings(), language).sure)


@cache
def headings() -> dict[str, ApparatusTitles]:
    """Return code -> titles as the wikis themselves head such sections."""
    return _read_table("apparatus.txt")


@cache
def messages() -> dict[str, ApparatusTitles]:
    """Return code -> further titles: words of MediaWiki's interface, in more languages."""
    return _read_table("apparatus_messages.txt")


def plain_title(title: str) -> str:
    """Return a section's title as it is compared: without case, and without signs around it."""
    return normal_form("NFKC", title).casefold().strip(_AROUND_TITLES)


def _own(titles: dict[str, ApparatusTitles], language: str) -> ApparatusTitles:
    code = language.replace("_", "-").lower()
    code = ALIASES.get(code, code)
    return titles.get(code) or titles.get(ALIASES.get(primary(code), primary(code))) or ApparatusTitles()


def _read_table(name: str) -> dict[str, ApparatusTitles]:
    table = resources.files("linkspot.text").joinpath(name).read_text(encoding="utf-8")
    lines = (line.partition(":") for line in table.splitlines() if not line.startswith("#"))
    return {code: _read(titles) for code, _, titles in lines}


def _read(titles: str) -> ApparatusTitles:
    names = [name.strip() for name in titles.split("|")]
    return ApparatusTitles(
        frozenset(plain_title(name) for name in names if not name.startswith(_AMBIGUOUS)),
        frozenset(plain_title(name.removeprefix(_AMBIGUOUS)) for name in names if name.startswith(_AMBIGUOUS)),
    )
