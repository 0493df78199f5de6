"""The suggester: one ranker and its settings, which answer question after question."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from linkspot.answers.advice import Advice
from linkspot.answers.answer import Answer
from linkspot.answers.confidence import Confidence
from linkspot.answers.excluded_sections import closed_candidates
from linkspot.answers.notes import (
    best_place_note,
    doubt_note,
    existing_note,
    foreign_lead_note,
    kind_notes,
    language_note,
    no_lead_note,
    no_precedent_note,
    nowhere_note,
    own_page_note,
    precedent_note,
    refusal_note,
    unjoined_note,
    unread_note,
)
from linkspot.answers.page_kind import page_kind
from linkspot.answers.scored_page import ScoredPage, scored_page
from linkspot.answers.source_page import SourcePage
from linkspot.answers.target import Target
from linkspot.door import check_entity
from linkspot.errors import WrongType, WrongValue
from linkspot.examples.candidates import candidates
from linkspot.field_types import check_tuple
from linkspot.limits import LIMITS, Limits
from linkspot.links.existing import ExistingLink, existing_links, is_own_page
from linkspot.links.precedents import MOST_PRECEDENTS, precedents_in
from linkspot.parsing.markup import markup_kind
from linkspot.progress import SILENT, Progress
from linkspot.ranking.ranker import LiterateRanker, Ranker, open_ranker
from linkspot.records import Action, Article, Entity, Page, Place
from linkspot.text.mentions import known_names
from linkspot.text.name_parts import PartFinder

_READ_FOR_LETTERS = 50  # sentences: enough to know a page's script
_MOST_UNREAD = 0.25  # of the tokens; each word begins with a token of its own, so half is all of a page


@dataclass(frozen=True, slots=True)
class Suggester:
    """Answers questions with one ranker; see `suggest` for `top`, `anyway` and `exclude_sections`."""

    ranker: Ranker
    name: str
    top: int | None = None
    anyway: bool = False
    exclude_sections: tuple[str, ...] = ()
    limits: Limits = LIMITS

    def __post_init__(self) -> None:
        check_tuple(self, "exclude_sections", str)
        if self.top is None:
            return
        if not isinstance(self.top, int):
            raise WrongType(f"the number of places to return is an int, not {type(self.top).__name__}")
        if self.top < 1:
            raise WrongValue(f"the number of places to return is at least 1, not {self.top}")

    @classmethod
    def of(
        cls, ranker: str | Ranker, top: int | None = None, *, anyway: bool = False, exclude_sections: Sequence[str] = ()
    ) -> "Suggester":
        """Return the suggester with a ranker that is given open or by its name."""
        if isinstance(exclude_sections, str):
            raise WrongType("exclude_sections is a list of titles, not str")
        excluded = tuple(exclude_sections)
        if isinstance(ranker, str):
            return cls(open_ranker(ranker), ranker, top, anyway, excluded)
        if not hasattr(ranker, "score"):
            raise WrongType(f"a ranker is a name or has a method score, which {type(ranker).__name__} has not")
        return cls(ranker, type(ranker).__name__, top, anyway, excluded)

    def answer(
        self,
        source: SourcePage,
        target: Target | Entity,
        translations: Sequence[Article] = (),
        progress: Progress = SILENT,
    ) -> Answer:
        """Return the answer for one page and one target."""
        target = target if isinstance(target, Target) else Target(target, url=target.url)
        article, entity = source.article, target.entity
        check_entity(entity, self.limits)
        precedents = precedents_in(translations, entity)
        entity = replace(entity, precedents=(*entity.precedents, *precedents)[:MOST_PRECEDENTS])
        closed = closed_candidates(article, self.exclude_sections)
        names = known_names(entity, article.language)
        parts = PartFinder(names, _texts(article), entity.lead, article.language, article.title)
        scores = self._scores(entity, article, closed, parts, progress)
        existing = existing_links(article, entity)
        answer = Answer(source.page, article, entity, self.name, (), scores.places, existing, is_nowhere=True)
        answer = replace(answer, kind=page_kind(source.page, article), closed=closed)
        if is_own_page(article, entity):
            return replace(answer, notes=(own_page_note(entity),))
        ranked = scores.ranked(existing)
        fitting = scores.fitting(ranked)
        advice = Advice(source, _as_written(replace(target, entity=entity), source.page, existing), parts)
        best = _places(advice, scores.worth_showing(fitting or ranked, self.top), scores)
        is_wanted = self.anyway or (bool(fitting) and not existing)
        answer = replace(
            answer,
            entity=advice.entity,
            places=best if is_wanted else (),
            nowhere=scores.confidence.nowhere if scores.confidence else None,
            probabilities=scores.confidence.places if scores.confidence else (),
            is_nowhere=not fitting and not existing,
        )
        has_no_precedent = bool(translations) and not precedents
        notes = _notes(answer, entity, scores.confidence, best, has_no_precedent)
        refusals = (refusal_note(advice.refusal),) if advice.refusal and answer.places else ()
        languages = (language_note(article),) if source.is_language_detected else ()
        if self._is_lost_in(article):
            languages = (unread_note(article), *languages)
        if target.index and not entity.precedents and article.language in target.index.languages_apart:
            languages = (unjoined_note(article), *languages)
        return replace(answer, notes=(*notes, *refusals, *languages))

    def _is_lost_in(self, article: Article) -> bool:
        if not isinstance(self.ranker, LiterateRanker):
            return False
        return self.ranker.unread(_texts(article)[:_READ_FOR_LETTERS]) > _MOST_UNREAD

    def _scores(
        self, entity: Entity, article: Article, closed: frozenset[int], parts: PartFinder, progress: Progress
    ) -> ScoredPage:
        """Score the page; a part of the name that stands for all of it counts half of what the name would."""
        scores = scored_page(self.ranker, entity, article, closed, progress.stage("ranking"))
        texts = _texts(article)
        used = parts.used_in(texts) if scores.confidence else ()
        if not used:
            return scores
        named = replace(entity, mentions=(*used, *entity.mentions))
        with_part = scored_page(self.ranker, named, article, closed, progress.stage("ranking"))
        return scores.with_part(
            with_part, frozenset(number for number, text in enumerate(texts) if parts.find(number, text))
        )


def _texts(article: Article) -> list[str]:
    return [sentence.text for _, sentence in article.sentences]


def _as_written(target: Target, page: Page, existing: tuple[ExistingLink, ...]) -> Target:
    """Return the target with the address by which this page links it already, if no other address is given."""
    form = markup_kind(page.markup).link_form
    markups = ((existing_link.link, existing_link.link.source.cut(page.text)) for existing_link in existing)
    addresses = [link.target for link, markup in markups if link.target in markup and not form(markup)]
    if target.url or not addresses:
        return target
    address = min(addresses, key=lambda address: "#" in address)  # the whole page, if some link leads to it
    return replace(target, url=address, entity=replace(target.entity, url=target.entity.url or address))


def _places(advice: Advice, numbers: list[int], scores: ScoredPage) -> tuple[Place, ...]:
    all_candidates = candidates(advice.article)
    return tuple(
        replace(advice.place(all_candidates[number], scores.places[number]), probability=scores.probability(number))
        for number in numbers
    )


def _links_words(places: tuple[Place, ...]) -> bool:
    return any(place.action is Action.LINK_WORDS for place in places)


def _notes(
    answer: Answer, entity: Entity, confidence: Confidence | None, best: tuple[Place, ...], has_no_precedent: bool
) -> tuple[str, ...]:
    """Return what the user should know besides the places, the most important first."""
    article, existing = answer.article, answer.existing
    notes = [existing_note(article, entity, existing, has_places=bool(answer.places))] if existing else []
    if answer.is_nowhere:
        notes.append(nowhere_note(article, entity, confidence))
    notes += [precedent_note(precedent) for precedent in entity.precedents]
    if has_no_precedent:
        notes.append(no_precedent_note(entity))
    if entity.lead and entity.lead_language not in {"", article.language}:
        notes.append(foreign_lead_note(article, entity))
    if confidence and not entity.lead and not existing and not _links_words(best):
        notes.append(no_lead_note(entity))
    if answer.places and confidence and confidence.is_doubtful:
        notes.append(doubt_note(entity, confidence))
    if confidence and best and answer.is_nowhere and not answer.places:
        notes.append(best_place_note(article, best[0]))
    return (*notes, *kind_notes(answer.page, article, answer.kind))
