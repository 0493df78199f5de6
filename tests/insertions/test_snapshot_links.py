from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from linkspot.insertions.snapshot_links import SnapshotTimes, snapshot_links
from linkspot.insertions.windows import windows
from linkspot.links.addresses import Naming
from linkspot.records import Markup, Page, Revision

START = datetime(2020, 1, 1, tzinfo=UTC)


def _history(*targets: str) -> list[Revision]:
    """Return a revision for each day, which links to a target, if any."""
    texts = [f"A train. It needs a [[{target}]]." if target else "A train. It needs fog." for target in targets]
    return [
        Revision(Page("Train", text, Markup.WIKITEXT, "en", "1"), str(day), START + timedelta(days=day))
        for day, text in enumerate(texts)
    ]


def _linked(history: Sequence[Revision], earlier: int, later: int, most: int = 200) -> list[tuple[str, bool]]:
    """Return what stood at the ends of two days, from all windows of a history."""
    times = SnapshotTimes(*(START + timedelta(days=day, hours=12) for day in (earlier, later)))
    return [
        (link.target, link.is_later)
        for window in windows(history, most)
        for link in snapshot_links(window, Naming(), times)
    ]


def test_the_last_revisions_by_both_times_are_looked_at() -> None:
    history = _history("Signal", "Rail", "Coal", "Fog")
    assert _linked(history, 1, 2) == [("Rail", False), ("Coal", True)]
    assert _linked(history, -1, 9) == [("Fog", True)]


def test_a_page_that_did_not_change_between_the_snapshots_has_no_difference() -> None:
    assert _linked(_history("Signal", "Rail"), 1, 9) == []
    assert _linked(_history("Signal", "Rail"), -9, -1) == []


def test_a_page_that_was_deleted_or_has_no_lead_is_not_part_of_a_snapshot() -> None:
    first, second = _history("Signal", "Rail")
    assert _linked([first, replace(second, is_deletion=True)], 0, 1) == [("Signal", False)]
    boxed = replace(second, page=replace(second.page, text="{{box|[[Rail]]}}"))
    assert _linked([first, boxed], 0, 1) == [("Signal", False)]


@given(
    targets=st.lists(st.sampled_from(["", "Signal", "Rail"]), min_size=1, max_size=30),
    days=st.tuples(st.integers(-1, 31), st.integers(-1, 31)).filter(lambda days: days[0] < days[1]),
    most=st.integers(1, 8),
)
def test_the_cut_of_a_history_changes_no_snapshot(targets: list[str], days: tuple[int, int], most: int) -> None:
    history = _history(*targets)
    assert _linked(history, *days, most=most) == _linked(history, *days)
