"""What an answer is worth: its place, its advice and its edit, compared with a reader's labels."""

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum

from bench.judged.pair import Pair
from linkspot.answers.answer import Answer
from linkspot.links.existing import existing_links
from linkspot.parsing import parse
from linkspot.records import Action, Article, Entity, Place


class EditQuality(StrEnum):
    """What an editor would make of the best place's edit."""

    BEST = "best"  # links the words that the reader would link
    FINE = "fine"  # links other words that the reader finds right, too
    OTHER_WORDS = "other words"  # links words that the reader finds wrong
    BROKEN = "broken"  # does not give the same text with one link more
    MISSING = "missing"  # no words are linked


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an answer does on one pair.

    `place`: the best place is right, or nowhere is said where that is right. `advice`: what it says to do there is
    true, and so is what it says about links that are there. `edit` is None if the pair has no words to link and none
    are linked. `claims_friend`: one of the places links words that do not mean the target. `says_linked`: the first
    note says that the page links the target already.
    """

    place: bool
    advice: bool
    edit: EditQuality | None
    claims_friend: bool
    says_linked: bool

    @property
    def takes_edit(self) -> bool:
        """Whether an editor would take the edit as it is."""
        return self.edit in {EditQuality.BEST, EditQuality.FINE}


def judge(pair: Pair, answer: Answer) -> Verdict:
    """Return how an answer does on a pair."""
    best = answer.places[0] if answer.places else None
    says_linked = _says_linked(pair, answer)
    claims_friend = any(_claims_friend(pair, answer.article, place) for place in answer.places)
    is_true = _is_true(pair, answer.article, best) and not claims_friend
    return Verdict(
        place=pair.nowhere if best is None else pair.right_place(best.text) is not None,
        advice=is_true and (says_linked if pair.exists else not answer.existing),
        edit=_edit_quality(pair, answer, best),
        claims_friend=claims_friend,
        says_linked=says_linked,
    )


def linked_words(article: Article, place: Place) -> str:
    """Return the words that a place would link; none if it has no words."""
    return place.words.cut(article.sections[place.section].text) if place.words else ""


def _is_true(pair: Pair, article: Article, best: Place | None) -> bool:
    """Return whether the advice at the best place, or nowhere, is right."""
    if best is None:
        return pair.nowhere
    right = pair.right_place(best.text)
    if right is None:
        return False
    if best.action is Action.LINK_WORDS:
        return linked_words(article, best) in right.words
    return not (pair.pair_class.has_words and right.words)


def _says_linked(pair: Pair, answer: Answer) -> bool:
    """Return whether the first note says that a link is there already, and quotes its words."""
    mentions = {existing.link.mention for existing in answer.existing} & set(pair.exists)
    first = answer.notes[0] if answer.notes else ""
    return "already" in first.casefold() and any(mention in first for mention in mentions)


def _claims_friend(pair: Pair, article: Article, place: Place) -> bool:
    """Return whether a place links words that do not mean the target, in whole or in part."""
    if place.words is None:
        return False
    right = pair.right_place(place.text)
    if right and linked_words(article, place) in right.words:
        return False
    text = article.sections[place.section].text
    return any(
        place.words.overlaps(begin, begin + len(words))
        for words in pair.not_words
        for begin in _occurrences(words, text)
    )


def _occurrences(words: str, text: str) -> list[int]:
    return [begin for begin in range(len(text)) if text.startswith(words, begin)]


def _edit_quality(pair: Pair, answer: Answer, best: Place | None) -> EditQuality | None:
    if best is None or best.action is not Action.LINK_WORDS:
        return EditQuality.MISSING if pair.pair_class.has_words else None
    added = _added_words(answer, best)
    if added is None:
        return EditQuality.BROKEN
    right = pair.right_place(best.text)
    if right is None or added not in right.words:
        return EditQuality.OTHER_WORDS
    return EditQuality.BEST if added == right.words[0] else EditQuality.FINE


def _added_words(answer: Answer, place: Place) -> str | None:
    """Return the words of the one link that the edit adds to the page, or None if it does anything else."""
    if not place.link:
        return None
    edited = parse(replace(answer.page, text=place.edit(answer.page.text)))
    if [section.text for section in edited.sections] != [section.text for section in answer.article.sections]:
        return None
    if _number_of_links(edited) != _number_of_links(answer.article) + 1:
        return None
    added = _mentions(edited, answer.entity) - _mentions(answer.article, answer.entity)
    return next(iter(added)) if added.total() == 1 else None


def _mentions(article: Article, entity: Entity) -> Counter[str]:
    return Counter(existing.link.mention for existing in existing_links(article, entity))


def _number_of_links(article: Article) -> int:
    return sum(len(section.links) for section in article.sections)
