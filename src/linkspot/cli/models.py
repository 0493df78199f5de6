"""Commands about models: show one (model), save an encoder (pretrained), write one for onnxruntime (export)."""

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkspot.cli.model_options import (
    CheckDataset,
    CheckTexts,
    EmbeddingBits,
    EmbeddingBitsOption,
    EncoderName,
    Int8,
    IsPacked,
    ModelFolder,
)
from linkspot.cli.options import NewFolder
from linkspot.cli.output import say
from linkspot.errors import UnusableInput
from linkspot.extras import Extra, require

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkspot.encoders.export_check import RankingCheck
    from linkspot.records import Example

_MOST_COMPARED = 300  # insertions; a model and its export rank each of them


def model(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="FOLDER", help="A trained model.", show_default="the one that comes with linkspot"),
    ] = None,
) -> None:
    """Show what a model is, and its card with its results.

    Example: linkspot model my-model
    """
    from rich.markdown import Markdown

    from linkspot.cli.safe_console import safe_console
    from linkspot.encoders.onnx_encoder import is_exported
    from linkspot.model.config import ModelConfig, card_of
    from linkspot.model.shipped import shipped_model

    if folder is None:
        folder = shipped_model()
        say("The model that comes with linkspot:")
    kind = ModelConfig.of_folder(folder).kind
    runs = "onnxruntime" if is_exported(folder) else "torch"
    say(f"{folder}: a {kind} model, {_megabytes(folder):,.0f} MB, run by {runs}\n")
    safe_console(highlight=False).print(Markdown(card_of(folder) or "It has no card."))


def pretrained(name: EncoderName, out: NewFolder) -> None:
    """Save an encoder as a Hugging Face folder, to start training from it.

    Example: linkspot pretrained e5-small-multilingual --out e5-small
    """
    require(Extra.TRAIN, "linkspot pretrained")
    from linkspot.encoders.pretrained import save_pretrained

    save_pretrained(name, out)
    say(f"{out} holds {name}, {_megabytes(out):,.0f} MB")


def export(
    folder: ModelFolder,
    out: NewFolder,
    int8: Int8 = False,
    embedding_bits: EmbeddingBitsOption = EmbeddingBits.EIGHT,
    packed: IsPacked = False,
    dataset: CheckDataset = None,
    texts: CheckTexts = None,
) -> None:
    """Write a model for onnxruntime, which ranks without torch, and report how much it differs.

    Its vectors are compared with torch's on some texts, and a trained model's rankings on some pages.

    Example: linkspot export my-model --int8 --embedding-bits 4 --out my-model-int8
    """
    require(Extra.TRAIN, "linkspot export")
    sequences = _sequences(folder, _lines(texts) if texts else _sample_sentences())
    from linkspot.encoders.export import export_folder
    from linkspot.model.config import CONFIG

    check = export_folder(folder, out, sequences, int8, int(embedding_bits), packed)
    say(f"{out} holds the model, {_megabytes(out):,.0f} MB instead of {_megabytes(folder):,.0f}")
    say(check)
    if (folder / CONFIG).is_file():
        say(_rankings(folder, out, dataset))


def _rankings(folder: Path, out: Path, dataset: Path | None) -> "RankingCheck":
    """Compare how a model and its export rank."""
    from linkspot.encoders.export_check import check_rankings
    from linkspot.ranking.neural import load

    before, after = load(folder), load(out)
    questions = _insertions(dataset) if dataset else _sample_questions()
    return check_rankings(
        lambda example: before.score(example.entity, example.article).places,
        lambda example: after.score(example.entity, example.article).places,
        ((example, example.gold) for example in questions if example.article.sentences),
    )


def _insertions(dataset: Path) -> "Iterator[Example]":
    from linkspot.examples.dataset_reader import Insertions
    from linkspot.tables.folder import TableFolder

    insertions = Insertions(TableFolder.open(dataset, "dataset").path, "validation")
    return (insertion.example for insertion in islice(insertions, _MOST_COMPARED))


def _sample_questions() -> "Iterator[Example]":
    from linkspot.answers.samples import SAMPLES
    from linkspot.answers.target import entity_of
    from linkspot.parsing import parse
    from linkspot.records import Example

    return (Example(entity_of(parse(sample.target())), parse(sample.page()), ()) for sample in SAMPLES)


def _lines(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableInput(f"{path} cannot be read as UTF-8 text ({error}); expected one text per line") from None
    texts = [line for line in lines if line.strip()]
    if not texts:
        raise UnusableInput(f"{path} has no text in it; expected one text per line")
    return texts


def _sample_sentences() -> list[str]:
    from linkspot.answers.samples import SAMPLES
    from linkspot.parsing import parse

    pages = [page for sample in SAMPLES for page in (sample.page(), sample.target())]
    return [sentence.text for page in pages for section in parse(page).sections for sentence in section.sentences]


def _sequences(folder: Path, texts: list[str]) -> list[list[int]]:
    """Return the texts as token ids; none if the folder has no tokenizer."""
    from tokenizers import Tokenizer

    path = next(
        (path for path in (folder / "tokenizer.json", folder / "encoder/tokenizer.json") if path.is_file()), None
    )
    if path is None:
        return []
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()  # some are saved with the padding of their training
    tokenizer.no_truncation()
    return [encoding.ids for encoding in tokenizer.encode_batch(texts) if encoding.ids]


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
