"""What an answer says about its best place is compared with what was right."""

from pathlib import Path

import pytest
from bench.link_addresses import SampledSite, cases_of, sample
from bench.reliability import ProbableAnswer, answers_of, calibration_error

PAGES = {
    "signal": "A signal stands beside the rails. Its light is red or green. It is older than the [lamp](lamp.md).",
    "lamp": "A lamp gives light. It burns oil or gas. Many stand at a [station](station.md) all night.",
    "station": "Passengers wait here. Coffee is sold. Trains leave when the [signal](signal.md) turns green.",
}


def test_answers_that_say_what_is_right_have_no_error_and_boasts_have_one() -> None:
    honest = [ProbableAnswer(0.5, is_right, True) for is_right in (True, False)]
    boasts = [ProbableAnswer(0.95, is_right, True) for is_right in (False, False)]
    assert calibration_error(honest) == 0
    assert calibration_error(boasts) == pytest.approx(0.95)


def test_links_are_taken_out_of_pages_and_answers_are_compared_with_where_they_stood(tmp_path: Path) -> None:
    for name, text in PAGES.items():
        (tmp_path / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n", encoding="utf-8")
    answers = list(answers_of(cases_of(SampledSite("Rail", tmp_path, {}, language="en"), tmp_path, 4)))
    assert [answer.has_words for answer in answers] == [True, False, True]
    assert all(0 < answer.said <= 1 for answer in answers)
    assert sum(answer.is_right for answer in answers if answer.has_words) == 2
    assert 0 <= calibration_error(answers) <= 1


@pytest.mark.slow
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
