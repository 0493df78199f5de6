"""Budgets: what is changed in recipes and data so that an experiment fits a machine. Plain data."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from linkspot.errors import UnusableInput
from linkspot.experiments.variants import E5
from linkspot.model.config import ModelKind
from linkspot.model.inputs import TokenBudget
from linkspot.training.recipe import Kept, ValidationSettings

_PAGE_READERS = {ModelKind.ARTICLE, ModelKind.DUAL}
_WINDOW_COST = 4  # training takes 2.6 to 2.8 times as long as for a page model, ranking even longer


class BudgetName(StrEnum):
    """How much an experiment may cost."""

    SMALL = "small"  # an hour on two cores
    PAPER = "paper"  # what the recipes say: days on a GPU


@dataclass(frozen=True, slots=True)
class StageLimits:
    """What is changed in every stage, which learns once from each of its examples.

    `examples` is how many examples all stages of an experiment share, counted in pages of at most `sentences`; an
    example with its `negatives` for a model that reads windows counts as `_WINDOW_COST` of them. `layers` is how many
    of the encoder's layers learn: the uppermost ones.
    """

    examples: int
    sentences: int
    negatives: int
    batch: int
    encoder_rate: float
    head_rate: float
    layers: int

    def each(self, kinds: Iterable[ModelKind]) -> int:
        """Return how many examples each stage learns from, given the kind of model that each stage trains."""
        costs = [1 if kind in _PAGE_READERS else _WINDOW_COST for kind in kinds]
        return self.examples // sum(costs) if costs else 0


@dataclass(frozen=True, slots=True)
class DataLimits:
    """What is drawn from a dataset: pages of at most `sentences`, and at most so many rows of each language."""

    sentences: int
    train: int
    validation: int
    test: int
    links: int


@dataclass(frozen=True, slots=True)
class Budget:
    """What a budget changes; everything else stays as the recipes say.

    `reader` is the kind of model that replaces `window` in experiments that do not compare kinds of models. `tests` is
    how many queries are ranked in total, with equal shares of the languages (0: all). `languages` is how many languages
    are tested at most if each has its own models (0: all). `fit` is how many insertions of each language the head of a
    dual model learns from (0: all).
    """

    encoder: str = ""
    reader: ModelKind | None = None
    stage: StageLimits | None = None
    data: DataLimits | None = None
    inputs: TokenBudget | None = None
    tests: int = 0
    validation: ValidationSettings | None = None
    languages: int = 0
    fit: int = 0

    def tests_per_language(self, languages: int) -> int:
        """Return how many queries of each language are ranked, given the number of languages; 0 means all."""
        return max(1, self.tests // languages) if self.tests else 0


# With so few steps, the paper's learning rates would hardly change the encoder: these are 20 and 10 times as high.
SMALL_STAGES = StageLimits(3_000, 16, 4, 4, 2e-4, 1e-3, 6)
SMALL_INPUTS = TokenBudget(384, 24, 32, 64, 16, 64, 1)
BUDGETS: dict[BudgetName, Budget] = {
    BudgetName.SMALL: Budget(
        E5,
        ModelKind.ARTICLE,
        SMALL_STAGES,
        DataLimits(40, 3_000, 40, 180, 3_000),
        SMALL_INPUTS,
        tests=180,
        validation=ValidationSettings(examples=24, keep=Kept.LAST),
        languages=3,
        fit=100,
    ),
    BudgetName.PAPER: Budget(),
}


def budget_of(name: str) -> BudgetName:
    """Return the budget of that name."""
    if name not in tuple(BudgetName):
        raise UnusableInput(f"no budget is called {name!r}; there are: {', '.join(BudgetName)}")
    return BudgetName(name)
