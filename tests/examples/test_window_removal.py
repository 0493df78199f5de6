import re
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples.linked_pages import ALWAYS, even_page, linked_page, linked_pages, seeds
from tests.surface import CHANCE, Row, separability

from linkspot.errors import UnusableInput
from linkspot.examples.candidates import Candidate, candidates
from linkspot.examples.context_removal import ContextRemoval, remove_context
from linkspot.examples.linked_example import LinkedExample
from linkspot.examples.negatives import WindowProblem, window_problem
from linkspot.examples.removal_spots import Removal
from linkspot.examples.window_removal import removed_windows
from linkspot.records import Article

OTHERS = candidates(linked_page([6] * 8, 0, mention="lion").article)
ZEBRA = re.compile("zebra")
_WHOLE = re.compile(r"Number \d+ has \w+ and more\.")


def elsewhere(draw: Random) -> Candidate:
    return draw.choice(OTHERS)


def windows(linked: LinkedExample, draw: Random, settings: ContextRemoval | None = None) -> WindowProblem:
    return removed_windows(linked, draw, elsewhere=elsewhere, settings=settings)


def texts(article: Article) -> list[str]:
    return [sentence.text for _, sentence in article.sentences]


@given(linked_pages(), st.sampled_from(list(Removal)), seeds)
def test_every_candidate_loses_the_same(linked: LinkedExample, wanted: Removal, draw: Random) -> None:
    window = windows(linked, draw, ALWAYS[wanted])
    for candidate in (window.positive, *window.negatives):
        whole = _WHOLE.fullmatch(candidate.sentence.text) is not None
        could_lose_sentences = len(candidate.section.sentences) > 1
        if wanted is Removal.NOTHING:
            assert whole
        elif wanted is Removal.MENTION:
            assert not whole
        elif could_lose_sentences:  # where it could not, the words are gone: a milder removal
            assert whole
    assert not any(ZEBRA.search(negative.context) for negative in window.negatives)
    assert wanted is Removal.NOTHING or not ZEBRA.search(window.positive.context)
    assert len(window.negatives) + window.missing == 9


@given(linked_pages(), st.sampled_from(list(Removal)), seeds)
def test_the_source_is_the_page_as_its_right_candidate_shows_it(
    linked: LinkedExample, wanted: Removal, draw: Random
) -> None:
    window = windows(linked, draw, ALWAYS[wanted])
    assert window.positive.section in window.source.sections
    assert (ZEBRA.search("".join(texts(window.source))) is None) == (wanted is not Removal.NOTHING)
    assert len(window.source.sections) == len(linked.article.sections)


def test_a_negative_is_never_made_by_removing_what_names_the_target() -> None:
    linked = linked_page([40], 20)
    for seed in range(60):
        for negative in windows(linked, Random(seed), ALWAYS[Removal.SPAN]).negatives:
            assert "Number 20 " in negative.section.text or negative.section not in linked.article.sections


def test_the_shares_are_the_papers_for_right_and_wrong_candidates_alike() -> None:
    draw, counts = Random(7), {True: [0, 0, 0], False: [0, 0, 0]}
    for _ in range(1_500):
        window = windows(even_page(6, 6, draw.randrange(36)), draw)
        for candidate in (window.positive, *window.negatives):
            kind = (
                1 if _WHOLE.fullmatch(candidate.sentence.text) is None else 2 * (len(candidate.section.sentences) < 6)
            )
            counts[candidate is window.positive][kind] += 1
    for shares in counts.values():
        assert [share / sum(shares) for share in shares] == pytest.approx([0.4, 0.2, 0.4], abs=0.04)


def test_without_negatives_no_window_can_be_learned_from() -> None:
    with pytest.raises(UnusableInput, match="0 negatives; expected 1 or more"):
        removed_windows(linked_page([3], 0), Random(0), 0, elsewhere=elsewhere)


def features(candidate: Candidate) -> list[float]:
    """What is seen of a candidate without understanding it: lengths, places, and traces of every kind of removal."""
    section, own = candidate.section, candidate.sentence.text
    numbers = [int(found) for found in re.findall(r"Number (\d+) ", candidate.context)]
    at = candidate.sentence_index - candidate.first
    before, behind = (pair[1] - pair[0] - 1 for pair in _beside(numbers, at))
    is_broken = _WHOLE.fullmatch(own) is None
    return [
        len(own.split()),
        is_broken,
        own.endswith("has and more."),
        len(section.sentences),
        candidate.last - candidate.first,
        min(before, 6),
        min(behind, 6),
        before > 0 or behind > 0,
        sum(_WHOLE.fullmatch(sentence.text) is None for sentence in section.sentences),
        is_broken and len(section.sentences) == 6,
    ]


def _beside(numbers: list[int], at: int) -> Iterator[tuple[int, int]]:
    yield (numbers[at - 1], numbers[at]) if at else (numbers[0] - 1, numbers[0])
    yield (numbers[at], numbers[at + 1]) if at + 1 < len(numbers) else (numbers[at], numbers[at] + 1)


def rows_of(made: Iterator[WindowProblem]) -> list[Row]:
    return [
        (number, candidate is window.positive, features(candidate))
        for number, window in enumerate(made)
        for candidate in (window.positive, *window.negatives)
    ]


def many_links() -> Iterator[tuple[LinkedExample, Random]]:
    """Links at any place of pages whose places are all alike: only a removal can tell them apart."""
    draw = Random(3)
    for _ in range(1_500):
        yield even_page(8, 6, draw.randrange(48)), draw


def test_no_classifier_finds_the_right_candidate_among_negatives_by_what_was_removed() -> None:
    rows = rows_of(windows(linked, draw) for linked, draw in many_links())
    assert abs(separability(rows) - 0.5) < CHANCE


@pytest.mark.parametrize("decoys", [0, 3])
def test_the_same_classifier_finds_it_where_other_draws_decide_about_negatives(decoys: int) -> None:
    settings = ContextRemoval(decoys=decoys)

    def one_by_one() -> Iterator[WindowProblem]:
        for linked, draw in many_links():
            problem = remove_context(linked, draw, settings)
            window = window_problem(problem, draw, elsewhere=elsewhere, finder=linked.finder)
            assert window is not None
            yield window

    assert separability(rows_of(one_by_one())) > 0.5 + 3 * CHANCE
