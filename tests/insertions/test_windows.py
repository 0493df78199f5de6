from collections.abc import Iterator
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from linkspot.insertions.windows import LOOK_AHEAD, LOOK_BACK, HistoryWindow, windows
from linkspot.records import Markup, Page, Revision


def _revision(page: str, number: int, length: int = 1) -> Revision:
    return Revision(Page(page, "x" * length, Markup.WIKITEXT, "en", page), str(number), None)


_HISTORIES = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=60), max_size=3)


@given(histories=_HISTORIES, most_revisions=st.integers(1, 20), most_characters=st.integers(1, 60))
def test_each_revision_is_judged_once_among_those_around_it(
    histories: list[list[int]], most_revisions: int, most_characters: int
) -> None:
    stream = [
        _revision(str(page), number, length)
        for page, history in enumerate(histories)
        for number, length in enumerate(history)
    ]
    found = list(windows(stream, most_revisions, most_characters))
    assert [window.revisions[index] for window in found for index in window.own] == stream
    for window in found:
        _check(window, [revision for revision in stream if revision.page.id == window.revisions[0].page.id])
        own = [window.revisions[index] for index in window.own]
        size = sum(len(revision.page.text) for revision in own)
        assert len(own) == 1 or (len(own) <= most_revisions and size <= most_characters)


def _check(window: HistoryWindow, history: list[Revision]) -> None:
    first = history.index(window.revisions[window.own.start])
    last = first + len(window.own)
    assert list(window.revisions) == history[max(0, first - LOOK_BACK) : last + LOOK_AHEAD]
    assert window.own.start == min(first, LOOK_BACK)


def test_a_long_history_is_read_no_further_than_needed() -> None:
    read = 0

    def stream() -> Iterator[Revision]:
        nonlocal read
        for number in range(10_000):
            read += 1
            yield _revision("Page", number)

    next(windows(stream(), most_revisions=50))
    assert read <= 2 * 50 + LOOK_AHEAD


def test_a_page_that_changed_its_title_is_one_page() -> None:
    page = Page("New", "text", Markup.WIKITEXT, "en", "7")
    moved = [Revision(Page("Old", "text", Markup.WIKITEXT, "en", "7"), "1", None), Revision(page, "2", None)]
    assert [window.revisions for window in windows(moved)] == [tuple(moved)]


def test_the_windows_are_the_same_every_time() -> None:
    stream = [_revision("Page", number, number % 7) for number in range(200)]
    assert list(windows(stream, 9, 20)) == list(windows(stream, 9, 20))
    assert [page for page, _ in groupby(windows(stream), lambda window: window.revisions[0].page.id)] == ["Page"]
