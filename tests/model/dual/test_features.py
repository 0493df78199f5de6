from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.model.dual.feature_table import (
    COMPARED,
    COMPARISONS,
    FEATURES,
    NAMES,
    PAGE_NAMES,
    SENTENCE_AXES,
    TITLE_AXES,
)
from linkspot.model.dual.features import features, page_features
from linkspot.model.dual.page_view import PageView
from linkspot.model.dual.text_vectors import PageVectors, TargetVectors, unit
from linkspot.parsing import parse
from linkspot.records import Article, Entity, Markup, Page, Precedent

DOCS = Path(__file__).parents[3] / "docs" / "features.md"
TEXT = """The mill stands by the river. It is [old](Age).

Nobody lives there:

## See also

- [Bridge](Old_bridge)
- [Harbour](Old_harbour)
- [Station](Station)

## History

In 1850 the old Mill burned down. A mill pond is left.
"""
MILL = Entity("Mill", "A mill grinds corn.", ("mill pond",), id="places/work/mill")


def article(text: str = TEXT) -> Article:
    return parse(Page("Town", text, Markup.MARKDOWN, "en"))


def matrix(entity: Entity, page: Article, seed: int = 0) -> np.ndarray:
    own, target = _vectors(len(page.sentences), len(page.sections), seed), _vectors(2, 0, seed + 1).sentences
    precedents = tuple(_vectors(len(one.passage), 1, seed + 2) for one in entity.precedents)
    return features(PageView.of(page), own, entity, TargetVectors(*target, precedents))


def _vectors(sentences: int, titles: int, seed: int) -> PageVectors:
    chance = np.random.default_rng(seed)
    drawn = (unit(chance.normal(size=(count, 8)).astype(np.float32)) for count in (sentences, titles))
    return PageVectors(*drawn)


def column(name: str, entity: Entity = MILL, page: Article | None = None) -> list[float]:
    return [round(float(value), 3) for value in matrix(entity, page or article())[:, NAMES.index(name)]]


def test_every_feature_is_explained_in_the_docs() -> None:
    told = DOCS.read_text(encoding="utf-8")
    for name, meaning in {**FEATURES, **COMPARISONS}.items():
        assert f"| `{name}` | {meaning} |" in told
    assert all(f"`{name}`" in told for name in COMPARED)
    assert f"`sentence_axis_{SENTENCE_AXES}`" in told
    assert f"`title_axis_{TITLE_AXES}`" in told


def test_there_is_one_column_for_each_name() -> None:
    page = article()
    found = matrix(MILL, page)
    told = len(FEATURES) + len(COMPARED) * len(COMPARISONS) + SENTENCE_AXES + TITLE_AXES
    assert found.shape == (len(page.sentences), len(NAMES)) == (8, told)
    assert page_features(found).shape == (len(PAGE_NAMES),)
    assert len(set(NAMES)) == len(NAMES)


def test_mentions_are_told_by_how_they_are_written() -> None:
    assert column("mention_near") == [1, 0, 0, 0, 0, 0, 1, 1]
    assert column("mention_folded") == [1, 0, 0, 0, 0, 0, 1, 1]
    assert column("mention_exact") == [0, 0, 0, 0, 0, 0, 1, 1]
    assert column("mention_is_first") == [1, 0, 0, 0, 0, 0, 0, 0]
    assert np.argmax(column("mention_length")) == 7


def test_a_mention_that_leads_elsewhere_is_told_apart() -> None:
    page = article("The [old mill](Ruin) burns. The mill burns.")
    assert column("mention_is_link", MILL, page) == [1, 0]


def test_places_in_page_section_and_paragraph() -> None:
    assert column("is_lead") == [1, 1, 1, 0, 0, 0, 0, 0]
    assert column("is_last_of_section") == [0, 0, 1, 0, 0, 1, 0, 1]
    assert column("is_last_section") == [0, 0, 0, 0, 0, 0, 1, 1]
    assert column("begins_paragraph") == [1, 0, 1, 1, 1, 1, 1, 0]
    assert column("ends_paragraph") == [0, 1, 1, 1, 1, 1, 0, 1]
    assert column("ends_with_colon") == [0, 0, 1, 0, 0, 0, 0, 0]


def test_lists_are_told_from_prose() -> None:
    assert column("is_list_item") == [0, 0, 1, 1, 1, 1, 0, 0]
    assert column("is_link_alone") == [0, 0, 0, 1, 1, 1, 0, 0]
    assert column("links_alone_in_section") == [0, 0, 0, 1, 1, 1, 0, 0]


