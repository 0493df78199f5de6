"""Precedents: where the same page in another language already links a target."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace

from linkspot.links.existing import existing_links
from linkspot.links.titles import TitleRules
from linkspot.records import Article, Entity, Precedent

MOST_PRECEDENTS = 5  # each from another language
_REACH = 2  # sentences on each side of the one with the link


def precedent_at(article: Article, number: int) -> Precedent:
    """Return the precedent that a link in one of the article's sentences is for versions in other languages."""
    index, sentence = article.sentences[number]
    section = article.sections[index]
    number_in_section = bisect_left(section.sentences, sentence.start, key=lambda other: other.start)
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
    places = sorted(
        {(link.section, link.link.start) for name in _linked(article, names) for link in existing_links(article, name)}
    )
    for place in places:
        number = bisect_right(article.sentences, place, key=lambda known: (known[0], known[1].start)) - 1
        if number >= 0 and article.sentences[number][0] == place[0] and place[1] < article.sentences[number][1].end:
            return precedent_at(article, number)
    return None


def _linked(article: Article, names: Sequence[Entity]) -> list[Entity]:
    """Return the entities of which the article may have a link; by its address, any may find the same ones."""
    rules = TitleRules(article.language)
    targets = {rules.normalise(link.target).page for section in article.sections for link in section.links}
    return [*names[:1], *(name for name in names[1:] if rules.normalise(name.title).page in targets)]


def _share(number: int, count: int) -> float:
    return number / max(1, count - 1)
