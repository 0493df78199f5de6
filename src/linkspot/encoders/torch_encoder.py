"""The encoder as transformers runs it, for training and for models that are not exported."""

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForTextEncoding,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    MODEL_FOR_TEXT_ENCODING_MAPPING_NAMES,
)
from transformers.utils import logging

from linkspot.encoders.batching import encode_in_batches
from linkspot.encoders.encoder import TokenIds, Vectors
from linkspot.encoders.special_tokens import FRAME, SpecialTokens
from linkspot.encoders.tokenizer import TOKENIZER
from linkspot.errors import UnusableInput, first_line

if TYPE_CHECKING:
    from transformers import PreTrainedConfig, PreTrainedTokenizerBase

_HUB_PATIENCE = 5.0  # seconds; a hub that does not answer in time counts as unreachable
_DEFAULT_LONGEST = 512  # for encoders without a limit of their own, such as T5's: what they were trained with
_ATTENTION_DROPOUT = ("attention_probs_dropout_prob", "attention_dropout")  # what families of encoders call it
_DROPOUT = ("hidden_dropout_prob", "hidden_dropout", "dropout_rate", "embedding_dropout", "mlp_dropout")  # the others
# Encoders that come with a decoder, and for which transformers has a class for the encoder alone.
_HALVES = frozenset({"t5", "mt5", "umt5"}) & MODEL_FOR_TEXT_ENCODING_MAPPING_NAMES.keys()


class TorchEncoder:
    """Encodes with a transformers encoder, in inference mode."""

    def __init__(self, model: PreTrainedModel, padding_id: int) -> None:
        self.model = model
        self._padding = padding_id

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self.model.config.hidden_size)

    @property
    def longest(self) -> int:
        """The most tokens that a sequence may have."""
        return longest_sequence(self.model)

    def encode(self, sequences: Sequence[TokenIds]) -> list[Vectors]:
        """Return for each sequence, in the same order, its vectors: (tokens, dimensions)."""
        was_training = self.model.training
        self.model.train(False)
        try:
            with torch.inference_mode():
                return encode_in_batches(sequences, self._run, self._padding, self.longest)
        finally:
            self.model.train(was_training)

    def _run(self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]) -> Vectors:
        vectors: Vectors = run_encoder(self.model, ids, mask).cpu().numpy()
        return vectors


def load_encoder(id_or_folder: str | Path, *, attention_dropout: bool = True, dropout: bool = True) -> PreTrainedModel:
    """Return the encoder of a folder or of an id on the Hugging Face hub: no pooling layer, no decoder, float32.

    Without `attention_dropout` its attention drops nothing while it learns, without `dropout` nothing else either.
    """
    without = (*(() if attention_dropout else _ATTENTION_DROPOUT), *(() if dropout else _DROPOUT))
    name = str(id_or_folder)
    check_reachable(name)
    try:
        with quiet():
            config = AutoConfig.from_pretrained(name)
            _check_encoder(name, config)
            for rate in without:
                if hasattr(config, rate):
                    setattr(config, rate, 0.0)
            model, loading_info = _loaded(name, config)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise UnusableInput(f"{name} is not an encoder that transformers can read: {first_line(error)}") from None
    missing = sorted(loading_info["missing_keys"])
    if missing:
        raise UnusableInput(
            f"{name} lacks {len(missing)} of its encoder's weights, such as {missing[0]}; expected a complete model"
        )
    return model


def load_tokenizer(id_or_folder: str | Path) -> "PreTrainedTokenizerBase":
    """Return the tokenizer of an encoder, of a folder or of an id on the Hugging Face hub."""
    try:
        return AutoTokenizer.from_pretrained(id_or_folder)
    except (OSError, ValueError, KeyError) as error:
        raise UnusableInput(
            f"{id_or_folder} has no tokenizer that transformers can read: {first_line(error)}"
        ) from None


def load_fast_tokenizer(id_or_folder: str | Path) -> "tuple[PreTrainedTokenizerFast, SpecialTokens]":
    """Return the fast tokenizer of an encoder, and what frames a sequence for it."""
    tokenizer = load_tokenizer(id_or_folder)
    if not isinstance(tokenizer, PreTrainedTokenizerFast):
        raise UnusableInput(f"{id_or_folder} has only a slow tokenizer; save it as a fast one ({TOKENIZER}) first")
    ids = {kind: getattr(tokenizer, f"{kind}_token_id") for kind in FRAME}
    return tokenizer, SpecialTokens.of(ids, id_or_folder)


