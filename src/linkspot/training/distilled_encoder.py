"""The distilled encoder of a recipe: made smaller before anything else is learned."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.encoders.torch_encoder import keep_layers, quiet
from linkspot.errors import UnusableInput
from linkspot.files import new_folder
from linkspot.model.dual.dual import DualReader
from linkspot.model.dual.texts import plain_page
from linkspot.model.inputs import Chunk, Inputs
from linkspot.progress import Progress
from linkspot.records import Article, Entity
from linkspot.training.checkpoint import Checkpoint
from linkspot.training.distillation import Distillation, Lessons
from linkspot.training.head_problems import problems_to_learn
from linkspot.training.logs import TrainingLog
from linkspot.training.optimizer import fit_for_bf16, uses_bf16
from linkspot.training.recipe import Recipe
from linkspot.training.recipe_encoder import vector_encoder
from linkspot.training.training_examples import drawn_numbers

if TYPE_CHECKING:
    from transformers import PreTrainedModel

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
    bf16 = uses_bf16(recipe.precision)
    if bf16:
        fit_for_bf16(student)
    teacher = vector_encoder(recipe, encoder, inputs.special.padding, work / "int8")
    chunks = _sequences(DualReader(teacher, inputs, recipe.dual), list(_pairs(recipe)), progress)
    lessons = Lessons(chunks, teacher, inputs.special.padding)
    distillation = Distillation(student, lessons, recipe.distillation, recipe.seed, log, bf16=bf16)
    distillation.run(work, recipe.plan(), save_every)
    with new_folder(out) as folder, quiet():
        student.save_pretrained(folder)
        Checkpoint(recipe.plan(), 0, 0, {}).save(folder)


def _pairs(recipe: Recipe) -> Iterator[tuple[Entity, Article]]:
    """Yield some of what the head will learn from, then passages in other languages, as pages and as targets."""
    problems = problems_to_learn(recipe)
    for number in drawn_numbers(len(problems), recipe.distillation.pages, recipe.seed):
        problem = problems[number]
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
    """Return all different sequences of pages and targets."""
    sequences: dict[tuple[object, object], Chunk] = {}
    stage = progress.stage("texts of distillation")
    for number, pair in enumerate(pairs, start=1):
        sequences |= {(chunk.ids, chunk.spans): chunk for chunk in reader.sequences(*pair)}
        stage.update(number / len(pairs), number)
    return list(sequences.values())
