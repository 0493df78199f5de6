from dataclasses import replace

from tests.ranking.lexical_pages import SIGNAL, article, order

from linkspot.ranking.chance import RandomRanker
from linkspot.records import Entity


def test_chance_depends_on_seed_entity_and_page() -> None:
    page = article(*["Ships sail."] * 5)
    scores = RandomRanker().score(SIGNAL, page)
    assert scores != RandomRanker(seed=1).score(SIGNAL, page)
    assert scores != RandomRanker().score(Entity("Zebra"), page)
    assert scores != RandomRanker().score(SIGNAL, replace(page, title="Sea"))


def test_chance_is_right_once_in_as_many_times_as_there_are_places() -> None:
    page = article(*["Ships sail."] * 10)
    hits = sum(order(RandomRanker(seed).score(SIGNAL, page).places)[0] == 3 for seed in range(2000))
    assert 150 < hits < 250
