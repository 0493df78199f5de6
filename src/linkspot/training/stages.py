"""Stages: what a model learns from, for how long, and how fast."""

from dataclasses import dataclass
from enum import StrEnum

from linkspot.errors import UnusableInput
from linkspot.examples.context_removal import ContextRemoval
from linkspot.examples.even_draw import Portion
from linkspot.training.losses import LossName

_COUNTS = ("examples", "sentences", "frozen_layers", "per_language")
_SHARES = ("warm_up", "whole", "forget_lead", "forget_mentions")
_NOT_BELOW_0 = (*_COUNTS, "encoder_rate", "head_rate", "clip", "weight_decay")


class TrainingExamples(StrEnum):
    """What a stage learns from."""

    EXISTING_LINKS = "existing_links"
    INSERTIONS = "insertions"


class RemovalScope(StrEnum):
    """Whose context is removed, where the training examples are existing links."""

    NOTHING = "nothing"
    POSITIVES = "positives"
    EVERYWHERE = "everywhere"  # all negatives too, by the same draw, so that nothing marks the answer
    SOME = "some"  # only for models that read pages: a few negatives too, so that most of the page stays as it was


_DECOYS = {RemovalScope.POSITIVES: 0, RemovalScope.SOME: 3, RemovalScope.EVERYWHERE: None}


def context_removal(scope: RemovalScope, whole: float = ContextRemoval().nothing) -> ContextRemoval | None:
    """Return what is removed from the context of links, None if nothing ever is; `whole` is the share left whole."""
    if scope is RemovalScope.NOTHING:
        return None
    return ContextRemoval(decoys=_DECOYS[scope]).leaving_whole(whole)


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of training; the values are the paper's unless its text gives none.

    A step learns from `batch` examples; `at_once` of them go through the network together, the others after them.
    `examples` is how many training examples are drawn, 0 for all, and `per_language` how many of one language at most,
    0 for as many as the recipe says. With a `portion` or more, only their corpora are drawn from. Of the existing
    links, a share of `whole` keeps its context, whatever `removal` says. `warm_up` is the share of the steps in which
    the rates rise to their values; after that they fall to 0. `frozen_layers` counts from the bottom; what is below
    them is frozen, too. Of a longer page, a model that reads pages learns from a stretch of `sentences` with the right
    place in it, 0 for the whole.

    A dual model can learn several existing links `together`, from one reading of the stretch that has them all; an
    example is then such a group. Of their targets, a share is shown without its lead, another by its title alone.
    """

    name: str
    training_examples: TrainingExamples
    epochs: int
    examples: int = 0
    portion: tuple[Portion, ...] = ()
    removal: RemovalScope = RemovalScope.EVERYWHERE
    whole: float = 0.4
    negatives: int = 9
    sentences: int = 0
    loss: LossName = LossName.LISTWISE
    encoder_rate: float = 1e-5
    head_rate: float = 1e-4
    batch: int = 8
    at_once: int = 8
    warm_up: float = 0.1
    clip: float = 1.0
    weight_decay: float = 0.01
    frozen_embeddings: bool = False
    frozen_layers: int = 0
    per_language: int = 0
    together: int = 1
    forget_lead: float = 0.0
    forget_mentions: float = 0.0

    def __post_init__(self) -> None:
        for name in ("epochs", "negatives", "batch", "at_once", "together"):
            if getattr(self, name) < 1:
                raise UnusableInput(f"stage {self.name!r} has {name} = {getattr(self, name)}; at least 1 is needed")
        for name in _NOT_BELOW_0:
            if getattr(self, name) < 0:
                raise UnusableInput(f"stage {self.name!r} has {name} = {getattr(self, name)}; it cannot be below 0")
        for name in _SHARES:
            if not 0 <= getattr(self, name) <= 1:
                value = getattr(self, name)
                raise UnusableInput(f"stage {self.name!r} has {name} = {value}; it is a share between 0 and 1")

    @property
    def context_removal(self) -> ContextRemoval | None:
        """What is removed from the context of existing links, None if nothing ever is."""
        return context_removal(self.removal, self.whole)

    def rate(self, step: int, steps: int) -> float:
        """Return the share of its learning rates that holds at a step, counted from 0."""
        warm = self.warm_up * steps
        if step < warm:
            return (step + 1) / (warm + 1)
        return (steps - step) / max(1.0, steps - warm)
