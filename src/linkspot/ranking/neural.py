"""Trained models as rankers, run by torch or by onnxruntime."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING

from linkspot.encoders.onnx_encoder import OnnxEncoder, is_exported
from linkspot.errors import UnusableInput, first_line
from linkspot.extras import require_torch
from linkspot.model.config import CONFIG, HEADS, ModelConfig, ModelKind
from linkspot.model.cross.scoring import EncoderModel, PageModel, PageScores, WatchedModel
from linkspot.model.encoder_inputs import EncoderInputMaker
from linkspot.model.inputs import Inputs
from linkspot.model.shipped import shipped_model
from linkspot.progress import SILENT, StageProgress
from linkspot.ranking.ranker import Reads
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity

if TYPE_CHECKING:
    from linkspot.encoders.encoder import Encoder

_LOADING = RLock()  # one thread opens the model while the others wait for it


@dataclass(frozen=True, slots=True)
class NeuralRanker:
    """Scores by a trained model: how much better than *nowhere* each place is, so that *nowhere* itself scores 0.

    A model that reads whole pages gives logits; others know no *nowhere*, and find every place better. Threads take
    turns: models keep what they read of pages, and one page alone keeps all cores busy.
    """

    model: PageModel
    reads: Reads = Reads.PAGES
    inputs: Inputs | None = None
    _turn: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)
    _process: int = field(default_factory=os.getpid, init=False, repr=False, compare=False)

    def score(self, entity: Entity, article: Article) -> Scores:
        """Return one score per candidate."""
        return self.score_watched(entity, article, SILENT)

    def score_watched(self, entity: Entity, article: Article, stage: StageProgress) -> Scores:
        """Return one score per candidate, and show how much of the page is read."""
        self._check_process()
        with self._turn:
            if isinstance(self.model, WatchedModel):
                return self._against_nowhere(self.model.scores_watched(entity, article, stage))
            return self._against_nowhere(self.model.scores(entity, article))

    def score_some(self, entity: Entity, article: Article, numbers: Sequence[int]) -> Scores:
        """Return the scores of some candidates; a model that reads candidates one by one reads no others."""
        if not isinstance(self.model, EncoderModel):
            return self.score(entity, article).some(numbers)
        self._check_process()
        with self._turn:
            return self._against_nowhere(self.model.scores_of(entity, article, numbers))

    def unread(self, texts: Sequence[str]) -> float:
        """Return the share of the texts' tokens that stand for letters that the model never saw."""
        return self.inputs.unread(texts) if self.inputs else 0.0

    def _check_process(self) -> None:
        """Refuse to work in a fork of the process that opened the model: it would wait for threads it does not have."""
        if os.getpid() != self._process:
            raise UnusableInput(
                "this model was opened before the process was forked, and its threads are not copied; open it in each "
                "process, or start processes with multiprocessing.get_context('spawn')"
            )

    def _against_nowhere(self, scores: PageScores) -> Scores:
        return Scores(tuple(map(float, scores.against_nowhere)), 0.0, are_logits=self.reads is Reads.PAGES)


def load(name: str | Path) -> NeuralRanker:
    """Return the ranker of a trained model: a folder that linkspot wrote, or the id of one on the Hugging Face hub."""
    folder = Path(name)
    if not folder.is_dir():
        folder = _downloaded(str(name))
    config = ModelConfig.of_folder(folder)
    with ThreadPoolExecutor(1) as aside:  # the encoder is unpacked while the tokenizer is read
        opening = aside.submit(open_encoder, folder, config)
        inputs = Inputs.of_folder(folder, config.special, config.budget)
    encoder = opening.result()
    if config.kind is ModelKind.DUAL:
        from linkspot.model.dual.dual import Dual

        return NeuralRanker(Dual.of_folder(folder, encoder, inputs, config), inputs=inputs)
    from safetensors.numpy import load_file

    model = EncoderModel(encoder, EncoderInputMaker(inputs, config), load_file(folder / HEADS))
    return NeuralRanker(model, Reads.PAGES if model.reads_pages else Reads.WINDOWS, inputs)


def load_shipped() -> NeuralRanker:
    """Return the ranker of the model that comes with linkspot, opened once and then shared by all threads."""
    with _LOADING:
        return _shipped_for(os.getpid())


@lru_cache(maxsize=1)
def _shipped_for(_process: int) -> NeuralRanker:
    return load(shipped_model())


def open_encoder(folder: Path, config: ModelConfig) -> "Encoder":
    """Return what runs a model's encoder: onnxruntime for an exported one, else torch."""
    if is_exported(folder):
        return OnnxEncoder(folder)
    require_torch(f"{folder} is not exported, so it")
    from linkspot.encoders.torch_encoder import TorchEncoder, load_encoder

    return TorchEncoder(load_encoder(str(folder)), config.special.padding)


def _downloaded(name: str) -> Path:
    """Return where a model of the Hugging Face hub is on this machine, fetched if necessary."""
    if name.count("/") != 1 or Path(name).parent.exists():
        raise UnusableInput(f"{name} is not a folder; a model's folder has a {CONFIG}, `linkspot train` makes one")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError

    try:
        return Path(snapshot_download(name))
    except (HfHubHTTPError, OSError) as error:
        raise UnusableInput(
            f"{name} is not a folder, and cannot be fetched from the hub: {first_line(error)}"
        ) from None
