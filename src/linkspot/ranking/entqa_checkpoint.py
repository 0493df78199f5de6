"""The file that EntQA's authors released: both encoders in one. Only its weights are read; no code in it can run."""

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

    weights = _weights(path)
    state = weights.get(_WEIGHTS, weights)
    if isinstance(state, Mapping):
        for prefixes in _LAYOUTS:
            parts = [_below(prefix, state) for prefix in prefixes]
            if all(parts):
                passages, entities = (_encoder(path, base, part) for part in parts)
                return TorchEncoder(passages, padding), TorchEncoder(entities, padding)
    content = ", ".join(sorted(map(str, state))[:3]) if isinstance(state, Mapping) else type(state).__name__
    raise UnusableInput(
        f"{path} does not hold two encoders; found {content or 'nothing'}, expected weights named "
        f"{' and '.join(_LAYOUTS[0])} as EntQA saves them, or {' and '.join(_LAYOUTS[1])} as BLINK does"
    )


def _weights(path: Path) -> Mapping[str, Any]:
    """Return what a torch file holds; a file with more than numbers, names and plain settings is refused unread."""
    import torch

    if not path.is_file():
        raise UnusableInput(f"{path} is not a file; expected the retriever that EntQA's authors released")
    try:
        # Its settings are a Namespace, which holds values and runs nothing. Memory-mapped, the optimiser is never read.
        with warnings.catch_warnings(), torch.serialization.safe_globals([Namespace]):
            warnings.simplefilter("ignore")
            content = torch.load(path, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(path))
    except Exception as error:  # noqa: BLE001 (noise raises whatever the bytes happen to mean)
        raise UnusableInput(f"{path} is refused: {_reason(error)}") from None
    return content if isinstance(content, Mapping) else {}


def _reason(error: Exception) -> str:
    # torch's own message advises to trust the file, which linkspot cannot know.
    code = _CODE.search(str(error))
    if code:
        return (
            f"unpickling it would call {code[1]}; expected only weights, so save its state_dict again if you trust it"
        )
    detail = "" if isinstance(error, UnpicklingError) else f" ({first_line(error)[:80]})"
    return f"it is damaged, or torch.save did not write it{detail}; fetch it again"


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
        model, loading = make.from_pretrained(
            None,
            config=BertConfig.from_pretrained(base),
            state_dict=weights,
            add_pooling_layer=False,
            ignore_mismatched_sizes=True,
            output_loading_info=True,
            dtype=torch.float32,
        )
    wrong = sorted({*loading["missing_keys"], *(key for key, *_ in loading["mismatched_keys"])})
    if wrong:
        raise UnusableInput(
            f"{path} does not have the shape of {base}: {len(wrong)} of its weights are missing or have another size, "
            f"for example {wrong[0]}; name the BERT that it was trained from"
        )
    return model
