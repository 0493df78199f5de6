"""Where training starts: an encoder and its tokenizer, of the Hugging Face hub or a folder."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.errors import UnusableInput
from linkspot.model.inputs import Budget, Inputs, SpecialTokens
from linkspot.model.torch_encoder import load_encoder, load_tokenizer, longest_sequence
from linkspot.training.recipe import Recipe
from linkspot.training.trainee import Trainee, trainee_of

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


def fast_tokenizer(name: str) -> "PreTrainedTokenizerFast":
    """Return the fast tokenizer of an encoder, by its id or folder."""
    from transformers import PreTrainedTokenizerFast

    tokenizer = load_tokenizer(name)
    if not isinstance(tokenizer, PreTrainedTokenizerFast):
        raise UnusableInput(f"{name} has a slow tokenizer only; save it as a fast one (tokenizer.json) first")
    return tokenizer


def special_tokens(tokenizer: "PreTrainedTokenizerFast") -> SpecialTokens:
    """Return what frames a sequence; encoders without [CLS] and [SEP], such as T5's, end every part alike."""
    close = _first(tokenizer.sep_token_id, tokenizer.eos_token_id)
    begin = _first(tokenizer.cls_token_id, tokenizer.bos_token_id, close)
    padding = _first(tokenizer.pad_token_id, close)
    if close is None or begin is None or padding is None:
        raise UnusableInput("the tokenizer has neither a separator nor an end of sequence; linkspot needs one of them")
    return SpecialTokens(begin, close, padding)


def start(recipe: Recipe) -> tuple[Trainee, "PreTrainedTokenizerFast"]:
    """Return the untrained model of a recipe, and the tokenizer to save with it."""
    # First, as it soon sees whether there is such a thing.
    encoder = load_encoder(recipe.encoder, attention_dropout=recipe.attention_dropout)
    tokenizer = fast_tokenizer(recipe.encoder)
    special = special_tokens(tokenizer)
    budget = _fitting(recipe.inputs, longest_sequence(encoder), recipe.encoder)
    return trainee_of(recipe, encoder, Inputs(tokenizer.backend_tokenizer, special, budget)), tokenizer


def _fitting(budget: Budget, longest: int, name: str) -> Budget:
    try:
        return replace(budget, longest=min(budget.longest, longest))
    except UnusableInput as error:
        raise UnusableInput(f"{Path(name).name} reads at most {longest} tokens, but {error}") from None


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)
