from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tests.examples.linked_pages import linked_page, seeds

from linkspot.examples.context_removal import ContextRemoval
from linkspot.examples.dataset_reader import ExistingLinks
from linkspot.examples.linked_example import LinkedExample
from linkspot.examples.page_groups import Forgetting, page_groups, removed_together
from linkspot.examples.removal_spots import Removal
from linkspot.records import Entity

MOSTLY_REMOVED = ContextRemoval().leaving_whole(0.2)


def links_of(lengths: list[int], at: set[int]) -> list[LinkedExample]:
    """Links of one page, each to the word that its sentence alone has."""
    linked = []
    for number in sorted(at):
        one = linked_page(lengths, number, mention=f"word{number}")
        linked.append(LinkedExample(Entity(f"word{number}"), one.article, number, one.mention))
    return linked


@given(st.lists(st.integers(2, 12), min_size=1, max_size=3), st.sets(st.integers(0, 5), min_size=1), seeds)
def test_each_link_of_a_page_has_its_own_right_place_in_what_is_left_for_all(
    lengths: list[int], at: set[int], draw: Random
) -> None:
    linked = links_of(lengths, {number % sum(lengths) for number in at})
    after, placed = removed_together(linked, MOSTLY_REMOVED, draw)
    assert placed
    texts = [sentence.text for _section, sentence in after.sentences]
    for one in placed:
        word, gold = one.linked.entity.title, one.gold
        number = int(word.removeprefix("word"))
        if one.removal is Removal.NOTHING:
            assert [number for number, text in enumerate(texts) if f" {word} " in text] == list(gold)
        elif one.removal is Removal.MENTION:
            assert [texts[place] for place in gold] == [f"Number {number} has and more."]
        else:  # the neighbours of what is gone
            assert not any(f"Number {number} " in text for text in texts)
            near = [int(texts[place].split()[1]) for place in gold]
            assert all(abs(one - number) <= 5 for one in near)
            assert min(near) < number < max(near) or len(near) == 1


class Placed:
    """Links that only say where they stand: each the page and the sentence."""

    def __init__(self, places: list[tuple[str, int]]) -> None:
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    def place(self, number: int) -> tuple[tuple[str, str, str], int]:
        page, sentence = self._places[number]
        return ("wiki", "en", page), sentence


def test_links_are_grouped_by_page_and_reach() -> None:
    places = [("a", 0), ("b", 3), ("a", 9), ("a", 1), ("b", 4), ("a", 2), ("a", 2), ("a", 30)]
    links = Placed(places)
    assert set(page_groups(links, most=9)) == {(0, 2, 3, 5, 6, 7), (1, 4)}  # type: ignore[arg-type]
    assert set(page_groups(links, most=9, reach=10)) == {(0, 2, 3, 5, 6), (7,), (1, 4)}  # type: ignore[arg-type]
    assert set(page_groups(links, most=9, reach=2)) == {(0, 3), (5, 6), (2,), (7,), (1, 4)}  # type: ignore[arg-type]


def test_of_more_links_than_go_together_the_seed_draws_which_do() -> None:
    links = Placed([("a", number) for number in range(20)])
    drawn = [page_groups(links, most=6, seed=seed) for seed in (0, 0, 1)]  # type: ignore[arg-type]
    assert sorted(number for group in drawn[0] for number in group) == list(range(20))
    assert [len(group) for group in drawn[0]] == [6, 6, 6, 2]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_link_says_its_page_and_sentence_without_reading_the_page(trees: Path) -> None:
    links = ExistingLinks(trees)
    for number in range(len(links)):
        (corpus, language, _page), sentence = links.place(number)
        assert sentence == links[number].sentence
        assert (corpus, language) == links.wiki(number)
        assert language == links.article(number).language


def test_a_target_is_shown_without_its_lead_or_by_its_title_alone_as_often_as_asked() -> None:
    entity, draw = Entity("Wolf", "A kind of dog.", ("grey wolf",)), Random(1)
    shown = [Forgetting(0.2, 0.5).of(entity, draw) for _ in range(400)]
    assert 0.1 < sum(not one.lead for one in shown) / 400 < 0.3
    assert 0.4 < sum(not one.mentions for one in shown) / 400 < 0.6
    assert Forgetting().of(entity, draw) == entity
    nameless = Entity("", mentions=("grey wolf",))
    assert Forgetting(1.0, 1.0).of(nameless, draw).mentions == ("grey wolf",)
