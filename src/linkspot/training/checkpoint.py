"""Checkpoints: all that a stopped run needs to continue as if nothing had happened."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from linkspot.errors import UnusableInput, first_line
from linkspot.files import unfinished
from linkspot.training.old_names import current_names

CHECKPOINT = "checkpoint.pt"


@dataclass(frozen=True)
class Checkpoint:
    """A run as it was before a step: `stage` and `step` are counted from 0.

    It keeps no random state: every draw is made from the recipe's seed and the step's number. `best` are the weights
    that did best on validation so far, `figures` what they reached.
    """

    plan: Mapping[str, Any]
    stage: int
    step: int
    weights: Mapping[str, Tensor]
    optimizer: Mapping[str, Any] = field(default_factory=dict)
    best: Mapping[str, Tensor] = field(default_factory=dict)
    figures: Mapping[str, float] = field(default_factory=dict)

    def save(self, folder: Path) -> None:
        """Write it into a folder, whole or not at all."""
        with unfinished(folder / CHECKPOINT) as path:
            torch.save({name: getattr(self, name) for name in self.__dataclass_fields__}, path)


def read_checkpoint(folder: Path, plan: Mapping[str, Any]) -> Checkpoint | None:
    """Return the checkpoint that a run with the same plan left, or None where there is none."""
    path = folder / CHECKPOINT
    if not path.exists():
        return None
    try:
        checkpoint = Checkpoint(**torch.load(path, map_location="cpu", weights_only=True))
    except Exception as error:  # noqa: BLE001 - torch raises what it likes on a broken file
        raise UnusableInput(f"{path} cannot be read ({first_line(error)}); delete the folder and train again") from None
    earlier = current_names(dict(checkpoint.plan))
    changed = sorted(key for key in {*earlier, *plan} if earlier.get(key) != plan.get(key))
    if changed:
        raise UnusableInput(
            f"{path} is from another recipe ({', '.join(changed)} differ); "
            "continue with that one, or choose a new folder"
        )
    return checkpoint
