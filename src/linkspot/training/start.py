"""Where training starts: an encoder and its tokenizer, of the Hugging Face hub or a folder."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.encoders.tokenizer import FastTokenizer
from linkspot.encoders.torch_encoder import load_encoder, load_fast_tokenizer, longest_sequence
from linkspot.errors import UnusableInput
from linkspot.model.inputs import Inputs, TokenBudget
from linkspot.training.recipe import Recipe

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerFast


def start(recipe: Recipe) -> "tuple[PreTrainedModel, Inputs, PreTrainedTokenizerFast]":
    """Return the encoder of a recipe, how it reads texts, and the tokenizer to save with it."""
    # First, as it soon sees whether there is such a thing.
    encoder = load_encoder(recipe.encoder, attention_dropout=recipe.attention_dropout)
    tokenizer, special = load_fast_tokenizer(recipe.encoder)
    budget = _fitting(recipe.inputs, longest_sequence(encoder), recipe.encoder)
    return encoder, Inputs(FastTokenizer(tokenizer.backend_tokenizer), special, budget), tokenizer


def _fitting(budget: TokenBudget, longest: int, name: str) -> TokenBudget:
    try:
        return replace(budget, longest=min(budget.longest, longest))
    except UnusableInput as error:
        raise UnusableInput(f"{Path(name).name} reads at most {longest} tokens, but {error}") from None
