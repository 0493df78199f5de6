"""The optimizer of a stage: which weights learn, and how fast."""

from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

import torch

from linkspot.encoders.torch_encoder import layers_of
from linkspot.errors import UnusableInput
from linkspot.model.cross.network import Network
from linkspot.training.recipe import Precision
from linkspot.training.stages import Stage

if TYPE_CHECKING:
    from transformers import PreTrainedModel


def optimizer_of(network: Network, stage: Stage) -> torch.optim.Optimizer:
    """Return AdamW with a rate for the encoder and one for the heads; biases and norms do not decay."""
    groups = []
    for part, rate in ((network.encoder, stage.encoder_rate), (network.heads, stage.head_rate)):
        learning = [parameter for parameter in part.parameters() if parameter.requires_grad]
        for is_matrix in (True, False):
            chosen = [parameter for parameter in learning if (parameter.ndim > 1) == is_matrix]
            if chosen:
                decay = stage.weight_decay if is_matrix else 0.0
                groups.append({"params": chosen, "lr": rate, "full_rate": rate, "weight_decay": decay})
    return torch.optim.AdamW(groups)


def freeze(network: Network, stage: Stage) -> None:
    """Let all parameters learn, except those that the stage freezes."""
    for parameter in network.parameters():
        parameter.requires_grad_(True)
    frozen = list(network.encoder.get_input_embeddings().parameters()) if stage.frozen_embeddings else []
    if stage.frozen_layers:
        layers = layers_of(network.encoder)
        if stage.frozen_layers > len(layers):
            raise UnusableInput(
                f"stage {stage.name!r} freezes {stage.frozen_layers} layers, but the encoder has {len(layers)}; "
                "set frozen_layers to at most that"
            )
        frozen += [*_below(network.encoder, layers), *layers[: stage.frozen_layers].parameters()]
    for parameter in frozen:
        parameter.requires_grad_(False)


def frozen_modules(network: Network) -> list[torch.nn.Module]:
    """Return the modules that do not learn; without dropout they are faster, and the rest learns to rely on them."""
    learning = (
        (module, [parameter.requires_grad for parameter in module.parameters()]) for module in network.modules()
    )
    return [module for module, flags in learning if flags and not any(flags)]


def fit_for_bf16(encoder: "PreTrainedModel") -> None:
    """Choose the attention that is fast in bf16: on a CPU torch's own takes 1.2 times as long, most of it backwards."""
    if encoder.device.type == "cpu":
        encoder.set_attn_implementation("eager")


def uses_bf16(precision: Precision) -> bool:
    """Return whether to compute in bf16: if the recipe says so, or leaves it to a machine that has it."""
    if precision is not Precision.AUTO:
        return precision is Precision.BF16
    return torch.cuda.is_bf16_supported() if torch.cuda.is_available() else torch.cpu._is_avx512_bf16_supported()


def _below(encoder: torch.nn.Module, layers: torch.nn.ModuleList) -> Iterator[torch.nn.Parameter]:
    """Yield what comes before the layers: if it learned, gradients would have to pass through frozen layers."""
    of_layers = {id(parameter) for parameter in layers.parameters()}
    return takewhile(lambda parameter: id(parameter) not in of_layers, encoder.parameters())
