"""The draw of links for a reader: the same for the same seed, none twice, and silent about linkspot's own answer."""

from dataclasses import replace
from pathlib import Path

import pytest
from bench.label_draw import DRAWS, drawn, sheet
from bench.labels import OF_PAPER, labels

DRAW = next(draw for draw in DRAWS if "openttd-de" in draw.corpus)


def test_as_many_links_as_there_are_labels_are_drawn_of_each_corpus() -> None:
    of_corpus = [label.corpus for label in labels() if label.sample == OF_PAPER]
    assert {draw.corpus: draw.number for draw in DRAWS} == {corpus: of_corpus.count(corpus) for corpus in of_corpus}
    assert len(of_corpus) == 150


@pytest.mark.shared_data
def test_a_seed_draws_the_same_links_from_different_pages_and_none_that_has_a_label(shared_data: Path) -> None:
    draw = replace(DRAW, pages=3, number=20)
    first, again, other = (drawn(draw, seed, shared_data) for seed in (5, 5, 6))
    assert first == again != other
    pages = [added.after_revision.page.id for added in first]
    assert len(pages) == len(set(pages)) > 10
    known = {label.event for label in labels()}
    assert not known & {(a.after_revision.page.id, a.after_revision.id, a.added.target) for a in first}
    text = sheet(1, draw, first[0])
    assert first[0].added.target in text
    assert first[0].added.scenario.value not in text
