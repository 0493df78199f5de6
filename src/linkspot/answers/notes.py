"""Notes: the sentences for people in an answer, beside its places."""

from linkspot.answers.confidence import Confidence
from linkspot.answers.page_kind import PageKind
from linkspot.links.existing import ExistingLink
from linkspot.parsing import redirect_target
from linkspot.records import Action, Article, Entity, Page, Place, Precedent

ACTIONS: dict[Action, str] = {
    Action.LINK_WORDS: "link these words",
    Action.ADD_TO_SENTENCE: "add it to this sentence",
    Action.ADD_SENTENCE: "add a sentence here",
}
NO_LINK = "(no link)"  # stands for its markup where the page's markup cannot link the target
_LONGEST_QUOTATION = 80  # characters
_MOST_EXISTING = 3  # links that are named one by one, besides the first
_LEAST = 0.005  # more than this rounds to 1 %


def own_page_note(entity: Entity) -> str:
    """Say that the target is the page itself."""
    return f"“{entity.names[0]}” is this page itself, and a page never links to itself."


def existing_note(article: Article, entity: Entity, existing: tuple[ExistingLink, ...], *, has_places: bool) -> str:
    """Say where the page already has the link."""
    mentions = (
        f"“{existing_link.link.mention}” in {_title(article, existing_link.section)}" for existing_link in existing
    )
    where, *others = dict.fromkeys(mentions)
    more = f" and {len(others)} more" if len(others) > _MOST_EXISTING else "".join(f", {other}" for other in others)
    enough = "One link is enough in each main section" if has_places else "One link is usually enough"
    ask = "" if has_places else "; to see other places, ask with --anyway (in Python: anyway=True)"
    return f"Already linked: this page links “{entity.names[0]}” by {where}{more}. {enough}{ask}."


def kind_notes(page: Page, article: Article, kind: PageKind) -> list[str]:
    """Say what kind of page this is, if that makes it a poor place for links."""
    if kind is PageKind.REDIRECT:
        return [f"This page redirects to “{redirect_target(page)}”; a link belongs in that page, not in this one."]
    if kind is PageKind.LIST:
        return ["Most of this page is a list: a new entry may be better than a link in another one."]
    if kind is PageKind.STUB:
        number = len(article.sentences)
        return [f"This page is very short ({number} sentence{'s' * (number > 1)}), so there is little to compare."]
    return []


def precedent_note(precedent: Precedent) -> str:
    """Say where the page links the target in another language."""
    sentence = quotation(precedent.passage[precedent.linked])
    return f"In {precedent.language}, this page links it in {precedent.section}: {sentence}"


def no_precedent_note(entity: Entity) -> str:
    """Say that none of the page's translations has the link."""
    return f"No translation of this page links to “{entity.names[0]}”, judging by its id and its names."


def unread_note(article: Article) -> str:
    """Say that the ranker cannot read the page's script."""
    return (
        f"The model never learned most letters of {page_name(article)}. It goes by the same words, the layout and the "
        "links alone, so trust it little; string-match and bm25 (--ranker) read every script."
    )


def no_lead_note(entity: Entity) -> str:
    """Say that only the target's name is known, and that more would help."""
    return (
        f"Only the name of “{entity.names[0]}” is known. The answer gets better if you say what it is: --lead, its "
        "file as --target, --wiki or --index (in Python: Entity(lead=…), index=)."
    )


def unjoined_note(article: Article) -> str:
    """Say that the index does not know the page's versions in other languages, which might have the link."""
    return (
        f"The index knows its pages in “{article.language}” by their titles alone, so it does not know how other "
        "languages link this; index again with their ids (--entities, or page_props beside the dump)."
    )


def foreign_lead_note(article: Article, entity: Entity) -> str:
    """Say that the target's lead is of another language than the page."""
    return (
        f"“{entity.names[0]}” has no page with a lead in “{article.language}” that linkspot knows of; it read the lead "
        f"in “{entity.lead_language}” instead. Check that the link leads to a page."
    )


def nowhere_note(article: Article, entity: Entity, confidence: Confidence | None) -> str:
    """Say that the link belongs nowhere in the page, and how sure that is if the ranker knows."""
    if not article.sentences:
        return "Nowhere: this page has no prose to link from."
    name = entity.names[0]
    if confidence and confidence.says_nowhere:
        return f"Nowhere ({percent(confidence.nowhere)}): most likely no place in this page is right for “{name}”."
    return f"Nowhere: nothing in this page fits “{name}”."


def language_note(article: Article) -> str:
    """Say that the page's language was judged by its text."""
    return (
        f"The page does not say its language; its text reads like “{article.language}”. If that is wrong, name it with "
        "--lang (in Python: language=)."
    )


def refusal_note(refusal: str) -> str:
    """Say that no link can be written, so that the places have none."""
    return f"{refusal}. The places have no finished link; give the target another title or address."


def doubt_note(entity: Entity, confidence: Confidence) -> str:
    """Say that the link may well belong nowhere."""
    sure = percent(confidence.nowhere)
    return f"Perhaps nowhere ({sure}): check whether “{entity.names[0]}” belongs in this page at all."


def best_place_note(article: Article, place: Place) -> str:
    """Say which place would be the best, for users who know better than the ranker."""
    where = f"in {_title(article, place.section)}, at {quotation(place.text)} ({how_sure(place)})"
    return f"If you want to link it anyway, the best place is {where}."


def how_sure(place: Place) -> str:
    """Say how likely a place is right, or its score if the ranker has no probabilities."""
    return f"score {place.score:.3g}" if place.probability is None else percent(place.probability)


def percent(probability: float) -> str:
    """Return a probability in percent; what is not quite certain is never shown as 0 % or 100 %."""
    if _LEAST < probability < 1 - _LEAST:
        return f"{probability:.0%}"
    return "<1%" if probability <= _LEAST else ">99%"


def quotation(text: str) -> str:
    """Return the text in quotation marks, shortened if it is long."""
    return f"“{text if len(text) <= _LONGEST_QUOTATION else f'{text[:_LONGEST_QUOTATION].rstrip()} …'}”"


def capitalised(text: str) -> str:
    """Return the text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def page_name(article: Article) -> str:
    """Return the page's title in quotation marks; a page without one is "this page"."""
    return f"“{article.title}”" if article.title else "this page"


def _title(article: Article, section: int) -> str:
    return article.sections[section].title or "the lead"