def test_a_name_has_its_place_in_a_sorted_list() -> None:
    assert column("order_before") == [0, 0, 0, 0, 1, 0, 0, 0]
    assert column("order_after") == [0, 0, 0, 0, 0, 1, 0, 0]


def test_an_item_with_lines_below_it_ends_with_the_last_of_them() -> None:
    text = "".join(
        f"- [{name}]({name})\n\n  It is a long and useful thing, that everyone knows.\n\n" for name in "ACEG"
    )
    assert column("order_before", Entity("D"), article(text)) == [0, 0, 0, 1, 0, 0, 0, 0]
    assert column("order_after", Entity("D"), article(text)) == [0, 0, 0, 0, 1, 0, 0, 0]


def test_links_to_kin_of_the_target_count() -> None:
    page = article("See [this](places/work/smithy). See [that](places/home). See [it](Old_bridge).")
    assert column("link_path", MILL, page) == [1, 0.5, 0]
    assert column("link_words", Entity("Old bridge"), page) == [0, 0, 1]


def test_comparisons_are_with_the_pages_other_sentences() -> None:
    own = np.array(column("lead_similarity"))
    assert column("lead_similarity_to_best")[int(own.argmax())] == 0
    assert column("lead_similarity_rank")[int(own.argmax())] == 0
    assert column("lead_similarity_rank")[int(own.argmin())] == pytest.approx(7 / 8)
    assert np.mean(column("lead_similarity_to_mean")) == pytest.approx(0, abs=1e-3)
    assert column("lead_similarity_in_section")[int(own[:3].argmax())] == 0


def test_a_sentence_like_the_target_is_near_it() -> None:
    page = article()
    vectors = np.eye(8, dtype=np.float32)
    found = features(
        PageView.of(page),
        PageVectors(vectors, vectors[: len(page.sections)]),
        MILL,
        TargetVectors(vectors[4], vectors[7]),
    )
    assert found[:, NAMES.index("names_similarity")].argmax() == 4
    assert found[:, NAMES.index("lead_similarity")].argmax() == 7
    assert found[3, NAMES.index("names_after")] == found[5, NAMES.index("names_before")] == 1


@given(st.integers(1, 40), st.sampled_from(["Mill", "川", "R&D", "a/b/c", "?"]), st.text(max_size=20))
def test_features_are_always_numbers(sentences: int, title: str, lead: str) -> None:
    page = article("The mill. " * sentences)
    assert np.isfinite(matrix(Entity(title, lead), page)).all()


def test_no_feature_knows_more_than_page_and_entity() -> None:
    """The same text with links to nowhere new has the same features: nothing else of the record is read."""
    page = article()
    assert np.array_equal(matrix(MILL, page), matrix(MILL, replace(page, id="other")))


def _precedent(linked: int, place: float = 0.0) -> Precedent:
    return Precedent("fr", "Voir aussi", ("Le moulin.", "Le pont.", "Le port."), linked, place, 0.5, 1.0, 16)


def test_without_a_precedent_nothing_is_said_of_any() -> None:
    found = matrix(MILL, article())
    assert not found[:, [number for number, name in enumerate(NAMES) if name.startswith("precedent")]].any()


def test_a_precedent_is_compared_by_its_sentence_its_neighbours_and_its_title() -> None:
    page, own, read = article(), _vectors(8, 3, 0), _vectors(3, 1, 5)
    entity = replace(MILL, precedents=(_precedent(linked=1),))
    found = features(PageView.of(page), own, entity, TargetVectors(*_vectors(2, 0, 1).sentences, (read,)))
    before, sentence, after = (own.sentences @ read.sentences.T).T
    for name, expected in (("before", before), ("sentence", sentence), ("after", after)):
        assert found[:, NAMES.index(f"precedent_{name}")] == pytest.approx(expected, abs=1e-6)
    title = (own.titles @ read.titles[0])[PageView.of(page).section_of]
    assert found[:, NAMES.index("precedent_title")] == pytest.approx(title, abs=1e-6)
    assert found[0, NAMES.index("precedents")] == pytest.approx(np.log(2))
    assert found[0, NAMES.index("precedent_size")] == pytest.approx(-np.log(2))  # 16 sentences there, 8 here


def test_of_several_precedents_the_nearest_counts() -> None:
    entity = replace(MILL, precedents=(_precedent(0, place=1.0), _precedent(2, place=1 / 7)))
    places = column("precedent_place", entity)
    assert places == [round(-min(abs(number / 7 - 1), abs(number / 7 - 1 / 7)), 3) for number in range(8)]
    # The first passage has no sentence before the link, the second none behind it.
    assert any(column("precedent_before", entity))
    assert any(column("precedent_after", entity))
