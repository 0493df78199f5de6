"""The found insertions, judged against what a reader said of the same edits (ids and labels in bench/labels.csv)."""

from pathlib import Path

import pytest
from bench.labels import NO_INSERTION, SAMPLES, labels, verdicts

from linkspot.records import Scenario


def test_the_labels_are_many_and_of_every_kind() -> None:
    every = labels()
    assert len(every) >= 200
    assert {label.scenario for label in every} == {*Scenario, NO_INSERTION}
    assert len({label.corpus for label in every}) >= 6
    assert all(bool(label.gold) == (label.scenario not in {Scenario.MISSING_SECTION, NO_INSERTION}) for label in every)


@pytest.mark.shared_data
def test_nearly_all_found_insertions_have_the_right_place_and_scenario(shared_data: Path) -> None:
    kept = [verdict for verdict in verdicts(shared_data) if verdict.found is not None]
    assert len(kept) >= 540
    for sample in SAMPLES:
        of_sample = [verdict for verdict in kept if verdict.label.sample == sample]
        assert sum(verdict.has_place for verdict in of_sample) / len(of_sample) >= 0.95
        assert sum(verdict.has_scenario for verdict in of_sample) / len(of_sample) >= 0.9
