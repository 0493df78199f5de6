"""The head of a `dual` model: features → logits, in numpy alone."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from linkspot.errors import UnusableInput
from linkspot.files import unfinished
from linkspot.model.config import HEADS
from linkspot.model.cross.scoring import PageScores
from linkspot.model.dual.feature_table import NAMES, PAGE_NAMES
from linkspot.model.dual.features import page_features
from linkspot.model.dual.page_view import Floats
from linkspot.model.mlp import Mlp
from linkspot.model.pooling import NOWHERE, PLACE

_SURENESS = "sureness"
#: What is known of a question before any place is compared: features that are the same for all sentences of a page.
FACTS = ("mentions_in_page", "precedents", "page_size", "target_mentions", "target_lead_length")
_FACT_COLUMNS = [NAMES.index(name) for name in FACTS]


def facts_of(matrix: Floats) -> Floats:
    """Return the facts of a question from its features: (n, features) → (facts,)."""
    facts: Floats = matrix[0, _FACT_COLUMNS]
    return facts


@dataclass(frozen=True)
class Head:
    """Scores the sentences of a page from their features, and *nowhere* from what they say together.

    The logit for *nowhere* is the log-sum-exp of the places' plus what its own network says. So the likelihood of an
    example is the product of two that are learned separately: does the link belong here at all, and if so, where?
    `sureness` says how much farther apart the places' logits are for each of the question's facts. It changes their
    probabilities, not their order.
    """

    place: Mlp
    nowhere: Mlp
    sureness: Floats = field(default_factory=lambda: np.zeros(len(FACTS), np.float32))  # (facts,)

    def scores(self, matrix: Floats) -> PageScores:
        """Return the logits of a page: (n, features) → n places and nowhere."""
        if not len(matrix):
            return PageScores(np.zeros(0, np.float32), 0.0)
        places = self.place(matrix) * np.exp(facts_of(matrix) @ self.sureness)
        top = float(places.max())
        together = top + float(np.log(np.exp(places - top).sum()))
        return PageScores(places, together + float(self.nowhere(page_features(matrix)[None])[0]))

    def save(self, folder: Path) -> None:
        """Write the head into a model's folder."""
        tensors = {
            name: np.ascontiguousarray(tensor)
            for name, tensor in (
                self.place.tensors(PLACE) | self.nowhere.tensors(NOWHERE) | {_SURENESS: self.sureness}
            ).items()
        }
        with unfinished(folder / HEADS) as path:
            save_file(tensors, path, metadata=_names())

    @classmethod
    def of_folder(cls, folder: Path) -> "Head":
        """Read the head from a model's folder."""
        path = folder / HEADS
        if not path.is_file():
            raise UnusableInput(f"{folder} has no {HEADS}; `linkspot train` with a dual recipe makes one")
        try:
            with safe_open(path, framework="numpy") as file:
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (no mapping)
                names = file.metadata()
            if names != _names():
                raise UnusableInput(
                    f"{path} reads other features than this version has; fit it again with `linkspot train`"
                )
            head = cls(Mlp.of_tensors(tensors, PLACE), Mlp.of_tensors(tensors, NOWHERE))
            return replace(head, sureness=tensors.get(_SURENESS, head.sureness))  # older heads have none
        except (SafetensorError, KeyError) as error:
            raise UnusableInput(
                f"{path} is not the head of a dual model ({error}); fit it again with `linkspot train`"
            ) from None


def _names() -> dict[str, str]:
    """Return the names of the features that a head reads; its file keeps them, so that it never reads others."""
    return {PLACE: " ".join(NAMES), NOWHERE: " ".join(PAGE_NAMES)}
