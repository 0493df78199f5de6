"""Heads: small networks with one hidden layer that read the encoder's vectors, in numpy, without torch."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_PARTS = ("0.weight", "0.bias", "2.weight", "2.bias")  # torch numbers the layers of a Sequential; 1 is the ReLU


@dataclass(frozen=True)
class Mlp:
    """linear → ReLU → linear, with one number as output."""

    hidden_weight: Floats  # (hidden, inputs)
    hidden_bias: Floats  # (hidden,)
    weight: Floats  # (1, hidden)
    bias: Floats  # (1,)

    def __call__(self, vectors: Floats) -> Floats:
        """Return a number for each vector: (n, inputs) → (n,)."""
        hidden = np.maximum(vectors @ self.hidden_weight.T + self.hidden_bias, 0)
        outputs: Floats = (hidden @ self.weight.T + self.bias)[:, 0]
        return outputs

    def scaled(self, factor: float, shift: float = 0.0) -> "Mlp":
        """Return a network whose outputs are multiplied by a factor, plus a shift."""
        weight, bias = (np.float32(factor) * part for part in (self.weight, self.bias))
        return replace(self, weight=weight, bias=bias + np.float32(shift))

    def tensors(self, name: str) -> dict[str, Floats]:
        """Return the head's tensors under that name, as torch calls the layers of a Sequential."""
        parts = (self.hidden_weight, self.hidden_bias, self.weight, self.bias)
        return {f"{name}.{part}": tensor for part, tensor in zip(_PARTS, parts, strict=True)}

    @classmethod
    def of_tensors(cls, tensors: Mapping[str, Floats], name: str) -> "Mlp":
        """Return the head of that name."""
        return cls(*(tensors[f"{name}.{part}"] for part in _PARTS))
