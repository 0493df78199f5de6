"""From a page and a target to an answer: the places where the link belongs, best first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from linkspot.answers.advice import Advice
from linkspot.answers.confidence import Confidence
from linkspot.answers.notes import (
    best_place_note,
    doubt_note,
    existing_note,
    no_precedent_note,
    nowhere_note,
    own_page_note,
    precedent_note,
)
from linkspot.examples.candidates import candidates
from linkspot.links.existing import ExistingLink, existing_links, is_own_page
from linkspot.links.precedents import MOST_PRECEDENTS, precedents_in
from linkspot.parsing import parse
from linkspot.ranking.ranker import DEFAULT_RANKER, Ranker, has_logits, open_ranker
from linkspot.records import Article, Entity, Page, Place

DEFAULT_TOP = 5


@dataclass(frozen=True)
class Answer:
    """The places for one link in one page, and what the user should know about them."""

    page: Page
    article: Article
    entity: Entity
    ranker: str
    places: tuple[Place, ...]
    scores: tuple[float, ...]
    """One for each candidate of the page, in its order."""
    existing: tuple[ExistingLink, ...] = ()
    notes: tuple[str, ...] = ()
    nowhere: float | None = None
    """How likely the link belongs nowhere in the page, if the ranker can tell."""
    is_nowhere: bool = False
    """Whether the answer is *nowhere*; it has places then only if they were asked for anyway."""


def suggest(
    page: Page,
    target: Entity | Page,
    ranker: str | Ranker = DEFAULT_RANKER,
    top: int = DEFAULT_TOP,
    *,
    anyway: bool = False,
    translations: Sequence[Page] = (),
) -> Answer:
    """Rank the places in the page where a link to the target belongs; no places means nowhere.

    With `anyway` there are places even then: the best of those that the linking rules allow. `translations` are the
    same page in other languages: where they link the target already is a precedent for where it belongs here.
    """
    if top < 1:
        raise ValueError(f"the number of places to return is at least 1, not {top}")
    article = parse(page)
    entity = target if isinstance(target, Entity) else entity_of(parse(target))
    found = precedents_in((parse(other) for other in translations), entity)
    entity = replace(entity, precedents=(*entity.precedents, *found)[:MOST_PRECEDENTS])
    opened = open_ranker(ranker) if isinstance(ranker, str) else ranker
    name = ranker if isinstance(ranker, str) else type(ranker).__name__
    scores = tuple(opened.score(entity, article))
    existing = existing_links(article, entity)
    if is_own_page(article, entity):
        return Answer(page, article, entity, name, (), scores, existing, (own_page_note(entity),), is_nowhere=True)
    confidence = Confidence.of([score - opened.nowhere for score in scores]) if has_logits(opened) else None
    ranked = _ranked(article, scores, existing)
    fitting = _fitting(ranked, scores, opened.nowhere, confidence)
    advice = Advice(page, article, _as_written(entity, page, existing))
    best = _places(advice, (fitting or ranked)[:top], scores, confidence)
    places = best if fitting or anyway else ()
    notes = [existing_note(article, entity, existing)] if existing else []
    notes += [precedent_note(one) for one in entity.precedents]
    if translations and not found:
        notes.append(no_precedent_note(entity))
    if not fitting:
        notes.append(nowhere_note(article, entity, confidence, is_linked=bool(existing)))
    elif confidence and confidence.is_doubtful:
        notes.append(doubt_note(entity, confidence))
    if confidence and best and not places:
        notes.append(best_place_note(article, best[0]))
    nowhere = confidence.nowhere if confidence else None
    return Answer(page, article, advice.entity, name, places, scores, existing, tuple(notes), nowhere, not fitting)


def entity_of(article: Article) -> Entity:
    """Return the entity that a page is about."""
    return Entity(article.title, article.lead, id=article.id)


def _ranked(article: Article, scores: tuple[float, ...], existing: tuple[ExistingLink, ...]) -> list[int]:
    """Return the numbers of the candidates outside of main sections that have the link, best first."""
    majors = article.major_sections
    linked = {majors[found.section] for found in existing}
    free = [number for number, (section, _) in enumerate(article.sentences) if majors[section] not in linked]
    return sorted(free, key=lambda number: -scores[number])


def _fitting(ranked: list[int], scores: tuple[float, ...], nowhere: float, confidence: Confidence | None) -> list[int]:
    """Return those that make sense.

    A ranker that is sure of its probabilities says for the whole page whether the link belongs here; of others each
    score says it for its place.
    """
    if confidence:
        return [] if confidence.says_nowhere else ranked
    return [number for number in ranked if scores[number] > nowhere]


def _as_written(entity: Entity, page: Page, existing: tuple[ExistingLink, ...]) -> Entity:
    """Return the entity with the address that this page links it by elsewhere, if no other is given."""
    written = [found.link.target for found in existing if found.link.target in found.link.source.cut(page.text)]
    return replace(entity, url=written[0]) if written and not entity.url else entity


def _places(
    advice: Advice, numbers: list[int], scores: tuple[float, ...], confidence: Confidence | None
) -> tuple[Place, ...]:
    found = candidates(advice.article)
    return tuple(
        replace(
            advice.place(found[number], scores[number]), probability=confidence.places[number] if confidence else None
        )
        for number in numbers
    )
