"""The distilled encoder of a recipe: made smaller before anything else is learned."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.encoders.torch_encoder import keep_layers, quiet
from linkspot.errors import UnusableInput
from linkspot.files import new_folder
from linkspot.model.dual.dual import DualReader
from linkspot.model.dual.store import VectorStore
from linkspot.model.dual.texts import plain_page
from linkspot.model.inputs import Chunk, Inputs
from linkspot.progress import Progress
from linkspot.records import Article, Entity
from linkspot.training.checkpoint import Checkpoint
from linkspot.training.distillation import Distillation, Lessons
from linkspot.training.head_problems import problems_to_learn
from linkspot.training.logs import TrainingLog
from linkspot.training.recipe import Recipe
from linkspot.training.recipe_encoder import vector_encoder

if TYPE_CHECKING:
    from transformers import PreTrainedModel

_PAGES_AT_ONCE = 64  # their texts go through the encoder together
_UNKNOWN = "und"  # the language of a text that does not say it


def distill(
    recipe: Recipe,
    encoder: "PreTrainedModel",
    inputs: Inputs,
    out: Path,
    work: Path,
    save_every: float,
    progress: Progress,
    log: TrainingLog,
) -> None:
    """Let an encoder's chosen layers learn to give the vectors of the whole encoder, and write them to a folder.

    A checkpoint beside them, without weights, says which recipe they belong to.
    """
    student = deepcopy(encoder)
    keep_layers(student, recipe.distillation.layers)
    teacher = vector_encoder(recipe, encoder, inputs.special.padding, work / "int8")
    with VectorStore(work / "vectors", teacher.dimensions) as store:
        reader = DualReader(teacher, inputs, recipe.dual, store=store)
        chunks = _sequences(reader, list(_pairs(recipe)), progress)
        lessons = Lessons(chunks, lambda chunk: reader.vectors([chunk]), inputs.special.padding)
        distillation = Distillation(student, lessons, recipe.distillation, recipe.seed, log)
        distillation.run(work, recipe.plan(), save_every)
    with new_folder(out) as folder, quiet():
        student.save_pretrained(folder)
        Checkpoint(recipe.plan(), 0, 0, {}).save(folder)


def _pairs(recipe: Recipe) -> Iterator[tuple[Entity, Article]]:
    """Yield what the head will learn from, then passages in other languages, as pages and as targets."""
    for problem in problems_to_learn(recipe):
        yield problem.example.entity, problem.example.article
    for title, sentences in passages(Path(recipe.texts)) if recipe.texts else ():
        yield Entity(title, " ".join(sentences)), plain_page(title, sentences, _UNKNOWN)


def passages(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the passages of a file of texts: the title on the first line, a sentence on each of the others."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableInput(f"the texts in other languages, {path}, cannot be read: {error}") from None
    for passage in text.split("\n\n"):
        title, *sentences = [line.strip() for line in passage.splitlines() if line.strip()] or [""]
        if sentences:
            yield title, sentences


def _sequences(reader: DualReader, pairs: Sequence[tuple[Entity, Article]], progress: Progress) -> list[Chunk]:
    """Return all different sequences of pages and targets, after the reader has encoded them."""
    sequences: dict[tuple[object, object], Chunk] = {}
    stage = progress.stage("vectors of the larger encoder")
    for start in range(0, len(pairs), _PAGES_AT_ONCE):
        part = pairs[start : start + _PAGES_AT_ONCE]
        chunks = [chunk for pair in part for chunk in reader.sequences(*pair)]
        reader.vectors(chunks)
        sequences |= {(chunk.ids, chunk.spans): chunk for chunk in chunks}
        stage.update((start + len(part)) / len(pairs), start + len(part))
    return list(sequences.values())
