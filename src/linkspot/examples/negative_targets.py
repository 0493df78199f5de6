"""Negative targets: entities that belong nowhere in a page, taken from other pages of the same wiki."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random

from linkspot.examples.context_removal import Problem
from linkspot.examples.dataset_reader import InsertionExample, Wiki
from linkspot.examples.linked_example import target_finder
from linkspot.links.existing import existing_links, is_own_page
from linkspot.records import Article, Entity, Example

_TRIES = 20
# With as many negative targets as insertions, a head says *nowhere* to too many links that editors did add.
_EVERY = 2


def with_negative_targets(insertions: Iterable[InsertionExample], seed: int) -> list[Problem]:
    """Return insertions as problems, followed by half as many problems with negative targets."""
    # Nothing is ignored: editors saw the other places that name the target, and did not choose them.
    return and_negative_targets(((insertion.wiki, Problem(insertion.example)) for insertion in insertions), seed)


def and_negative_targets(problems: Iterable[tuple[Wiki, Problem]], seed: int) -> list[Problem]:
    """Return problems, followed by half as many problems with negative targets."""
    pairs = list(problems)
    negatives = _negative_targets(((wiki, problem.example) for wiki, problem in pairs), seed)
    return [
        *(problem for _wiki, problem in pairs),
        *(Problem(example, is_negative_target=True) for example in negatives),
    ]


def _negative_targets(examples: Iterable[tuple[Wiki, Example]], seed: int) -> list[Example]:
    """Return every second page with a target of another page of its wiki and language, drawn by the seed.

    A negative target is not the page's subject, and the page neither names it nor links it, before or after the edit.
    A page is left out if a few draws give no such target.
    """
    by_wiki = defaultdict[Wiki, list[Example]](list)
    for wiki, example in examples:
        by_wiki[wiki].append(example)
    return [
        negative
        for (corpus, language), own_examples in by_wiki.items()
        for negative in _of_wiki(own_examples, Random(f"{seed}/{corpus}/{language}"))
    ]


def _of_wiki(examples: Sequence[Example], chance: Random) -> Iterator[Example]:
    known = defaultdict[str, set[str]](set)
    for example in examples:
        known[example.article.title].add(example.entity.title)
    for example in examples[::_EVERY]:
        page = example.article
        drawn = (chance.choice(examples).entity for _ in range(_TRIES))
        unrelated = (entity for entity in drawn if entity.title not in known[page.title] and is_unrelated(entity, page))
        entity = next(unrelated, None)
        if entity:
            # Its precedents belong to the page that it was drawn from.
            yield Example(replace(entity, precedents=()), page, ())


def is_unrelated(entity: Entity, page: Article) -> bool:
    """Return whether an entity is not the page's subject, and the page neither links nor names it."""
    if is_own_page(page, entity) or existing_links(page, entity):
        return False
    finder = target_finder(entity, page.language)
    return not any(finder.find(sentence.text) for _section, sentence in page.sentences)
