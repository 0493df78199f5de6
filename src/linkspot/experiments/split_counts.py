"""How many examples of each language a dataset has to learn from, to validate on and to test on."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.dataset as ds

from linkspot.pipeline.splits import SPLITS
from linkspot.tables.folder import TableFolder

LINKS = "existing_links/train"

Counts = Mapping[str, int]  # by language


@dataclass(frozen=True, slots=True)
class SplitCounts:
    """The rows of each table of a dataset, counted by language; insertions count only if they have a right place."""

    train: Counts
    validation: Counts
    test: Counts
    links: Counts

    @classmethod
    def of(cls, dataset: TableFolder) -> "SplitCounts":
        """Count the rows of a dataset."""
        train, validation, test = (_counts(dataset.table(f"insertions/{split}"), has_gold=True) for split in SPLITS)
        return cls(train, validation, test, _counts(dataset.table(LINKS)))

    @property
    def learned(self) -> tuple[str, ...]:
        """The languages that have insertions or existing links to learn from."""
        return tuple(sorted({*self.train, *self.links}))

    @property
    def held_out(self) -> tuple[str, ...]:
        """The languages that are only tested: nothing in them trains or validates."""
        return tuple(sorted(set(self.test) - {*self.train, *self.links, *self.validation}))


def _counts(table: Path, *, has_gold: bool = False) -> dict[str, int]:
    if not table.is_dir():
        return {}
    rows = ds.dataset(table, format="parquet").to_table(columns=["language", *(["gold"] if has_gold else [])])
    if has_gold:
        rows = rows.filter(pc.greater(pc.list_value_length(rows["gold"]), 0))
    return {entry["values"]: entry["counts"] for entry in pc.value_counts(rows["language"]).to_pylist()}
