"""The file that EntQA's authors released: both encoders in one, read as numbers alone; no code in it can run."""

import re
import warnings
import zipfile
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Any

from linkspot.errors import UnusableInput, first_line
from linkspot.extras import require_torch

if TYPE_CHECKING:
    from linkspot.encoders.torch_encoder import TorchEncoder

_WEIGHTS = "sd"  # where EntQA's training keeps them, among its optimiser and its settings
# What the weights of the passages' and of the entities' encoder begin with: in EntQA, and in BLINK, where it started.
_LAYOUTS = (("mention_encoder.", "entity_encoder."), ("context_encoder.bert_model.", "cand_encoder.bert_model."))
_CODE = re.compile(r"GLOBAL ([\w.]+)")


def read_checkpoint(path: Path, base: str, padding: int) -> "tuple[TorchEncoder, TorchEncoder]":
    """Return the encoders of passages and of entities; `base` is a BERT of the same shape, whose settings are read."""
    require_torch(f"reading {path.name}")
    from linkspot.encoders.torch_encoder import TorchEncoder

    weights = _numbers(path)
    held = weights.get(_WEIGHTS, weights)
    if isinstance(held, Mapping):
        for prefixes in _LAYOUTS:
            parts = [_below(prefix, held) for prefix in prefixes]
            if all(parts):
                passages, entities = (_encoder(path, base, part) for part in parts)
                return TorchEncoder(passages, padding), TorchEncoder(entities, padding)
    found = ", ".join(sorted(map(str, held))[:3]) if isinstance(held, Mapping) else type(held).__name__
    raise UnusableInput(
        f"{path} holds no two encoders; found {found or 'nothing'}, expected weights named "
        f"{' and '.join(_LAYOUTS[0])} as EntQA saves them, or {' and '.join(_LAYOUTS[1])} as BLINK does"
    )


def _numbers(path: Path) -> Mapping[str, Any]:
    """Return what a file of torch holds; whatever is not numbers, names and plain settings is refused unread."""
    import torch

    if not path.is_file():
        raise UnusableInput(f"there is no file {path}; expected the retriever that EntQA's authors released")
    try:
        # Its settings are a Namespace, which holds values and runs nothing. Mapped, the optimiser is never read in.
        with warnings.catch_warnings(), torch.serialization.safe_globals([Namespace]):
            warnings.simplefilter("ignore")
            held = torch.load(path, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(path))
    except Exception as error:  # noqa: BLE001 (noise raises whatever the bytes happen to mean)
        raise UnusableInput(f"{path} is refused: {_reason(error)}") from None
    return held if isinstance(held, Mapping) else {}


def _reason(error: Exception) -> str:
    # What torch says then is to trust the file; that is not for us to say.
    code = _CODE.search(str(error))
    if code:
        return (
            f"to unpickle it would call {code[1]}; expected weights alone, so save its state_dict anew if you trust it"
        )
    told = "" if isinstance(error, UnpicklingError) else f" ({first_line(error)[:80]})"
    return f"it is damaged, or no file that torch.save wrote{told}; fetch it again"


def _below(prefix: str, weights: Mapping[str, Any]) -> dict[str, Any]:
    return {str(name).removeprefix(prefix): value for name, value in weights.items() if str(name).startswith(prefix)}


def _encoder(path: Path, base: str, weights: dict[str, Any]) -> Any:
    """Return a BERT with these weights; its pooling layer, which the retriever does not use, is left out."""
    import torch
    from transformers import BertConfig, BertModel

    from linkspot.encoders.torch_encoder import check_reachable, quiet

    check_reachable(base)
    make: Any = BertModel  # transformers' loaders have no types
    with quiet():
        model, told = make.from_pretrained(
            None,
            config=BertConfig.from_pretrained(base),
            state_dict=weights,
            add_pooling_layer=False,
            ignore_mismatched_sizes=True,
            output_loading_info=True,
            dtype=torch.float32,
        )
    wrong = sorted({*told["missing_keys"], *(key for key, *_ in told["mismatched_keys"])})
    if wrong:
        raise UnusableInput(
            f"{path} is not of the shape of {base}: {len(wrong)} of its weights are missing or of another size, "
            f"{wrong[0]} for one; name the BERT that it was trained from"
        )
    return model
