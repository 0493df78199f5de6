"""Precedents: where the same page in another language already links a target."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from linkspot.links.existing import existing_links
from linkspot.records import Article, Entity, Precedent

MOST_PRECEDENTS = 5  # each from another language
_REACH = 2  # sentences on each side of the one with the link


def precedent_at(article: Article, number: int) -> Precedent:
    """Return the precedent that a link in one of the article's sentences is for versions in other languages."""
    index, sentence = article.sentences[number]
    section = article.sections[index]
    number_in_section = section.sentences.index(sentence)
    first = max(0, number_in_section - _REACH)
    return Precedent(
        language=article.language,
        section=section.title or article.title,
        passage=tuple(near.text for near in section.sentences[first : number_in_section + _REACH + 1]),
        linked=number_in_section - first,
        place=_share(number, len(article.sentences)),
        section_place=_share(index, len(article.sections)),
        place_in_section=_share(number_in_section, len(section.sentences)),
        size=len(article.sentences),
    )


def precedents_in(translations: Iterable[Article], entity: Entity) -> tuple[Precedent, ...]:
    """Return where other languages' versions of a page first link the entity; versions without the link are left out.

    An id is the same in all languages. An entity without one is recognised by any of its names.
    """
    names = [entity] if entity.id else [replace(entity, title=name) for name in entity.names]
    precedents = (_precedent_in(article, names) for article in translations)
    return tuple(precedent for precedent in precedents if precedent)


def _precedent_in(article: Article, names: Sequence[Entity]) -> Precedent | None:
    links = [link for name in names for link in existing_links(article, name)]
    numbers = (
        number
        for number, (index, sentence) in enumerate(article.sentences)
        if any(link.section == index and sentence.start <= link.link.start < sentence.end for link in links)
    )
    number = next(numbers, None)
    return None if number is None else precedent_at(article, number)


def _share(number: int, count: int) -> float:
    return number / max(1, count - 1)
