"""Encoders that others trained, each with its tokenizer: a Hugging Face folder or id, or an exported folder."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkspot.encoders import packed
from linkspot.encoders.encoder import Encoder
from linkspot.encoders.onnx_encoder import is_exported
from linkspot.encoders.special_tokens import FRAME, SpecialTokens
from linkspot.encoders.tokenizer import TOKENIZER, FastTokenizer
from linkspot.errors import UnusableInput
from linkspot.extras import require_torch
from linkspot.model.config import ModelConfig, ModelKind
from linkspot.model.inputs import Inputs, TokenBudget
from linkspot.ranking.neural import open_encoder

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True)
class OpenedEncoder:
    """What turns token ids into vectors, and what turns pages and entities into token ids for it."""

    encoder: Encoder
    inputs: Inputs
    tokenizer: "Tokenizer"

    @classmethod
    def of(
        cls, encoder: Encoder, tokenizer: "Tokenizer", special: SpecialTokens, budget: TokenBudget
    ) -> "OpenedEncoder":
        """Join an encoder and its tokenizer; no sequence is longer than the encoder takes."""
        fitting = replace(budget, longest=min(budget.longest, encoder.longest))
        return cls(encoder, Inputs(FastTokenizer(tokenizer), special, fitting), tokenizer)


def open_folder(name: str | Path, budget: TokenBudget) -> OpenedEncoder:
    """Return the encoder of a folder, exported or not, or of an id on the hub; `budget` limits the tokens it reads."""
    folder = Path(name)
    tokenizer, special = _exported_tokenizer(folder) if is_exported(folder) else read_tokenizer(name)
    encoder = open_encoder(folder, ModelConfig(ModelKind.DUAL, special))
    return OpenedEncoder.of(encoder, tokenizer, special, budget)


def read_tokenizer(name: str | Path) -> "tuple[Tokenizer, SpecialTokens]":
    """Return the tokenizer of a Hugging Face folder or id, and the special tokens around a sequence."""
    require_torch(f"{name} is not exported, so it")
    from linkspot.encoders.torch_encoder import check_reachable, load_fast_tokenizer

    check_reachable(str(name))
    tokenizer, special = load_fast_tokenizer(name)
    return tokenizer.backend_tokenizer, special


def _exported_tokenizer(folder: Path) -> "tuple[Tokenizer, SpecialTokens]":
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_buffer(packed.read(folder / TOKENIZER))
        settings = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    except Exception as error:  # noqa: BLE001 (tokenizers raises Exception itself)
        raise UnusableInput(
            f"{folder} has no tokenizer.json and tokenizer_config.json that can be read; export it again ({error})"
        ) from None
    return tokenizer, SpecialTokens.of({kind: _id(tokenizer, settings.get(f"{kind}_token")) for kind in FRAME}, folder)


def _id(tokenizer: "Tokenizer", token: Any) -> int | None:
    text = token.get("content") if isinstance(token, dict) else token
    return tokenizer.token_to_id(text) if isinstance(text, str) else None
