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
    insertions = []
    for title, (text, target) in TEXTS.items():
        article = parse(Page(title, text, Markup.WIKITEXT, language))
        precedent = Precedent("de", title, (f"{target}.",), 0, 0, 0, 0, 1)
        example = Example(Entity(target, f"{target} is a thing.", precedents=(precedent,)), article, (0,))
        insertions.append(InsertionExample(example, Scenario.MISSING_MENTION, language, corpus, title))
    return insertions


def negatives(insertions: list[InsertionExample], seed: int) -> list[Example]:
    return [one.example for one in with_negative_targets(insertions, seed) if one.is_negative_target]


def test_a_negative_target_is_the_target_of_another_page_and_belongs_nowhere() -> None:
    examples = negatives(_insertions(), seed=1)
    assert [one.article.title for one in examples] == ["Train", "Plane"]  # every second one
    for one in examples:
        assert one.gold == ()
        assert one.entity.title in {target for _text, target in TEXTS.values()}
        assert one.entity.title != TEXTS[one.article.title][1]
        assert not one.entity.precedents  # those are of the page that it comes from


def test_what_a_page_names_links_or_is_about_is_no_negative_target() -> None:
    train, ship, plane, bus = _insertions()
    named = [one for seed in range(30) for one in negatives([bus, train, ship, plane], seed)]
    of_bus = {one.entity.title for one in named if one.article.title == "Bus"}
    assert of_bus == {"Harbour", "Runway"}  # it speaks of a signal
    rail, planes = (
        InsertionExample(Example(Entity(title), ship.example.article, (0,)), *_facts("Ship"))
        for title in ("Rail", "Plane")
    )
    drawn = {
        (one.article.title, one.entity.title)
        for seed in range(30)
        for one in negatives([train, rail, plane, planes], seed)
    }
    assert drawn == {("Train", "Runway"), ("Train", "Plane"), ("Plane", "Signal"), ("Plane", "Rail")}


def _facts(event: str) -> tuple[Scenario, str, str, str]:
    return Scenario.MISSING_MENTION, "en", "wiki", event


def test_negative_targets_come_from_the_same_wiki_and_language() -> None:
    one = _insertions("de", "other")[:1]
    assert negatives(one, seed=0) == []
    examples = negatives([*_insertions(), *one], seed=0)
    assert {example.article.language for example in examples} == {"en"}


def test_the_seed_draws_them() -> None:
    insertions = _insertions()
    drawn = {tuple(one.entity.title for one in negatives(insertions, seed)) for seed in range(8)}
    assert len(drawn) > 1
    assert negatives(insertions, 3) == negatives(insertions, 3)


def test_problems_are_the_insertions_and_then_the_negative_targets() -> None:
    insertions = _insertions()
    problems = with_negative_targets(iter(insertions), seed=0)
    assert [one.example for one in problems[:4]] == [one.example for one in insertions]
    assert all(not one.example.gold for one in problems[4:])
    assert len(problems) == 6


def test_problems_that_were_made_get_negative_targets_too() -> None:
    pairs = [(one.wiki, Problem(one.example, ignored=frozenset({1}))) for one in _insertions()]
    problems = and_negative_targets(pairs, seed=0)
    assert problems[:4] == [problem for _wiki, problem in pairs]
    assert [one.is_negative_target for one in problems[4:]] == [True, True]
    assert not any(one.ignored for one in problems[4:])  # nothing in the page names a negative target
