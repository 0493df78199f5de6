"""What an answer says about its best place is compared with what was right."""

from pathlib import Path

import pytest
from bench.link_addresses import SampledSite, cases_of, sample
from bench.reliability import ProbableAnswer, answers_of, calibration_error


def test_answers_that_say_what_is_right_have_no_error_and_boasts_have_one() -> None:
    honest = [ProbableAnswer(0.5, is_right, True) for is_right in (True, False)]
    boasts = [ProbableAnswer(0.95, is_right, True) for is_right in (False, False)]
    assert calibration_error(honest) == 0
    assert calibration_error(boasts) == pytest.approx(0.95)


@pytest.mark.shared_data
def test_on_encyclopedic_pages_sure_answers_are_right_more_often_than_unsure_ones(shared_data: Path) -> None:
    archive = shared_data / "wikipedia/wikipedia-for-schools-2007-en.tar.xz"
    with sample(SampledSite("Schools", archive, {"wp/1": 1.0, "wp/a": 0.2}, language="en")) as folder:
        answers = list(answers_of(cases_of(SampledSite("Schools", archive, {}, language="en"), folder, 60)))
    sure = [answer.is_right for answer in answers if answer.said >= 0.5]
    unsure = [answer.is_right for answer in answers if answer.said < 0.3]
    assert min(len(sure), len(unsure)) >= 5
    assert sum(sure) / len(sure) >= 0.7
    assert sum(unsure) / len(unsure) <= 0.5
