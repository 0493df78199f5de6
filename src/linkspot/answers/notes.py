"""Notes: sentences for people, beside the places of an answer."""

from linkspot.answers.confidence import Confidence
from linkspot.links.existing import ExistingLink
from linkspot.records import Action, Article, Entity, Place, Precedent

ACTIONS: dict[Action, str] = {
    Action.LINK_WORDS: "link these words",
    Action.ADD_TO_SENTENCE: "add it to this sentence",
    Action.ADD_SENTENCE: "add a sentence here",
}
_LONGEST_QUOTATION = 80  # characters
_LEAST = 0.005  # more than this rounds to 1 %


def own_page_note(entity: Entity) -> str:
    """Say that the target is the page itself."""
    return f"“{entity.names[0]}” is this very page, and a page never links to itself."


def existing_note(article: Article, entity: Entity, existing: tuple[ExistingLink, ...]) -> str:
    """Say where the page has the link already."""
    found = (f"“{one.link.mention}” in {_title(article, one.section)}" for one in existing)
    where = ", ".join(dict.fromkeys(found))
    return f"The page links “{entity.names[0]}” already ({where}); one link is enough in each main section."


def precedent_note(precedent: Precedent) -> str:
    """Say where the page links the target in another language."""
    sentence = quotation(precedent.passage[precedent.linked])
    return f"In {precedent.language}, this page links it in {precedent.section}: {sentence}"


def no_precedent_note(entity: Entity) -> str:
    """Say that none of the page's translations has the link."""
    return f"No translation of this page has a link that leads to “{entity.names[0]}”, as far as its id and names tell."


def nowhere_note(article: Article, entity: Entity, confidence: Confidence | None, *, is_linked: bool) -> str:
    """Say that the link belongs nowhere in the page or its rest, and if the ranker can tell, how sure it is."""
    if not article.sentences:
        return "This page has no prose to link from."
    name, rest = entity.names[0], "the rest of this page" if is_linked else "this page"
    if confidence and confidence.says_nowhere:
        return f"Nowhere ({_percent(confidence.nowhere)}): most likely no place in {rest} is right for “{name}”."
    return f"Nowhere: nothing in {rest} speaks of “{name}”."


def doubt_note(entity: Entity, confidence: Confidence) -> str:
    """Say that the link may well belong nowhere."""
    sure = _percent(confidence.nowhere)
    return f"Perhaps nowhere ({sure}): look whether “{entity.names[0]}” belongs in this page at all."


def best_place_note(article: Article, place: Place) -> str:
    """Say which place would be the best, for those who know better than the ranker."""
    where = f"in {_title(article, place.section)}, at {quotation(place.text)} ({how_sure(place)})"
    return f"If it is to be linked anyway, the best place is {where}."


def how_sure(place: Place) -> str:
    """Say how likely a place is right, or where the ranker cannot tell, its score."""
    return f"score {place.score:.3g}" if place.probability is None else _percent(place.probability)


def _percent(probability: float) -> str:
    """Return it as people read it; what is not quite certain is not called so."""
    if _LEAST < probability < 1 - _LEAST:
        return f"{probability:.0%}"
    return "<1%" if probability <= _LEAST else ">99%"


def quotation(text: str) -> str:
    """Return the text in quotation marks, shortened if it is long."""
    return f"“{text if len(text) <= _LONGEST_QUOTATION else f'{text[:_LONGEST_QUOTATION].rstrip()} …'}”"


def _title(article: Article, section: int) -> str:
    return article.sections[section].title or "the lead"
