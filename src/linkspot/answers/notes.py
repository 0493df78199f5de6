"""Notes: the sentences for people in an answer, beside its places."""

from linkspot.answers.confidence import Confidence
from linkspot.links.existing import ExistingLink
from linkspot.records import Action, Article, Entity, Place, Precedent

ACTIONS: dict[Action, str] = {
    Action.LINK_WORDS: "link these words",
    Action.ADD_TO_SENTENCE: "add it to this sentence",
    Action.ADD_SENTENCE: "add a sentence here",
}
NO_LINK = "(no link)"  # stands for its markup where the page's markup cannot link the target
_LONGEST_QUOTATION = 80  # characters
_LEAST = 0.005  # more than this rounds to 1 %


def own_page_note(entity: Entity) -> str:
    """Say that the target is the page itself."""
    return f"“{entity.names[0]}” is this page itself, and a page never links to itself."


def existing_note(article: Article, entity: Entity, existing: tuple[ExistingLink, ...]) -> str:
    """Say where the page already has the link."""
    mentions = (
        f"“{existing_link.link.mention}” in {_title(article, existing_link.section)}" for existing_link in existing
    )
    where = ", ".join(dict.fromkeys(mentions))
    return f"The page already links “{entity.names[0]}” ({where}); one link is enough in each main section."


def precedent_note(precedent: Precedent) -> str:
    """Say where the page links the target in another language."""
    sentence = quotation(precedent.passage[precedent.linked])
    return f"In {precedent.language}, this page links it in {precedent.section}: {sentence}"


def no_precedent_note(entity: Entity) -> str:
    """Say that none of the page's translations has the link."""
    return f"No translation of this page links to “{entity.names[0]}”, judging by its id and its names."


def nowhere_note(article: Article, entity: Entity, confidence: Confidence | None, *, is_linked: bool) -> str:
    """Say that the link belongs nowhere in the page, or in the rest of it, and how sure that is if the ranker knows."""
    if not article.sentences:
        return "This page has no prose to link from."
    name, rest = entity.names[0], "the rest of this page" if is_linked else "this page"
    if confidence and confidence.says_nowhere:
        return f"Nowhere ({_percent(confidence.nowhere)}): most likely no place in {rest} is right for “{name}”."
    return f"Nowhere: nothing in {rest} fits “{name}”."


def refusal_note(refusal: str) -> str:
    """Say that no link can be written, so that the places have none."""
    return f"{refusal}. The places have no finished link; give the target another title or address."


def doubt_note(entity: Entity, confidence: Confidence) -> str:
    """Say that the link may well belong nowhere."""
    sure = _percent(confidence.nowhere)
    return f"Perhaps nowhere ({sure}): check whether “{entity.names[0]}” belongs in this page at all."


def best_place_note(article: Article, place: Place) -> str:
    """Say which place would be the best, for users who know better than the ranker."""
    where = f"in {_title(article, place.section)}, at {quotation(place.text)} ({how_sure(place)})"
    return f"If you want to link it anyway, the best place is {where}."


def how_sure(place: Place) -> str:
    """Say how likely a place is right, or its score if the ranker has no probabilities."""
    return f"score {place.score:.3g}" if place.probability is None else _percent(place.probability)


def _percent(probability: float) -> str:
    """Return a probability in percent; what is not quite certain is never shown as 0 % or 100 %."""
    if _LEAST < probability < 1 - _LEAST:
        return f"{probability:.0%}"
    return "<1%" if probability <= _LEAST else ">99%"


def quotation(text: str) -> str:
    """Return the text in quotation marks, shortened if it is long."""
    return f"“{text if len(text) <= _LONGEST_QUOTATION else f'{text[:_LONGEST_QUOTATION].rstrip()} …'}”"


def page_name(article: Article) -> str:
    """Return the page's title in quotation marks; a page without one is "this page"."""
    return f"“{article.title}”" if article.title else "this page"


def _title(article: Article, section: int) -> str:
    return article.sections[section].title or "the lead"
