from linkspot.metrics.significance import Comparison
from linkspot.metrics.significance_marks import significance_marks

MEANS = {"bm25": 0.3, "dual": 0.5, "window": 0.4}


def _pairs(dual_window: float, bm25_dual: float = 0.001, bm25_window: float = 0.2) -> list[Comparison]:
    return [
        Comparison("bm25", "dual", -0.2, 0.0, bm25_dual),
        Comparison("bm25", "window", -0.1, 0.0, bm25_window),
        Comparison("dual", "window", 0.1, 0.0, dual_window),
    ]


def test_the_best_is_marked_if_it_is_better_than_the_next_by_more_than_chance() -> None:
    assert significance_marks(MEANS, _pairs(0.049)) == {"dual": "†"}
    assert significance_marks(MEANS, _pairs(0.05)) == {}


def test_everything_is_held_against_the_ranker_that_is_named() -> None:
    assert significance_marks(MEANS, _pairs(0.01), "bm25") == {"dual": "†"}
    assert significance_marks(MEANS, _pairs(0.01), "dual") == {"bm25": "*", "window": "*"}
    assert significance_marks(MEANS, _pairs(0.01, bm25_window=0.01), "window") == {"dual": "†", "bm25": "*"}


def test_a_ranker_alone_has_no_mark() -> None:
    assert significance_marks({"bm25": 0.3}, []) == {}
    assert significance_marks({}, []) == {}
