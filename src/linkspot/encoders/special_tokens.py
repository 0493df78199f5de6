"""Special tokens: the ids that begin a sequence, close each part, and pad it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from linkspot.errors import UnusableInput

FRAME = ("cls", "bos", "sep", "eos", "pad")  # special tokens, as the settings of tokenizers name them


@dataclass(frozen=True, slots=True)
class SpecialTokens:
    """The ids that frame a sequence: what it begins with, what closes each part, what pads it."""

    first: int
    separator: int
    padding: int

    @classmethod
    def of(cls, ids: Mapping[str, int | None], name: str | Path) -> "SpecialTokens":
        """Return the special tokens among the ids of `FRAME`; without [SEP], as in T5, the end token is used."""

        def first(*kinds: str) -> int | None:
            return next((ids[kind] for kind in kinds if ids[kind] is not None), None)

        begin, close, padding = first("cls", "bos", "sep", "eos"), first("sep", "eos"), first("pad", "sep", "eos")
        if begin is None or close is None or padding is None:
            raise UnusableInput(
                f"the tokenizer of {name} has neither a separator nor an end of sequence; one is needed"
            )
        return cls(begin, close, padding)
