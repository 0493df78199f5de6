"""The insertions that linkspot finds, compared with a reader's labels of the same edits (in bench/labels.csv)."""

from pathlib import Path

import pytest
from bench.labels import FRESH, NO_INSERTION, OF_PAPER, SAMPLES, labelled_insertions, labels

from linkspot.records import Scenario


def test_there_are_enough_labels_of_every_kind() -> None:
    every = labels()
    assert len(every) >= 200
    assert {label.scenario for label in every} == {*Scenario, NO_INSERTION}
    assert len({label.corpus for label in every}) >= 6
    assert all(bool(label.gold) == (label.scenario not in {Scenario.MISSING_SECTION, NO_INSERTION}) for label in every)


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("within", "samples", "fewest"),
    [("openttd/openttd-e", (FRESH,), 40), pytest.param("", tuple(SAMPLES), 600, marks=pytest.mark.slow)],
)
def test_nearly_all_insertions_have_the_right_place_and_scenario(
    shared_data: Path, within: str, samples: tuple[int, ...], fewest: int
) -> None:
    cases = labelled_insertions(shared_data, samples=samples, within=within)
    kept = [case for case in cases if case.insertion is not None]
    assert len(kept) >= fewest
    for sample in SAMPLES:
        of_sample = [case for case in kept if case.label.sample == sample]
        if len(of_sample) < 20:  # one label would count too much
            continue
        # The last sample was drawn from the paper's protocol, so it has more that is hard to tell from an insertion.
        least_places = 0.9 if sample == OF_PAPER else 0.95
        assert sum(case.has_place for case in of_sample) / len(of_sample) >= least_places
        assert sum(case.has_scenario for case in of_sample) / len(of_sample) >= 0.9
