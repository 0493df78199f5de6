"""Recommendations of links in the form that MediaWiki's GrowthExperiments and VisualEditor read."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from linkspot.answers.answer import Answer
from linkspot.answers.source_page import SourcePage
from linkspot.answers.suggester import Suggester
from linkspot.answers.target import Target
from linkspot.door import check_entity
from linkspot.records import Action, Entity, Page, Place
from linkspot.service.candidate_targets import CandidateFinder
from linkspot.service.text_nodes import CountedText, occurrences
from linkspot.service.worker_process import Workplace

_CONTEXT = 10  # characters on each side
_CANDIDATES_A_LINK = 2  # targets that are ranked for each link that is asked for
_PLACES = 5  # of each target, among which the first one in the page may be
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Words of a page and the target that they should lead to."""

    link_text: str
    link_target: str
    wikitext_offset: int
    match_index: int
    context_before: str
    context_after: str
    score: float

    @property
    def end(self) -> int:
        """Where the words end in the wikitext."""
        return self.wikitext_offset + len(self.link_text)


@dataclass(frozen=True, slots=True)
class RecommendationTask:
    """A page in wikitext, the index that knows the pages of its wiki, and what is asked."""

    page: Page
    index: Path
    threshold: float
    most: int
    exclude_sections: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()

    def run(self, workplace: Workplace) -> list[dict[str, Any]]:
        """Return the links in the page's order, in the shape of the contract."""
        source = SourcePage.of(self.page, limits=workplace.limits)
        index = workplace.index(self.index)
        article, counted = source.article, CountedText(self.page, source.article)
        options = (_PLACES, False, self.exclude_sections, workplace.limits)
        suggester = Suggester(workplace.ranker, workplace.ranker_name, *options)
        finder = workplace.opened(CandidateFinder, index)
        entities = [entity for title in self.targets if (entity := index.find((title,), article))]
        entities += finder.targets(article, _CANDIDATES_A_LINK * self.most, self.exclude_sections)
        found: list[Recommendation] = []
        for entity in entities:
            check_entity(entity, workplace.limits)
            answer = suggester.answer(source, Target(entity, index=index))
            best = recommended(answer, entity, counted)
            if best and best.score >= self.threshold:
                found.append(best)
        chosen = sorted(compatible(found, counted)[: self.most], key=lambda one: one.wikitext_offset)
        return [{**asdict(one), "link_index": number} for number, one in enumerate(chosen)]


def recommended(answer: Answer, entity: Entity, counted: CountedText) -> Recommendation | None:
    """Return the link that an answer stands for, if words of the page can become it: the first of the good places.

    The score is how likely the link belongs to one of the places that have words for it. A ranker without
    probabilities only says whether they fit, so its score is 1.
    """
    places = [place for place in answer.places if place.action is Action.LINK_WORDS]
    score = sum(1.0 if place.probability is None else place.probability for place in places)
    links = (_at(place, entity, counted, round(min(1.0, score), _DIGITS)) for place in places)
    return min(filter(None, links), key=lambda link: link.match_index, default=None)


def _at(place: Place, entity: Entity, counted: CountedText, score: float) -> Recommendation | None:
    if place.words is None or not place.link:
        return None
    section = counted.article.sections[place.section]
    node = counted.node_around(place.section, place.words.start, place.words.end)
    words = place.words.cut(section.text)
    if node is None or place.source.cut(counted.page.text) != words:
        return None  # the words are no plain text
    start = place.words.start - node.start
    if start not in occurrences(node.text, words):
        return None  # a front end would find an overlapping one instead
    number = counted.match_index(words, place.source.start)
    if number is None:
        return None
    before, after = node.text[:start], node.text[start + len(words) :]
    return Recommendation(words, entity.title, place.source.start, number, before[-_CONTEXT:], after[:_CONTEXT], score)


def compatible(links: Iterable[Recommendation], counted: CountedText) -> list[Recommendation]:
    """Return the links by falling score, without those whose words are part of better ones' words or contain them.

    Front ends look for all of them in one go, so words that share letters in the page are left out, too.
    """
    chosen: list[Recommendation] = []
    for link in sorted(links, key=lambda link: (-link.score, link.wikitext_offset)):
        others = [other.link_text for other in chosen]
        is_part = any(link.link_text in other or other in link.link_text for other in others)
        if not is_part and not any(_collide(link.link_text, other, counted) for other in others):
            chosen.append(link)
    return chosen


def _collide(words: str, others: str, counted: CountedText) -> bool:
    """Return whether the two share letters somewhere in the page, as "sea wind" and "wind rose" in "sea wind rose"."""
    joined = [
        words + others[shared:] if is_first else others + words[shared:]
        for is_first in (True, False)
        for shared in range(1, min(len(words), len(others)))
        if (words[-shared:] == others[:shared] if is_first else others[-shared:] == words[:shared])
    ]
    return any(overlap in node.text for overlap in joined for node in counted.nodes)
