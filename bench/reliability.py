"""Whether an answer's probabilities mean what they say, on encyclopedic pages and on those of documentation.

A link is taken out of a real page, every second time with its words; the answer is right if its best place is the
sentence where the link stood. Pages that name or link the target elsewhere are left out, since another sentence may be
as right.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bench.link_addresses import SITES, Case, SampledSite, by_file, cases_of, sample
from linkspot.answers.source_page import SourcePage
from linkspot.answers.suggester import Suggester
from linkspot.errors import LinkspotError
from linkspot.links.existing import existing_links
from linkspot.metrics.calibration import Reliability
from linkspot.parsing import parse
from linkspot.records import Article, Entity, Page
from linkspot.text.mentions import MentionFinder, known_names

RANGES = ((0.0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.01))
_DRAWN = 600  # links of each site, of which those of ambiguous pages are left out
_KINDS = {"Wikipedia for Schools (HTML)": "encyclopedia", "MDN": "documentation", "ArchWiki": "wiki"}


@dataclass(frozen=True, slots=True)
class ProbableAnswer:
    """What an answer said about its best place, and whether that place was right."""

    said: float
    is_right: bool
    has_words: bool


def measure(options: Sequence[str] = ()) -> str:
    """Return what was said and what was right, by kind of page and by probability."""
    parser = argparse.ArgumentParser(prog="python -m bench reliability")
    parser.add_argument("--links", type=int, default=_DRAWN, help="how many links are drawn of each site")
    links = parser.parse_args(options).links
    rows = [row for site in SITES if site.name in _KINDS for row in _rows(site, links)]
    return "\n".join([_INTRODUCTION, *rows])


_INTRODUCTION = """Links are taken out of real pages, every second time with their words; pages that name the target elsewhere are left
out. *Said* is the mean probability of the best place, *right* the share of answers whose best place is the sentence
where the link stood. The last row of each site has the expected calibration error (ECE, ten bins).

| site | words | the answer says | answers | said | right |
| --- | --- | --- | ---: | ---: | ---: |"""  # noqa: E501


def _rows(site: SampledSite, links: int) -> Iterator[str]:
    with sample(site) as folder:
        answers = list(answers_of(cases_of(site, folder, links)))
    name = f"{site.name.partition(' (')[0]} ({_KINDS[site.name]})"
    for has_words, words in ((True, "there"), (False, "taken out")):
        own = [answer for answer in answers if answer.has_words == has_words]
        for low, high in RANGES:
            inside = [answer for answer in own if low <= answer.said < high]
            if inside:
                yield f"| {name} | {words} | {low:.0%} – {min(high, 1):.0%} | {_cells(inside)} |"
    yield f"| {name} | both | ECE {calibration_error(answers):.3f} | {_cells(answers)} |"


def _cells(answers: Sequence[ProbableAnswer]) -> str:
    said, right = (np.mean([getattr(answer, name) for answer in answers]) for name in ("said", "is_right"))
    return f"{len(answers)} | {said:.1%} | {right:.1%}"


def calibration_error(answers: Sequence[ProbableAnswer]) -> float:
    """Return the expected calibration error of what was said about the best places."""
    said = np.array([answer.said for answer in answers])
    return Reliability.of(said, np.array([answer.is_right for answer in answers])).error


def answers_of(cases: Iterable[Case]) -> Iterator[ProbableAnswer]:
    """Yield the model's answers to cases that have one right place."""
    suggester = Suggester.of("linkspot", top=1, anyway=True)
    for number, case in enumerate(cases):
        has_words = number % 2 == 0
        page = case.without if has_words else _without_words(case)
        try:
            source = SourcePage(page, parse(page), case.file)
            target = by_file(case).target(source)
            right = _sentence_at(source.article, case.link.source.start)
            if right is None or _is_ambiguous(source.article, target.entity, right):
                continue
            places = suggester.answer(source, target).places
        except LinkspotError:
            continue
        if places and places[0].probability is not None:
            is_right = (places[0].section, places[0].sentence) == right
            yield ProbableAnswer(places[0].probability, is_right, has_words)


def _without_words(case: Case) -> Page:
    """Return the page without the link and its words, and without the white space that would be there twice."""
    start, end = case.link.source.start, case.link.source.end
    before, after = case.page.text[:start], case.page.text[end:]
    return replace(case.page, text=before + (after[1:] if before[-1:].isspace() and after[:1] == " " else after))


def _sentence_at(article: Article, position: int) -> tuple[int, int] | None:
    """Return the section and number of the sentence at a position of the markup."""
    for index, section in enumerate(article.sections):
        for number, sentence in enumerate(section.sentences):
            if sentence.source.start <= position <= sentence.source.end:
                return index, number
    return None


def _is_ambiguous(article: Article, entity: Entity, right: tuple[int, int]) -> bool:
    """Return whether the page links the target, or names it in another sentence than the right one."""
    if existing_links(article, entity):
        return True
    finder = MentionFinder(known_names(entity, article.language), article.language)
    return any(
        finder.find(sentence.text)
        for index, section in enumerate(article.sections)
        for number, sentence in enumerate(section.sentences)
        if (index, number) != right
    )
