"""Precedents: where the same page in another language links a target already."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from linkspot.links.existing import existing_links
from linkspot.records import Article, Entity, Precedent

MOST_PRECEDENTS = 5  # of as many languages
_REACH = 2  # sentences on each side of the one with the link


def precedent_at(article: Article, number: int) -> Precedent:
    """Return what a link in one of the article's sentences says of other languages' versions of the page."""
    index, sentence = article.sentences[number]
    section = article.sections[index]
    inside = section.sentences.index(sentence)
    first = max(0, inside - _REACH)
    return Precedent(
        language=article.language,
        section=section.title or article.title,
        passage=tuple(one.text for one in section.sentences[first : inside + _REACH + 1]),
        linked=inside - first,
        place=_share(number, len(article.sentences)),
        section_place=_share(index, len(article.sections)),
        place_in_section=_share(inside, len(section.sentences)),
        size=len(article.sentences),
    )


def precedents_in(translations: Iterable[Article], entity: Entity) -> tuple[Precedent, ...]:
    """Return where other languages' versions of a page link the entity first, as far as they do.

    An entity without an id, which would be the same in all languages, is known there by any of its names.
    """
    names = [entity] if entity.id else [replace(entity, title=name) for name in entity.names]
    found = (_precedent_in(article, names) for article in translations)
    return tuple(one for one in found if one)


def _precedent_in(article: Article, names: Sequence[Entity]) -> Precedent | None:
    places = [(one.section, one.link.start) for name in names for one in existing_links(article, name)]
    numbers = (
        number
        for number, (index, sentence) in enumerate(article.sentences)
        if any(index == section and sentence.start <= start < sentence.end for section, start in places)
    )
    number = next(numbers, None)
    return None if number is None else precedent_at(article, number)


def _share(number: int, count: int) -> float:
    return number / max(1, count - 1)
