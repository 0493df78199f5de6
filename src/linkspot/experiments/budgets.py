"""Budgets of experiments: what is changed in recipes and data so that an experiment fits a machine. Plain data."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from linkspot.errors import UnusableInput
from linkspot.experiments.catalogue import E5
from linkspot.model.config import ModelKind
from linkspot.model.inputs import TokenBudget
from linkspot.training.recipe import Kept, ValidationSettings

_PAGE_READERS = {ModelKind.ARTICLE, ModelKind.DUAL}
_WINDOW_COST = 4  # learning takes 2.6 to 2.8 times as long, ranking with the learned model yet more


class BudgetName(StrEnum):
    """How much an experiment may cost."""

    SMALL = "small"  # an hour on two cores
    PAPER = "paper"  # what the recipes say: days on a GPU


@dataclass(frozen=True, slots=True)
class StageLimits:
    """What is changed in every stage, which learns once from each of its examples.

    `examples` is how many all stages of an experiment learn from together, counted in pages of at most `sentences`; one
    with its `negatives` for a model that reads windows takes as long as `_WINDOW_COST` of those. `layers` is how many
    of the encoder's layers learn: the uppermost.
    """

    examples: int
    sentences: int
    negatives: int
    batch: int
    encoder_rate: float
    head_rate: float
    layers: int

    def each(self, kinds: Iterable[ModelKind]) -> int:
        """Return from how many examples each stage learns, given the kind of model that each trains."""
        costs = [1 if kind in _PAGE_READERS else _WINDOW_COST for kind in kinds]
        return self.examples // sum(costs) if costs else 0


@dataclass(frozen=True, slots=True)
class DataLimits:
    """What is drawn of a dataset: pages of so many sentences at most, and of each language so many rows."""

    sentences: int
    train: int
    validation: int
    test: int
    links: int


@dataclass(frozen=True, slots=True)
class Budget:
    """What a budget changes; what it leaves out stays as it is.

    `reader` is the kind of model that is asked instead of `window` where kinds of models are not the question.
    `tests` is how many queries are ranked in all, each language with the same share (0: all there are); `languages` how
    many are tested at most where each has models of its own (0: all); `fit` how many insertions of each language the
    head of a dual model learns from (0: all).
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
        """Return how many queries of each of so many languages are ranked; 0 means all."""
        return max(1, self.tests // languages) if self.tests else 0


# With few steps, the paper's rates would leave the encoder as it was: they are twenty and ten times as high here.
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
