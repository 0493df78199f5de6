"""What the head of a `dual` model learns from: the insertions of a dataset, and some of its existing links."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from random import Random

from linkspot.examples.context_removal import Problem
from linkspot.examples.dataset_reader import ExistingLinks, Insertions, Wiki
from linkspot.examples.even_draw import drawn_portions, even_draw
from linkspot.examples.negative_targets import and_negative_targets, with_negative_targets
from linkspot.training.recipe import Recipe
from linkspot.training.stages import RemovalScope, context_removal
from linkspot.training.training_examples import removed

_LONGEST_PAGE = 150  # sentences; shorter pages have enough existing links
_REMOVAL = context_removal(RemovalScope.SOME)
_DRAWN_FOR_ONE = 2  # links drawn for one that is used, as some stand in longer pages


def problems_to_learn(recipe: Recipe) -> list[Problem]:
    """Return all that a head learns from: existing links, insertions, and targets that belong nowhere."""
    return [*problems_of_links(recipe), *problems_of_insertions(recipe, "train")]


def problems_of_insertions(recipe: Recipe, split: str) -> list[Problem]:
    """Return the insertions of a split, then targets that belong nowhere."""
    dataset, seed = Path(recipe.dataset), recipe.seed
    if recipe.head_insertions:
        return even_problems_of_insertions(dataset, split, recipe.head_insertions, seed)
    insertions = Insertions(dataset, split, recipe.languages, per_language=recipe.per_language, seed=seed)
    return with_negative_targets(insertions, seed)


def problems_of_links(recipe: Recipe) -> list[Problem]:
    """Return existing links with their context removed, as the recipe draws them, then negative targets.

    Only pages that are quick to read are taken.
    """
    wanted, seed = recipe.head_links, recipe.seed
    if not wanted and not recipe.head_portion:
        return []
    links = ExistingLinks(Path(recipe.dataset), recipe.languages)
    wikis = links.wikis()
    if recipe.head_portion:
        drawn, wanted = frozenset(drawn_portions(wikis, recipe.head_portion, seed)), len(links)
        wikis = {wiki: [number for number in numbers if number in drawn] for wiki, numbers in wikis.items()}
    problems = []
    for wiki, numbers in wikis.items():
        Random(f"{seed}/{'/'.join(wiki)}").shuffle(numbers)
        problems += _of_links(links, wiki, numbers, wanted, seed)
    return and_negative_targets(problems, seed)


def even_problems_of_links(dataset: Path, most: int, seed: int) -> list[Problem]:
    """Return at most so many existing links of each corpus, evenly over its languages, then negative targets."""
    links = ExistingLinks(dataset)
    wikis, problems = links.wikis(), []
    shares = even_draw(wikis, most, seed)
    for wiki, numbers in even_draw(wikis, _DRAWN_FOR_ONE * most, seed).items():
        problems += _of_links(links, wiki, numbers, len(shares[wiki]), seed)
    return and_negative_targets(problems, seed)


def even_problems_of_insertions(dataset: Path, split: str, most: int, seed: int) -> list[Problem]:
    """Return at most so many insertions of each corpus, evenly over its languages, then negative targets."""
    insertions = Insertions(dataset, split)
    drawn = even_draw(insertions.wikis(), most or len(insertions), seed)
    return with_negative_targets((insertions[number] for numbers in drawn.values() for number in numbers), seed)


def _of_links(
    links: ExistingLinks, wiki: Wiki, numbers: Sequence[int], wanted: int, seed: int
) -> list[tuple[Wiki, Problem]]:
    """Return the first so many links that stand in short pages, with their context removed."""
    short = (number for number in numbers if len(links.article(number).sentences) <= _LONGEST_PAGE)
    return [(wiki, removed(links[number], _REMOVAL, Random(f"{seed}/{number}"))) for number in islice(short, wanted)]
