"""What the head of a `dual` model learns from: the insertions of a dataset, and some of its existing links."""

from itertools import islice
from pathlib import Path
from random import Random

from linkspot.examples.context_removal import Problem
from linkspot.examples.dataset_reader import ExistingLinks, Insertions
from linkspot.examples.negative_targets import and_negative_targets, with_negative_targets
from linkspot.training.recipe import Recipe
from linkspot.training.stages import RemovalScope
from linkspot.training.training_examples import removed

_LONGEST_PAGE = 150  # sentences; shorter pages have enough existing links


def problems_to_learn(recipe: Recipe) -> list[Problem]:
    """Return all that a head learns from: existing links, insertions, and targets that belong nowhere."""
    return [*problems_of_links(recipe), *problems_of_insertions(recipe, "train")]


def problems_of_insertions(recipe: Recipe, split: str) -> list[Problem]:
    """Return the insertions of a split, then targets that belong nowhere."""
    dataset, seed = Path(recipe.dataset), recipe.seed
    insertions = Insertions(dataset, split, recipe.languages, per_language=recipe.per_language, seed=seed)
    return with_negative_targets(insertions, seed)


def problems_of_links(recipe: Recipe) -> list[Problem]:
    """Return existing links with their context removed, as many of each wiki and language, then negative targets.

    Only pages that are quick to read are taken.
    """
    wanted, seed = recipe.head_links, recipe.seed
    if not wanted:
        return []
    links = ExistingLinks(Path(recipe.dataset), recipe.languages)
    problems = []
    for wiki, numbers in links.wikis().items():
        Random(f"{seed}/{'/'.join(wiki)}").shuffle(numbers)
        short = (number for number in numbers if len(links.article(number).sentences) <= _LONGEST_PAGE)
        for number in islice(short, wanted):
            draw = Random(f"{seed}/{number}")
            problems.append((wiki, removed(links[number], RemovalScope.SOME, draw)))
    return and_negative_targets(problems, seed)
