"""Splits: which insertions of a corpus train, validate and test, by the time of their edits."""

from dataclasses import dataclass
from datetime import UTC, datetime

import ibis

from linkspot.errors import UnusableInput

SPLITS = ("train", "validation", "test")
_TRAIN_END, _VALIDATION_END = 0.8, 0.9  # shares of a corpus' insertions, in the order of time


@dataclass(frozen=True, slots=True)
class SplitDates:
    """The times from which a corpus' insertions validate and test; earlier ones train."""

    validation: datetime
    test: datetime

    def __post_init__(self) -> None:
        if self.validation > self.test:
            raise UnusableInput(
                f"validation begins on {self.validation:%Y-%m-%d}, after the test ({self.test:%Y-%m-%d}); "
                "give the earlier date first"
            )

    def split_of(self, insertions: ibis.Table, is_held_out: ibis.Value) -> ibis.Value:
        """Return the split of each insertion of a table; those that are held out always test."""
        return ibis.cases(
            (is_held_out | (insertions.after_time >= self.test), "test"),
            (insertions.after_time >= self.validation, "validation"),
            else_="train",
        )


_ALWAYS, _NEVER = (moment.replace(tzinfo=UTC) for moment in (datetime.min, datetime.max))
TEST_ALONE = SplitDates(_ALWAYS, _ALWAYS)
VALIDATION_ALONE = SplitDates(_ALWAYS, _NEVER)


def dates_by_share(insertions: ibis.Table) -> SplitDates:
    """Return the dates that put the first 80 % of the insertions into train and the next 10 % into validation."""
    seconds = insertions.after_time.epoch_seconds()
    row = insertions.aggregate(v=seconds.quantile(_TRAIN_END), t=seconds.quantile(_VALIDATION_END)).to_pyarrow()
    validation, test = row["v"][0].as_py(), row["t"][0].as_py()
    if validation is None:
        return TEST_ALONE
    return SplitDates(datetime.fromtimestamp(int(validation), UTC), datetime.fromtimestamp(int(test), UTC))
