from hypothesis import given
from hypothesis import strategies as st

from linkspot.ranges import SortedRanges
from linkspot.source_map import Span

_SPANS = st.builds(lambda start, length: Span(start, start + length), st.integers(0, 20), st.integers(0, 20))


@given(spans=st.lists(_SPANS, max_size=12), other=_SPANS)
def test_exactly_the_ranges_that_share_a_character_are_found(spans: list[Span], other: Span) -> None:
    expected = [span for span in spans if span.start < other.end and other.start < span.end]
    found = SortedRanges(spans).overlapping(other.start, other.end)
    assert sorted(found, key=lambda span: (span.start, span.end)) == sorted(
        expected, key=lambda span: (span.start, span.end)
    )
    assert [span.start for span in found] == sorted(span.start for span in found)
