"""The encoder of a recipe, from the Hugging Face hub or a folder: what training starts from."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.encoders.encoder import Encoder
from linkspot.encoders.onnx_encoder import OnnxEncoder
from linkspot.encoders.tokenizer import FastTokenizer
from linkspot.encoders.torch_encoder import TorchEncoder, load_encoder, load_fast_tokenizer, longest_sequence
from linkspot.errors import UnusableInput
from linkspot.model.inputs import Inputs, TokenBudget
from linkspot.training.recipe import Recipe

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerFast


@dataclass(frozen=True)
class RecipeEncoder:
    """A pretrained encoder, how it reads texts, and the tokenizer to save with it."""

    model: "PreTrainedModel"
    inputs: Inputs
    tokenizer: "PreTrainedTokenizerFast"

    @classmethod
    def load(cls, recipe: Recipe) -> "RecipeEncoder":
        """Load the encoder that a recipe names."""
        # The model first: a wrong name is noticed at once.
        model = load_encoder(recipe.encoder, attention_dropout=recipe.attention_dropout, dropout=recipe.dropout)
        tokenizer, special = load_fast_tokenizer(recipe.encoder)
        budget = _fitting(recipe.inputs, longest_sequence(model), recipe.encoder)
        return cls(model, Inputs(FastTokenizer(tokenizer.backend_tokenizer), special, budget), tokenizer)


def vector_encoder(recipe: Recipe, model: "PreTrainedModel", padding: int, folder: Path) -> Encoder:
    """Return what makes a model's vectors as the recipe says: torch, or an int8 export into a folder."""
    if not recipe.head_int8:
        return TorchEncoder(model, padding)
    from linkspot.encoders.export import export_encoder

    export_encoder(model, folder, padding)
    return OnnxEncoder(folder)


def _fitting(budget: TokenBudget, longest: int, name: str) -> TokenBudget:
    try:
        return replace(budget, longest=min(budget.longest, longest))
    except UnusableInput as error:
        raise UnusableInput(f"{Path(name).name} reads at most {longest} tokens, but {error}") from None
