"""The paper's own figures, read from one data file, to compare with ours."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from linkspot.evaluation.figures import Metric
from linkspot.experiments.experiment import PaperTable
from linkspot.metrics.slices import SLICES, Slice

SOURCE = (
    "T. Feith, A. Arora, M. Gerlach, D. Paul, R. West: Entity Insertion in Multilingual Linked Corpora: The Case of "
    "Wikipedia. EMNLP 2024, https://aclanthology.org/2024.emnlp-main.1268"
)

#: The heading above the paper's figures: they are never measured on the same data as ours.
GROUP = "the paper, on other data:"

#: What the paper's figures are measured on, whatever the table.
TEST_DATA = (
    "links added to Wikipedia from 2023-10-01 to 2023-11-01, with all sentences of a page as candidates (about 100 on "
    "average); models that learned from 20,000 existing links and from all links added in the month before"
)

_DAGGER = "†"
_UNITS = {"K": 1_000, "M": 1_000_000}
_SLICES = {part.name.replace(" ", "_"): part for part in SLICES}


@dataclass(frozen=True, slots=True)
class PaperFigure:
    """A figure of the paper, and whether the paper marks it as significant."""

    value: float
    is_significant: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.value <= 1:
            raise ValueError(f"Hits@1 and MRR are between 0 and 1, not {self.value}")

    @classmethod
    def of(cls, text: str) -> "PaperFigure":
        """Read a figure as the paper prints it: 0.726†."""
        return cls(float(text.removesuffix(_DAGGER)), text.endswith(_DAGGER))


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table as the paper prints it: its rows by the paper's names, each with a figure for every metric and slice.

    `label` is its name in the paper's source, `dagger` what a significant figure was compared with.
    """

    label: str
    measured: str
    dagger: str
    note: str
    columns: tuple[tuple[Metric, Slice], ...]
    rows: Mapping[str, Mapping[tuple[Metric, Slice], PaperFigure]]


@dataclass(frozen=True, slots=True)
class PublishedCounts:
    """How much data the paper has in a language; `test` is 0 where it gives only the number of all added links."""

    articles: int
    existing_links: int
    added_links: int
    test: int = 0


def published_table(table: PaperTable) -> PublishedTable:
    """Return a table of the paper."""
    entry = _file()[table]
    columns = tuple(_column(name) for name in entry["columns"])
    rows = {
        name: dict(zip(columns, map(PaperFigure.of, figures.split()), strict=True))
        for name, figures in entry["rows"].items()
    }
    return PublishedTable(
        entry["label"], entry["measured"], entry.get("dagger", ""), entry.get("note", ""), columns, rows
    )


def published_split() -> dict[str, PublishedCounts]:
    """Return the counts of the 20 languages that the paper trains on, by language; `added_links` are those to train."""
    return {language: _counts(text) for language, text in _file()["data"]["split"].items()}


def published_dataset() -> dict[str, PublishedCounts]:
    """Return the counts of all languages of the paper's dataset."""
    return {language: _counts(text) for language, text in _file()["data"]["whole"].items()}


def published_languages(model: str) -> tuple[str, ...]:
    """Return the languages that one of the paper's models for many languages learned from: xLocEI 11, xLocEI 20."""
    return tuple(_file()["models"][model]["languages"])


@cache
def _file() -> dict[str, Any]:
    text = (files("linkspot.experiments") / "paper_figures.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _column(name: str) -> tuple[Metric, Slice]:
    metric, _, part = name.partition(" ")
    return Metric(metric), _SLICES[part]


def _counts(text: str) -> PublishedCounts:
    return PublishedCounts(*map(_count, text.split()))


def _count(text: str) -> int:
    """Return a count that is written like 6.7M, 552K or 455."""
    unit = _UNITS.get(text[-1:])
    return round(float(text[:-1]) * unit) if unit else int(text)
