"""Slices: the groups of scenarios that rankers are judged on."""

from dataclasses import dataclass

from linkspot.records import Scenario

PRESENT = (Scenario.TEXT_PRESENT,)
MISSING = (Scenario.MISSING_MENTION, Scenario.MISSING_SENTENCE, Scenario.MISSING_SPAN)
NOWHERE = (Scenario.MISSING_SECTION,)  # no place in the page is right, so that there is nothing to rank


@dataclass(frozen=True, slots=True)
class Slice:
    """Queries of some scenarios that are judged together, under a name that people read."""

    name: str
    scenarios: tuple[Scenario, ...]


def words(scenario: Scenario) -> str:
    """Return a scenario's name as people read it."""
    return scenario.replace("_", " ")


OVERALL = Slice("Overall", PRESENT + MISSING)
MAIN_SLICES = (OVERALL, Slice("Present", PRESENT), Slice("Missing", MISSING))
SCENARIO_SLICES = tuple(Slice(words(scenario), (scenario,)) for scenario in OVERALL.scenarios)
SLICES = MAIN_SLICES + SCENARIO_SLICES
NOWHERE_SLICE = Slice(words(Scenario.MISSING_SECTION), NOWHERE)
