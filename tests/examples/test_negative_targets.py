from linkspot.examples.context_removal import Problem
from linkspot.examples.dataset_reader import InsertionExample
from linkspot.examples.negative_targets import and_negative_targets, with_negative_targets
from linkspot.parsing import parse
from linkspot.records import Entity, Example, Markup, Page, Precedent, Scenario

TEXTS = {
    "Train": ("A train runs on [[Rail]]s. It is slow.", "Signal"),
    "Ship": ("A ship needs water. Docks take it in.", "Harbour"),
    "Plane": ("A plane flies. It lands on airports.", "Runway"),
    "Bus": ("A bus drives. A signal stops it.", "Depot"),
}


def _insertions(language: str = "en", corpus: str = "wiki") -> list[InsertionExample]:
    found = []
    for title, (text, target) in TEXTS.items():
        article = parse(Page(title, text, Markup.WIKITEXT, language))
        precedent = Precedent("de", title, (f"{target}.",), 0, 0, 0, 0, 1)
        example = Example(Entity(target, f"{target} is a thing.", precedents=(precedent,)), article, (0,))
        found.append(InsertionExample(example, Scenario.MISSING_MENTION, language, corpus, title))
    return found


def strangers(insertions: list[InsertionExample], seed: int) -> list[Example]:
    return [one.example for one in with_negative_targets(insertions, seed) if one.is_negative_target]


def test_a_stranger_is_the_target_of_another_page_and_belongs_nowhere() -> None:
    found = strangers(_insertions(), seed=1)
    assert [one.article.title for one in found] == ["Train", "Plane"]  # every second one
    for one in found:
        assert one.gold == ()
        assert one.entity.title in {target for _text, target in TEXTS.values()}
        assert one.entity.title != TEXTS[one.article.title][1]
        assert not one.entity.precedents  # those are of the page that it comes from


def test_what_a_page_names_links_or_is_about_is_no_stranger() -> None:
    train, ship, plane, bus = _insertions()
    named = [one for seed in range(30) for one in strangers([bus, train, ship, plane], seed)]
    of_bus = {one.entity.title for one in named if one.article.title == "Bus"}
    assert of_bus == {"Harbour", "Runway"}  # it speaks of a signal
    rail, planes = (
        InsertionExample(Example(Entity(title), ship.example.article, (0,)), *_facts("Ship"))
        for title in ("Rail", "Plane")
    )
    drawn = {
        (one.article.title, one.entity.title)
        for seed in range(30)
        for one in strangers([train, rail, plane, planes], seed)
    }
    assert drawn == {("Train", "Runway"), ("Train", "Plane"), ("Plane", "Signal"), ("Plane", "Rail")}


def _facts(event: str) -> tuple[Scenario, str, str, str]:
    return Scenario.MISSING_MENTION, "en", "wiki", event


def test_strangers_come_from_the_same_wiki_and_language() -> None:
    one = _insertions("de", "other")[:1]
    assert strangers(one, seed=0) == []
    found = strangers([*_insertions(), *one], seed=0)
    assert {example.article.language for example in found} == {"en"}


def test_the_seed_draws_them() -> None:
    told = _insertions()
    drawn = {tuple(one.entity.title for one in strangers(told, seed)) for seed in range(8)}
    assert len(drawn) > 1
    assert strangers(told, 3) == strangers(told, 3)


def test_problems_are_the_insertions_and_then_the_negative_targets() -> None:
    told = _insertions()
    found = with_negative_targets(iter(told), seed=0)
    assert [one.example for one in found[:4]] == [one.example for one in told]
    assert all(not one.example.gold for one in found[4:])
    assert len(found) == 6


def test_problems_that_were_made_get_strangers_too() -> None:
    told = [(one.wiki, Problem(one.example, ignored=frozenset({1}))) for one in _insertions()]
    found = and_negative_targets(told, seed=0)
    assert found[:4] == [one for _wiki, one in told]
    assert [one.is_negative_target for one in found[4:]] == [True, True]
    assert not any(one.ignored for one in found[4:])  # nothing in the page names a stranger
