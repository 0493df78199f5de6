"""From a page and a target to an answer: the places where the link belongs, best first."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from linkspot.answers.advice import Advice
from linkspot.answers.answer import Answer
from linkspot.answers.confidence import Confidence
from linkspot.answers.notes import (
    best_place_note,
    doubt_note,
    existing_note,
    no_precedent_note,
    nowhere_note,
    own_page_note,
    precedent_note,
    refusal_note,
)
from linkspot.answers.source_page import PageInput, SourcePage
from linkspot.answers.target import TargetInput, Targets, target_or_path
from linkspot.errors import WrongType, WrongValue
from linkspot.examples.candidates import candidates
from linkspot.links.existing import ExistingLink, existing_links, is_own_page
from linkspot.links.index import IndexInput
from linkspot.links.precedents import MOST_PRECEDENTS, precedents_in
from linkspot.ranking.ranker import DEFAULT_RANKER, Ranker, open_ranker
from linkspot.records import Article, Entity, Page, Place

DEFAULT_TOP = 5


def suggest(
    page: PageInput,
    target: TargetInput,
    ranker: str | Ranker = DEFAULT_RANKER,
    top: int = DEFAULT_TOP,
    *,
    markup: str = "",
    language: str = "",
    index: IndexInput | None = None,
    anyway: bool = False,
    translations: Sequence[PageInput] = (),
) -> Answer:
    """Rank the places in a page where a link to a target belongs; no places means nowhere.

    ```python
    answer = linkspot.suggest("dog.html", "wolf.html")
    answer = linkspot.suggest("dog.html", "Gray wolf")
    answer = linkspot.suggest("Dogs eat '''meat'''.", "Meat", markup="wikitext", language="en")
    ```

    A string of one line is a path if it ends like a page's file (`.html`, `.wiki`, `.md` …). Any other string is the
    page's markup, or the target's title. A page's string is a path also if a file has that name; for a target that is
    an error, as it might be a title. To leave no doubt, pass a `pathlib.Path`, a `Page` or an `Entity`.

    Args:
        page: The page that gets the link: a path, a `Page`, or a string of markup.
        target: What the link leads to: an `Entity`, a `Page`, a path, or a title.
        ranker: How to score places: a name that `linkspot rankers` lists, a model's folder, or a ranker.
        top: How many places to return at most.
        markup: The page's markup (`html`, `wikitext`, `markdown`), if its file's name does not show it. A string of
            markup needs it.
        language: The page's language (`en`, `sw`, `zh-tw`), if the page does not say it. A string of
            markup needs it, too.
        index: What `open_index` opens, or its folder: the target's lead and mentions come from there, and where other
            languages' versions of the page link the target.
        anyway: Whether to return the best places even if the answer is *nowhere*.
        translations: The same page in other languages: where they link the target is a hint for where it belongs.
    """
    suggester = Suggester.of(ranker, top, anyway=anyway)
    if isinstance(translations, str | os.PathLike | Page):
        raise WrongType(f"translations is a list of pages, not {type(translations).__name__}")
    named = target_or_path(target)  # a wrong target is refused before anything is read
    source = SourcePage.of(page, markup, language)
    entity = Targets(index).entity(named, source)
    return suggester.answer(source, entity, [SourcePage.of(other).article for other in translations])


@dataclass(frozen=True, slots=True)
class Suggester:
    """Answers questions with one ranker, at most `top` places each; see `suggest` for `anyway`."""

    ranker: Ranker
    name: str
    top: int = DEFAULT_TOP
    anyway: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.top, int):
            raise WrongType(f"the number of places to return is an int, not {type(self.top).__name__}")
        if self.top < 1:
            raise WrongValue(f"the number of places to return is at least 1, not {self.top}")

    @classmethod
    def of(cls, ranker: str | Ranker, top: int = DEFAULT_TOP, *, anyway: bool = False) -> "Suggester":
        """Return the suggester with a ranker that is given open or by its name."""
        if isinstance(ranker, str):
            return cls(open_ranker(ranker), ranker, top, anyway)
        if not hasattr(ranker, "score"):
            raise WrongType(f"a ranker is a name or has a method score, which {type(ranker).__name__} has not")
        return cls(ranker, type(ranker).__name__, top, anyway)

    def answer(self, source: SourcePage, target: Entity, translations: Sequence[Article] = ()) -> Answer:
        """Return the answer for one page and one target."""
        article = source.article
        precedents = precedents_in(translations, target)
        entity = replace(target, precedents=(*target.precedents, *precedents)[:MOST_PRECEDENTS])
        scores = self._scores(entity, article)
        existing = existing_links(article, entity)
        answer = Answer(source.page, article, entity, self.name, (), scores.places, existing, is_nowhere=True)
        if is_own_page(article, entity):
            return replace(answer, notes=(own_page_note(entity),))
        ranked = _ranked(article, scores.places, existing)
        fitting = scores.fitting(ranked)
        advice = Advice(source.page, article, _as_written(entity, source.page, existing))
        best = _places(advice, (fitting or ranked)[: self.top], scores)
        answer = replace(
            answer,
            entity=advice.entity,
            places=best if fitting or self.anyway else (),
            nowhere=scores.confidence.nowhere if scores.confidence else None,
            is_nowhere=not fitting,
        )
        has_no_precedent = bool(translations) and not precedents
        notes = _notes(answer, entity, scores.confidence, best, has_no_precedent)
        refusals = (refusal_note(advice.refusal),) if advice.refusal and answer.places else ()
        return replace(answer, notes=(*notes, *refusals))

    def _scores(self, entity: Entity, article: Article) -> "_Scored":
        scores = self.ranker.score(entity, article)
        confidence = Confidence.of(scores.places, scores.nowhere) if scores.are_logits else None
        return _Scored(scores.places, scores.nowhere, confidence)


@dataclass(frozen=True, slots=True)
class _Scored:
    """The scores of all candidates and of *nowhere*, and as probabilities, if they are logits."""

    places: tuple[float, ...]
    nowhere: float
    confidence: Confidence | None

    def fitting(self, ranked: list[int]) -> list[int]:
        """Return the candidates where the link makes sense.

        A ranker with probabilities says for the whole page whether the link belongs there; of others, each score says
        it for its own place.
        """
        if self.confidence:
            return [] if self.confidence.says_nowhere else ranked
        return [number for number in ranked if self.places[number] > self.nowhere]

    def probability(self, number: int) -> float | None:
        """Return how likely a candidate is the right place, if the ranker has probabilities."""
        return self.confidence.places[number] if self.confidence else None


def _ranked(article: Article, scores: tuple[float, ...], existing: tuple[ExistingLink, ...]) -> list[int]:
    """Return the numbers of the candidates outside of main sections that have the link already, best first."""
    majors = article.major_sections
    linked = {majors[existing_link.section] for existing_link in existing}
    free = [number for number, (section, _) in enumerate(article.sentences) if majors[section] not in linked]
    return sorted(free, key=lambda number: -scores[number])


def _as_written(entity: Entity, page: Page, existing: tuple[ExistingLink, ...]) -> Entity:
    """Return the entity with the address by which this page links it already, if it has no other address."""
    links = (existing_link.link for existing_link in existing)
    addresses = [link.target for link in links if link.target in link.source.cut(page.text)]
    return replace(entity, url=addresses[0]) if addresses and not entity.url else entity


def _places(advice: Advice, numbers: list[int], scores: _Scored) -> tuple[Place, ...]:
    all_candidates = candidates(advice.article)
    return tuple(
        replace(advice.place(all_candidates[number], scores.places[number]), probability=scores.probability(number))
        for number in numbers
    )


def _notes(
    answer: Answer, entity: Entity, confidence: Confidence | None, best: tuple[Place, ...], has_no_precedent: bool
) -> tuple[str, ...]:
    """Return what the user should know besides the places: what is there already, then how sure the answer is."""
    article, existing = answer.article, answer.existing
    notes = [existing_note(article, entity, existing)] if existing else []
    notes += [precedent_note(precedent) for precedent in entity.precedents]
    if has_no_precedent:
        notes.append(no_precedent_note(entity))
    if answer.is_nowhere:
        notes.append(nowhere_note(article, entity, confidence, is_linked=bool(existing)))
    elif confidence and confidence.is_doubtful:
        notes.append(doubt_note(entity, confidence))
    if confidence and best and not answer.places:
        notes.append(best_place_note(article, best[0]))
    return tuple(notes)
