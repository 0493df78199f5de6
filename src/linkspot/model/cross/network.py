"""Networks that learn: an encoder, with small heads or only similarity on top.

Shapes: H is the encoder's dimensions, C the candidates of an input, T the tokens of a sequence.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn.functional import normalize

from linkspot.encoders.batching import encode_in_batches
from linkspot.encoders.encoder import TokenIds
from linkspot.encoders.torch_encoder import TorchEncoder, longest_sequence, run_encoder
from linkspot.files import unfinished
from linkspot.model.config import HEADS, ModelConfig
from linkspot.model.cross.scoring import EncoderModel
from linkspot.model.encoder_inputs import EncoderInput, EncoderInputMaker
from linkspot.model.pooling import NOWHERE, PLACE, POOLINGS, page_vector, similarities

if TYPE_CHECKING:
    from transformers import PreTrainedModel

# How many tokens go through the encoder together, padding included. On a CPU more do not fit into the caches: with
# 8,192, training takes 1.5 times as long.
_MOST_TOKENS, _MOST_ON_CPU = 8_192, 1_024
_SHARPNESS = 20.0  # of the softmax over cosines that learning begins with


class Network(nn.Module, ABC):
    """An encoder, and heads that say what its vectors mean."""

    def __init__(self, encoder: "PreTrainedModel", config: ModelConfig, heads: dict[str, nn.Module]) -> None:
        super().__init__()
        self.encoder = encoder
        self.config = config
        self.heads = nn.ModuleDict(heads)
        self._longest = longest_sequence(encoder)

    def forward(self, encoder_inputs: Sequence[EncoderInput]) -> list[Tensor]:
        """Return the scores of each input: (C,), or (C + 1,) with *nowhere* at the end."""
        vectors = self._encode([sequence for encoder_input in encoder_inputs for sequence in encoder_input.sequences])
        scores, start = [], 0
        for encoder_input in encoder_inputs:
            end = start + len(encoder_input.sequences)
            scores.append(self._score(encoder_input, vectors[start:end]))
            start = end
        return scores

    @abstractmethod
    def _score(self, encoder_input: EncoderInput, vectors: Sequence[Tensor]) -> Tensor:
        """Return the scores of an input, given the vectors of its sequences."""

    def _encode(self, sequences: Sequence[TokenIds]) -> list[Tensor]:
        """Return the vectors of each sequence, (T, H) each; sequences of similar length are encoded together."""
        run, padding = partial(run_encoder, self.encoder), self.config.special.padding
        most = _MOST_ON_CPU if self.encoder.device.type == "cpu" else _MOST_TOKENS
        return encode_in_batches(sequences, run, padding, self._longest, most)


class HeadedNetwork(Network):
    """A window, triple or article model: a head scores candidates, and a second one *nowhere* where pages are read."""

    def __init__(self, encoder: "PreTrainedModel", config: ModelConfig) -> None:
        self._pooling = POOLINGS[config.kind]
        size = encoder.config.hidden_size
        heads = {PLACE: _mlp(size * self._pooling.vectors, size)}
        if self._pooling.reads_pages:
            heads[NOWHERE] = _mlp(size, size)
        super().__init__(encoder, config, heads)

    def _score(self, encoder_input: EncoderInput, vectors: Sequence[Tensor]) -> Tensor:
        scores: Tensor = self.heads[PLACE](self._pooling.pool(encoder_input, vectors, torch)).squeeze(-1)  # (C,)
        if self._pooling.reads_pages:
            nowhere = self.heads[NOWHERE](page_vector(vectors, torch)).squeeze(-1)  # (1,)
            scores = torch.cat((scores, nowhere))
        return scores

    def page_model(self, maker: EncoderInputMaker) -> EncoderModel:
        """Return the network as it is now, in the form that serving uses."""
        heads = {name: tensor.detach().float().cpu().numpy() for name, tensor in self.heads.state_dict().items()}
        return EncoderModel(TorchEncoder(self.encoder, self.config.special.padding), maker, heads)

    def save_heads(self, folder: Path) -> None:
        """Write the heads into a model's folder."""
        tensors = {name: tensor.float().contiguous() for name, tensor in self.heads.state_dict().items()}
        with unfinished(folder / HEADS) as path:
            save_file(tensors, path)


class SimilarityNetwork(Network):
    """A dual model's encoder while it learns: right sentences are to be more similar to the target than others.

    What several inputs share, such as the page of several targets, is encoded once. While it learns, the sentences of
    the other pages that are read together are rivals, too: their scores follow those of the page's own.
    """

    def __init__(self, encoder: "PreTrainedModel", config: ModelConfig) -> None:
        weigh = nn.Linear(2, 1)  # of the similarity to the names and to the lead
        nn.init.constant_(weigh.weight, _SHARPNESS)
        super().__init__(encoder, config, {PLACE: weigh})

    def forward(self, encoder_inputs: Sequence[EncoderInput]) -> list[Tensor]:
        """Return the scores of each input, (C,); while it learns, R sentences of other pages follow: (C + R,)."""
        numbers: dict[TokenIds, int] = {}
        for encoder_input in encoder_inputs:
            for sequence in encoder_input.sequences:
                numbers.setdefault(sequence, len(numbers))
        vectors = self._encode(list(numbers))
        places: dict[tuple[int, int, int], int] = {}  # of all pages: sequence, start, end
        own = []  # the rows of each input's places
        for encoder_input in encoder_inputs:
            spans = (
                (numbers[encoder_input.sequences[place.sequence]], place.start, place.end)
                for place in encoder_input.places
            )
            own.append([places.setdefault(span, len(places)) for span in spans])
        sentences = normalize(torch.stack([vectors[number][start:end].mean(0) for number, start, end in places]), dim=1)
        beside = [vectors[numbers[sequence]].mean(0) for one in encoder_inputs for sequence in one.sequences[:2]]
        targets = normalize(torch.stack(beside), dim=1).reshape(len(own), 2, -1)  # (inputs, 2, H): names and lead
        scores = self.heads[PLACE]((targets @ sentences.T).transpose(1, 2)).squeeze(-1)  # (inputs, all places)
        return [row[self._rows(one, len(places))] for row, one in zip(scores, own, strict=True)]

    def _rows(self, own: list[int], count: int) -> list[int]:
        """Return the numbers of a page's own sentences and, while it learns, then of all others."""
        if not self.training:
            return own
        known = set(own)
        return [*own, *(number for number in range(count) if number not in known)]

    def _score(self, encoder_input: EncoderInput, vectors: Sequence[Tensor]) -> Tensor:
        scores: Tensor = self.heads[PLACE](similarities(encoder_input, vectors, torch)).squeeze(-1)  # (C,)
        return scores


def _mlp(inputs: int, hidden: int) -> nn.Module:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, 1))