def run_encoder(model: PreTrainedModel, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]) -> torch.Tensor:
    """Return the vectors of padded sequences as float32: (sequences, tokens) → (sequences, tokens, dimensions)."""
    tensors = {"input_ids": ids, "attention_mask": mask}
    output = model(**{name: torch.from_numpy(array).to(model.device) for name, array in tensors.items()})
    vectors: torch.Tensor = output.last_hidden_state.float()
    return vectors


def longest_sequence(model: PreTrainedModel) -> int:
    """Return the most tokens that a sequence may have."""
    positions = getattr(model.config, "max_position_embeddings", None)
    if positions is None or model.config.model_type in _HALVES:
        return _DEFAULT_LONGEST
    table = next((part for name, part in model.named_modules() if name.endswith("position_embeddings")), None)
    # RoBERTa and its relatives count positions from after the padding's own.
    padding = getattr(table, "padding_idx", None)
    return int(positions) - (0 if padding is None else padding + 1)


def layers_of(model: PreTrainedModel) -> torch.nn.ModuleList:
    """Return the encoder's layers from the bottom: the first list of modules that is as long as its config says."""
    count = model.config.num_hidden_layers
    for module in model.modules():
        if isinstance(module, torch.nn.ModuleList) and len(module) == count:
            return module
    raise UnusableInput(f"a {model.config.model_type} model does not keep its layers in a list that linkspot knows")


def keep_layers(model: PreTrainedModel, numbers: Sequence[int]) -> None:
    """Remove all layers of an encoder but these, counted from 0 at the bottom."""
    layers = layers_of(model)
    if max(numbers) >= len(layers):
        raise UnusableInput(
            f"the encoder has {len(layers)} layers, so it cannot be cut down to {len(numbers)} with layer "
            f"{max(numbers)}, counted from 0"
        )
    kept = [layers[number] for number in numbers]
    del layers[:]
    layers.extend(kept)
    model.config.num_hidden_layers = len(kept)


def check_reachable(name: str) -> None:
    """Check that a name is a folder with a model, or an id that is cached here or that the hub knows."""
    from huggingface_hub import HfApi, try_to_load_from_cache
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    if Path(name).is_dir():
        if not (Path(name) / "config.json").is_file():
            raise UnusableInput(f"{name} has no config.json; expected a Hugging Face folder of an encoder")
        return
    try:
        if isinstance(try_to_load_from_cache(name, "config.json"), str):
            return
        HfApi().model_info(name, timeout=_HUB_PATIENCE)
    except HFValidationError:
        raise UnusableInput(
            f"{name} is neither a folder nor an id of the Hugging Face hub, such as intfloat/multilingual-e5-small"
        ) from None
    except HfHubHTTPError as error:
        raise UnusableInput(
            f"{name} is not a folder, and the Hugging Face hub has no such model: {first_line(error)}"
        ) from None
    except Exception as error:  # noqa: BLE001 (the hub client does not say which library fetches, nor what it raises)
        raise UnusableInput(
            f"{name} is not a folder, and the Hugging Face hub cannot be reached: {first_line(error)}"
        ) from None


def _check_encoder(name: str, config: "PreTrainedConfig") -> None:
    family = config.model_type
    if family in _HALVES:
        return
    is_encoder = family in MODEL_FOR_MASKED_LM_MAPPING_NAMES or family in MODEL_FOR_TEXT_ENCODING_MAPPING_NAMES
    if not is_encoder or getattr(config, "is_encoder_decoder", False) or getattr(config, "is_decoder", False):
        raise UnusableInput(
            f"{name} is a {family} model, which is not an encoder; "
            "expected for instance BERT, RoBERTa, XLM-R, DeBERTa, ModernBERT, E5 or T5"
        )


def _loaded(name: str, config: "PreTrainedConfig") -> tuple[PreTrainedModel, dict[str, set[str]]]:
    loader: Any = AutoModelForTextEncoding if config.model_type in _HALVES else AutoModel
    kind = loader._model_mapping[type(config)]  # several, if a family has several classes
    pools = not isinstance(kind, tuple) and "add_pooling_layer" in inspect.signature(kind).parameters
    extra = {"add_pooling_layer": False} if pools else {}
    model, loading_info = loader.from_pretrained(
        name, config=config, dtype=torch.float32, output_loading_info=True, **extra
    )
    return model, loading_info


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress transformers' notes on weights that are left out; weights that are missing are an error here."""
    log: Any = logging  # its functions have no types
    level, had_bars = log.get_verbosity(), log.is_progress_bar_enabled()
    log.set_verbosity_error()
    log.disable_progress_bar()
    try:
        yield
    finally:
        log.set_verbosity(level)
        if had_bars:
            log.enable_progress_bar()
