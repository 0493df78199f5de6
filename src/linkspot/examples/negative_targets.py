"""Strangers: targets that belong nowhere in a page, taken from other pages of the same wiki."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random

from linkspot.examples.builder import InsertionExample, Wiki
from linkspot.examples.context_removal import Problem
from linkspot.examples.linked import target_finder
from linkspot.links.existing import existing_links, is_own_page
from linkspot.records import Article, Entity, Example

_TRIES = 20
# With as many strangers as insertions, a head says *nowhere* of too many links that editors did add.
_EVERY = 2


def with_negative_targets(insertions: Iterable[InsertionExample], seed: int) -> list[Problem]:
    """Return insertions as problems, and behind them half as many of targets that belong nowhere in their pages."""
    # Nothing is ignored: editors passed over the other places that name the target.
    return and_negative_targets(((one.wiki, Problem(one.example)) for one in insertions), seed)


def and_negative_targets(problems: Iterable[tuple[Wiki, Problem]], seed: int) -> list[Problem]:
    """Return problems, and behind them half as many of targets that belong nowhere in their pages."""
    found = list(problems)
    others = _negative_targets(((wiki, one.example) for wiki, one in found), seed)
    return [*(one for _wiki, one in found), *(Problem(example, is_negative_target=True) for example in others)]


def _negative_targets(examples: Iterable[tuple[Wiki, Example]], seed: int) -> list[Example]:
    """Return every second page with a target of another page of its wiki and language, drawn by the seed.

    What a page names or links, what it is about and what editors linked in it is no stranger to it. A page to which
    none is found soon is left out.
    """
    of_wikis = defaultdict[Wiki, list[Example]](list)
    for wiki, example in examples:
        of_wikis[wiki].append(example)
    return [
        stranger
        for (corpus, language), found in of_wikis.items()
        for stranger in _of_wiki(found, Random(f"{seed}/{corpus}/{language}"))
    ]


def _of_wiki(examples: Sequence[Example], chance: Random) -> Iterator[Example]:
    known = defaultdict[str, set[str]](set)
    for example in examples:
        known[example.article.title].add(example.entity.title)
    for example in examples[::_EVERY]:
        page = example.article
        drawn = (chance.choice(examples).entity for _ in range(_TRIES))
        strange = (one for one in drawn if one.title not in known[page.title] and _is_strange(one, page))
        entity = next(strange, None)
        if entity:
            yield Example(replace(entity, precedents=()), page, ())  # they are of the page that it was drawn from


def _is_strange(entity: Entity, page: Article) -> bool:
    if is_own_page(page, entity) or existing_links(page, entity):
        return False
    finder = target_finder(entity, page.language)
    return not any(finder.find(sentence.text) for _section, sentence in page.sentences)
