from datetime import UTC, datetime

import ibis
import pytest

from linkspot.errors import UnusableInput
from linkspot.pipeline.splits import TEST_ALONE, SplitDates, dates_by_share


def _day(number: int) -> datetime:
    return datetime(2020, 1, number, tzinfo=UTC)


def test_validation_that_begins_after_the_test_is_refused() -> None:
    with pytest.raises(UnusableInput, match=r"validation begins on 2020-01-03, after the test \(2020-01-02\)"):
        SplitDates(_day(3), _day(2))


def test_insertions_are_split_by_time_and_held_out_ones_always_test() -> None:
    insertions = ibis.memtable({"after_time": [_day(1), _day(2), _day(3), _day(1)], "held_out": [False] * 3 + [True]})
    split = SplitDates(_day(2), _day(3)).split_of(insertions, insertions.held_out)
    assert insertions.select(split=split).to_pyarrow()["split"].to_pylist() == ["train", "validation", "test", "test"]


def test_without_dates_the_first_four_fifths_train_and_no_insertions_all_test() -> None:
    insertions = ibis.memtable({"after_time": [_day(number) for number in range(1, 12)]})
    assert dates_by_share(insertions) == SplitDates(_day(9), _day(10))
    assert dates_by_share(insertions.filter(insertions.after_time > _day(20))) == TEST_ALONE
