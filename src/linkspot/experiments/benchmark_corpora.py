"""The wikis that linkspot is measured on: those with a history, by their kind, with the dates that split them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from linkspot.pipeline.splits import TEST_ALONE, SplitDates

#: Nothing in these languages is learned from or validated on.
HELD_OUT = ("ru", "ro", "hu", "tr", "ko", "ca", "pl", "zh-tw")


class WikiKind(StrEnum):
    """What kind of pages a corpus has; a model that learned one kind may be weak on another."""

    ENCYCLOPEDIA = "encyclopedia"
    WIKI = "wiki"
    DOCUMENTATION = "documentation"


@dataclass(frozen=True, slots=True)
class BenchmarkCorpus:
    """A wiki with a history: the pattern of its files, and the dates from which its insertions validate and test.

    `pages` is where its pages are, if no layout says so. The commits of a `mirror` hold whatever pages changed on a
    day, so that their number says nothing of an edit. `keep_unknown` keeps links to pages that the corpus lacks; a
    corpus of one page needs that.
    """

    name: str
    pattern: str
    licence: str
    kind: WikiKind
    split: SplitDates
    pages: str = ""
    is_mirror: bool = False
    keep_unknown: bool = False


def _dates(validation: tuple[int, int], test: tuple[int, int]) -> SplitDates:
    """Return the dates of a split, given as years and months."""
    return SplitDates(*(datetime(year, month, 1, tzinfo=UTC) for year, month in (validation, test)))


def _mirror(name: str, licence: str, kind: WikiKind, split: SplitDates) -> BenchmarkCorpus:
    return BenchmarkCorpus(f"{name}-edits", f"wikis/{name}.bundle", licence, kind, split, "{lang}/{slug}.md", True)


CORPORA = (
    BenchmarkCorpus("openttd-edits", "openttd/*.xz", "GFDL 1.3", WikiKind.WIKI, _dates((2013, 1), (2015, 1))),
    _mirror("archwiki", "GFDL 1.3", WikiKind.WIKI, _dates((2018, 4), (2018, 9))),
    _mirror("freecad", "CC BY 3.0", WikiKind.WIKI, _dates((2023, 1), (2023, 7))),
    BenchmarkCorpus(
        "mdn-edits", "mdn/mdn.bundle", "CC BY-SA 2.5", WikiKind.DOCUMENTATION, _dates((2025, 9), (2025, 12))
    ),
    _mirror("cpprefjp", "CC BY 4.0", WikiKind.DOCUMENTATION, _dates((2020, 11), (2024, 7))),
    _mirror("ethereum", "MIT", WikiKind.DOCUMENTATION, _dates((2024, 1), (2024, 7))),
    BenchmarkCorpus(
        "anarchism-edits",
        "wikipedia/enwiki-Anarchism-*.lzma",
        "CC BY-SA, GFDL",
        WikiKind.ENCYCLOPEDIA,
        TEST_ALONE,
        keep_unknown=True,
    ),
)
