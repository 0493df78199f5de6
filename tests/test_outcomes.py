from dataclasses import dataclass

from bench.outcomes import FEWEST, languages, means, outcomes, slices

from linkspot.records import Scenario


@dataclass(frozen=True)
class Case:
    language: str
    gold: tuple[int, ...]
    scores: tuple[float, ...]
    scenario: Scenario | None = None


def test_cases_without_a_right_place_are_not_counted_and_ties_count_against_the_ranker() -> None:
    cases = [Case("en", (1,), (0.0, 1.0)), Case("en", (0,), (1.0, 1.0)), Case("en", (), (1.0,))]
    results = outcomes(cases, lambda case: case.scores)
    assert [result.hits_at_1 for result in results] == [1.0, 0.0]
    assert means([results]) == (0.5, 0.75)


def test_figures_are_grouped_by_scenario_and_by_languages_with_enough_cases() -> None:
    present = Case("en", (0,), (1.0, 0.0), Scenario.TEXT_PRESENT)
    results = outcomes([present] * FEWEST + [Case("sw", (0,), (0.0, 1.0))], lambda case: case.scores)
    assert [len(part) for part in slices(results)] == [FEWEST, 1]
    assert [group[0].language for group in languages(results)] == ["en"]
