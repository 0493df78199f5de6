from collections.abc import Iterator
from dataclasses import replace
from hashlib import md5
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples.linked_pages import ALWAYS, even_page, linked_page, linked_pages, seeds
from tests.examples.test_window_removal import features
from tests.surface import CHANCE, Row, separability

from linkspot.examples.candidates import candidates
from linkspot.examples.context_removal import ContextRemoval, Problem, remove_context
from linkspot.examples.linked_example import LinkedExample
from linkspot.examples.removal_spots import Removal
from linkspot.records import Entity


@given(linked_pages(), seeds)
def test_where_a_mention_is_removed_every_other_sentence_loses_words_too(linked: LinkedExample, draw: Random) -> None:
    problem = remove_context(linked, draw, ALWAYS[Removal.MENTION])
    before, after = ([own.text for _, own in page.sentences] for page in (linked.article, problem.example.article))
    assert not set(before) & set(after)
    assert {*problem.decoys, *problem.example.gold} == set(range(len(after)))


@given(linked_pages(), st.sampled_from([Removal.SENTENCE, Removal.SPAN]), seeds)
def test_where_sentences_are_removed_every_sentence_of_a_section_is_beside_a_removal(
    linked: LinkedExample, removal: Removal, draw: Random
) -> None:
    problem = remove_context(linked, draw, ALWAYS[removal])
    if problem.removal in {Removal.SENTENCE, Removal.SPAN}:
        kept = {*problem.decoys, *problem.example.gold}
        for number, (index, _) in enumerate(problem.example.article.sentences):
            assert number in kept or len(linked.article.sections[index].sentences) == 1


def test_what_names_the_target_stays_and_is_ignored() -> None:
    linked = linked_page([12] * 4, 5)
    named = replace(linked, entity=Entity("Zebra", mentions=("word20", "word33")))
    for removal in (Removal.MENTION, Removal.SENTENCE, Removal.SPAN):
        for seed in range(20):
            problem = remove_context(named, Random(seed), ALWAYS[removal])
            texts = [sentence.text for _, sentence in problem.example.article.sentences]
            assert {texts[number] for number in problem.ignored} == {
                "Number 20 has word20 and more.",
                "Number 33 has word33 and more.",
            }


def test_a_few_decoys_leave_most_of_the_page_as_it_was() -> None:
    linked = linked_page([12] * 4, 5)
    before = {sentence.text for _, sentence in linked.article.sentences}
    problem = remove_context(linked, Random(0), replace(ALWAYS[Removal.MENTION], decoys=3))
    after = {sentence.text for _, sentence in problem.example.article.sentences}
    assert len(problem.decoys) == 3
    assert len(before - after) == 4


def test_a_few_decoys_are_drawn_as_they_were_for_the_shipped_model() -> None:
    draw, problems = Random(1), []
    for _ in range(300):
        linked = linked_page([9, 5, 12, 3], draw.randrange(29))
        problem = remove_context(linked, draw, ContextRemoval(decoys=3))
        texts = [sentence.text for _, sentence in problem.example.article.sentences]
        problems.append((texts, problem.example.gold, problem.decoys, str(problem.removal)))
    assert md5(repr(problems).encode()).hexdigest() == "14f9825c9d20833b885d5c529ceaa7d0"


def rows(settings: ContextRemoval, sections: int, length: int) -> Iterator[Row]:
    """What is seen of each sentence, compared with the other sentences of its page: a page's rivals are its own."""
    draw = Random(5)
    for number in range(700):
        linked = even_page(sections, length, draw.randrange(sections * length))
        problem = remove_context(linked, draw, settings)
        seen = np.array([features(candidate) for candidate in candidates(problem.example.article)], float)
        seen -= seen.mean(axis=0)
        yield from ((number, is_gold, seen[place]) for place, is_gold in _answers(problem))


def _answers(problem: Problem) -> Iterator[tuple[int, bool]]:
    for place in range(len(problem.example.article.sentences)):
        if place not in problem.ignored:
            yield place, place in problem.example.gold


SHORT, LONG = (4, 6), (5, 12)  # sections of a page, and sentences of each
LOSSES = [Removal.MENTION, Removal.SENTENCE, Removal.SPAN]


@pytest.mark.parametrize(
    ("removal", "size"),
    [
        (Removal.NOTHING, SHORT),
        (Removal.MENTION, SHORT),
        (Removal.SENTENCE, SHORT),
        (Removal.SPAN, LONG),  # on SHORT pages, the classifier reaches .54
        *(pytest.param(one, LONG, marks=pytest.mark.slow) for one in Removal if one is not Removal.SPAN),
    ],
)
def test_no_classifier_finds_the_right_sentence_of_a_page_by_what_was_removed(
    removal: Removal, size: tuple[int, int]
) -> None:
    assert abs(separability(rows(ALWAYS[removal], *size)) - 0.5) < CHANCE


@pytest.mark.parametrize("size", [SHORT, pytest.param(LONG, marks=pytest.mark.slow)])
@pytest.mark.parametrize("removal", LOSSES)
def test_the_same_classifier_finds_it_where_few_places_are_treated(removal: Removal, size: tuple[int, int]) -> None:
    assert separability(rows(replace(ALWAYS[removal], decoys=3), *size)) > 0.8
