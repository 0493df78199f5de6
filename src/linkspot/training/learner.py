"""Learners: the kinds of models while they learn, from a plain encoder to a model's folder."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import torch

from linkspot.encoders.torch_encoder import TorchEncoder
from linkspot.model.config import ModelConfig, ModelKind
from linkspot.model.cross.network import HeadedNetwork, Network, SimilarityNetwork
from linkspot.model.cross.scoring import PageModel, SimilarityModel
from linkspot.model.dual.dual import Dual, DualReader
from linkspot.model.dual.store import VectorStore
from linkspot.model.dual.texts import DualTexts
from linkspot.model.encoder_inputs import EncoderInputMaker
from linkspot.model.inputs import Inputs
from linkspot.progress import Progress
from linkspot.records import Example
from linkspot.training.head import fit_head, fit_pca
from linkspot.training.head_problems import problems_of_insertions, problems_to_learn
from linkspot.training.recipe import Recipe
from linkspot.training.recipe_encoder import vector_encoder
from linkspot.training.stages import Stage
from linkspot.training.training_examples import PageInputs, ProblemInputs, SimilarityInputs, WindowInputs
from linkspot.training.validation import ValidationFigures, validate

if TYPE_CHECKING:
    from transformers import PreTrainedModel

_VECTORS, _INT8 = "vectors", "int8"


class Learner(Protocol):
    """A model that learns: the stages train its network, then it is finished and written."""

    @property
    def network(self) -> Network:
        """The network that the stages train."""
        ...

    def problem_inputs(self, stage: Stage) -> ProblemInputs:
        """Return what turns problems into inputs of the encoder for a stage."""
        ...

    def page_model(self) -> PageModel:
        """Return the model as it is now, to be validated."""
        ...

    def finish(
        self, out: Path, work: Path, validation: Sequence[Example], progress: Progress
    ) -> ValidationFigures | None:
        """Write the heads into the model's folder; returns new validation figures if that changed the model."""
        ...


class CrossLearner:
    """A window, triple or article model."""

    def __init__(self, network: HeadedNetwork, inputs: Inputs) -> None:
        self.network = network
        self.maker = EncoderInputMaker(inputs, network.config)

    def problem_inputs(self, stage: Stage) -> ProblemInputs:
        """Return whole pages for `article`, windows for the others."""
        if self.network.config.kind is ModelKind.ARTICLE:
            return PageInputs(self.maker, stage.sentences)
        return WindowInputs(self.maker, stage.negatives)

    def page_model(self) -> PageModel:
        """Return the network as it is now."""
        return self.network.page_model(self.maker)

    def finish(self, out: Path, _work: Path, _validation: Sequence[Example], _progress: Progress) -> None:
        """Write the heads that the stages trained."""
        self.network.save_heads(out)


class DualLearner:
    """A dual model: stages, if there are any, train its encoder; at the end a head is fitted."""

    def __init__(self, network: SimilarityNetwork, inputs: Inputs, recipe: Recipe) -> None:
        self.network = network
        self._inputs = inputs
        self._recipe = recipe
        self._texts = DualTexts(inputs, recipe.dual)

    def problem_inputs(self, stage: Stage) -> ProblemInputs:
        """Return pages and targets as separate inputs."""
        return SimilarityInputs(self._texts, stage.sentences)

    def page_model(self) -> PageModel:
        """Return the encoder as it is now, ranking by similarity alone."""
        return SimilarityModel(self._encoder(), self._texts)

    def finish(self, out: Path, work: Path, validation: Sequence[Example], progress: Progress) -> ValidationFigures:
        """Fit a head to the encoder's vectors of real insertions, and of existing links if the recipe asks for them."""
        recipe = self._recipe
        encoder = vector_encoder(recipe, self.network.encoder, self.network.config.special.padding, work / _INT8)
        with VectorStore(work / _VECTORS, encoder.dimensions) as store:
            reader = DualReader(encoder, self._inputs, recipe.dual, store=store)
            problems, seed = problems_to_learn(recipe), recipe.seed
            reader.pca = pca = fit_pca(reader, problems, seed, progress.stage("directions of vectors"))
            validation_problems = problems_of_insertions(recipe, "validation")
            head = fit_head(reader, problems, validation_problems, recipe.head, seed, progress)
            head.save(out)
            pca.save(out)
            return validate(Dual(reader, head), validation)

    def _encoder(self) -> TorchEncoder:
        return TorchEncoder(self.network.encoder, self.network.config.special.padding)


def learner_of(recipe: Recipe, encoder: "PreTrainedModel", inputs: Inputs) -> Learner:
    """Return the learner of a recipe; it has learned nothing yet."""
    torch.manual_seed(recipe.seed)  # for the heads' first weights
    if recipe.model is ModelKind.DUAL:
        config = ModelConfig(recipe.model, inputs.special, inputs.budget, extra=asdict(recipe.dual))
        return DualLearner(SimilarityNetwork(encoder, config), inputs, recipe)
    config = ModelConfig(recipe.model, inputs.special, inputs.budget, recipe.form)
    return CrossLearner(HeadedNetwork(encoder, config), inputs)
