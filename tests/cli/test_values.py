"""Option values: what they mean, and what is said of those that mean nothing."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from linkspot.cli.values import end_of_day, names_in, spark_setting, split_of, start_of_day, survival
from linkspot.errors import UnusableInput


def test_a_day_has_a_first_and_a_last_moment() -> None:
    assert start_of_day("2012-05-12") == datetime(2012, 5, 12, tzinfo=UTC)
    assert end_of_day("2012-05-12") == datetime(2012, 5, 12, 23, 59, 59, 999_999, tzinfo=UTC)


def test_names_stand_between_commas() -> None:
    assert names_in(" en, sw,,zh-tw ") == ("en", "sw", "zh-tw")


def test_values_are_read_as_they_are_described() -> None:
    assert survival("8/10") == (8, 10)
    assert spark_setting("spark.executor.memory=4g") == ("spark.executor.memory", "4g")
    name, dates = split_of("nlwiki=2023-01-01,2023-07-01")
    assert (name, dates.validation.month, dates.test.month) == ("nlwiki", 1, 7)


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (start_of_day, "12.5.2012", "'12.5.2012' is not a date; write it like 2012-05-12"),
        (end_of_day, "May", "'May' is not a date; write it like 2012-12-31"),
        (start_of_day, "2012-02-30", "'2012-02-30' is not a date; write it like 2012-12-31"),
        (
            survival,
            "most",
            "'most' does not say in how many of the next revisions a link must stay; write it like 8/10",
        ),
        (survival, "11/12", "the second number at most 10"),
        (survival, "9/8", "write it like 8/10"),
        (survival, "0/0", "write it like 8/10"),
        (survival, "²/3", "write it like 8/10"),
        (spark_setting, "fast", "'fast' is not a Spark setting; write it like spark.executor.memory=4g"),
        (spark_setting, "memory=4g", "'memory=4g' is not a Spark setting"),
        (split_of, "a=2012", "'a=2012' does not say when to split; write it like nlwiki=2023-01-01,2023-07-01"),
        (split_of, "=test", "'=test' does not say when to split"),
        (split_of, "a=2012-01-01,May", "'May' is not a date"),
        (split_of, "a=2013-01-01,2012-01-01", "2013-01-01"),
    ],
)
def test_a_value_that_means_nothing_gets_one_clear_line(read: Callable[[str], object], text: str, message: str) -> None:
    with pytest.raises(UnusableInput) as refused:
        read(text)
    assert message in str(refused.value)
