"""From a page and a target to an answer: the places where the link belongs, best first."""

from dataclasses import dataclass, replace

from linkspot.answers.advice import Advice
from linkspot.answers.confidence import Confidence
from linkspot.examples.candidates import Candidate, candidates
from linkspot.links.existing import ExistingLink, existing_links, is_own_page
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


def suggest(page: Page, target: Entity | Page, ranker: str | Ranker = DEFAULT_RANKER, top: int = DEFAULT_TOP) -> Answer:
    """Rank the places in the page where a link to the target belongs; no places means nowhere."""
    if top < 1:
        raise ValueError(f"the number of places to return is at least 1, not {top}")
    article = parse(page)
    entity = target if isinstance(target, Entity) else entity_of(parse(target))
    opened = open_ranker(ranker) if isinstance(ranker, str) else ranker
    name = ranker if isinstance(ranker, str) else type(ranker).__name__
    places = candidates(article)
    scores = tuple(opened.score(entity, article))
    existing = existing_links(article, entity)
    if is_own_page(article, entity):
        note = f"“{entity.names[0]}” is this very page, and a page never links to itself."
        return Answer(page, article, entity, name, (), scores, existing, (note,))
    confidence = Confidence.of([score - opened.nowhere for score in scores]) if has_logits(opened) else None
    allowed = _allowed(article, places, scores, existing, opened.nowhere, confidence)
    written = [found.link.target for found in existing if found.link.target in found.link.source.cut(page.text)]
    if written and not entity.url:
        entity = replace(entity, url=written[0])  # as this page writes the link elsewhere
    advice = Advice(page, article, entity)
    best = tuple(
        replace(
            advice.place(places[number], scores[number]), probability=confidence.places[number] if confidence else None
        )
        for number in allowed[:top]
    )
    notes = _notes(article, entity, existing, bool(best))
    nowhere = confidence.nowhere if confidence else None
    return Answer(page, article, entity, name, best, scores, existing, notes, nowhere)


def entity_of(article: Article) -> Entity:
    """Return the entity that a page is about."""
    return Entity(article.title, article.lead, id=article.id)


def _allowed(
    article: Article,
    places: list[Candidate],
    scores: tuple[float, ...],
    existing: tuple[ExistingLink, ...],
    nowhere: float,
    confidence: Confidence | None,
) -> list[int]:
    """Return the numbers of candidates that make sense, best first, outside of sections that have the link.

    A ranker that is sure of its probabilities says for the whole page whether the link belongs here; of others each
    score says it for its place.
    """
    if confidence and confidence.says_nowhere:
        return []
    linked = {article.major_sections[found.section] for found in existing}
    ranked = sorted(range(len(places)), key=lambda number: -scores[number])
    return [
        number
        for number in ranked
        if (confidence or scores[number] > nowhere)
        and article.major_sections[places[number].section_index] not in linked
    ]


def _notes(article: Article, entity: Entity, existing: tuple[ExistingLink, ...], has_places: bool) -> tuple[str, ...]:
    name = entity.names[0]
    if not article.sentences:
        return ("This page has no prose to link from.",)
    notes = []
    if existing:
        where = ", ".join(dict.fromkeys(_where(article, found) for found in existing))
        notes.append(f"The page links “{name}” already ({where}); one link is enough in each main section.")
    if not has_places:
        rest = "the rest of this page" if existing else "this page"
        notes.append(f"Nowhere: nothing in {rest} speaks of “{name}”.")
    return tuple(notes)


def _where(article: Article, found: ExistingLink) -> str:
    title = article.sections[found.section].title
    return f"“{found.link.mention}” in {title or 'the lead'}"
