"""The options of the commands that make models: train, adapt, pretrained, export."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from linkspot.cli.values import folder_to_make

_SAMPLES = "the sample pages that come with linkspot"


class EmbeddingBits(StrEnum):
    """How many bits a number of the vocabulary's embeddings takes."""

    FOUR = "4"
    EIGHT = "8"
    ALL = "32"


# train
Recipe = Annotated[
    Path | None,
    typer.Argument(metavar="RECIPE", help="How to train, as a TOML file; see --print-recipe.", show_default=False),
]
ModelOut = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="FOLDER", callback=folder_to_make, help="The folder for the model.", show_default=False
    ),
]
OtherEncoder = Annotated[
    str, typer.Option("--encoder", metavar="NAME", help="The encoder to start from.", show_default="the recipe's")
]
OtherDataset = Annotated[
    str, typer.Option("--dataset", metavar="FOLDER", help="The dataset to learn from.", show_default="the recipe's")
]
PublishedTrainingFiles = Annotated[
    str,
    typer.Option(
        "--published",
        metavar="FOLDER",
        help="Instead of a dataset: the paper's published training files, in FOLDER/stage1 and FOLDER/stage2.",
        show_default=False,
    ),
]
OtherTexts = Annotated[
    str, typer.Option("--texts", metavar="FILE", help="Texts in further languages.", show_default="the recipe's")
]
OtherSeed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", min=0, help="The seed of all random draws.", show_default="the recipe's"),
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue the run that was stopped in --out.")]
SaveEvery = Annotated[float, typer.Option(metavar="MINUTES", min=0.0, help="Time between checkpoints.")]
TensorBoard = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", callback=folder_to_make, help="Also log for TensorBoard, in this folder.", show_default=False
    ),
]
PrintRecipe = Annotated[
    str, typer.Option(metavar="NAME", help="Print a recipe to start from; '?' lists them.", show_default=False)
]

# adapt, pretrained, export
OwnDataset = Annotated[
    Path,
    typer.Argument(metavar="DATASET", help="A folder that 'linkspot dataset' made of your wiki.", show_default=False),
]
StartModel = Annotated[
    Path | None,
    typer.Option(
        "--model",
        metavar="FOLDER",
        help="The dual model to start from.",
        show_default="the one that comes with linkspot",
    ),
]
MostLinks = Annotated[
    int,
    typer.Option("--links", metavar="N", min=0, help="How many existing links of each corpus to learn from."),
]
MostInsertions = Annotated[
    int,
    typer.Option(
        "--insertions",
        metavar="N",
        min=0,
        help="How many insertions of each corpus to learn from and validate on.",
        show_default="all",
    ),
]
Afresh = Annotated[bool, typer.Option("--afresh", help="Fit a new head instead of continuing with the model's own.")]
EncoderName = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="e5-small-multilingual, minilm-l6-english or mpnet-base-english, which come in Python packages; or the "
        "id of an encoder on the Hugging Face hub; or a folder.",
        show_default=False,
    ),
]
ModelFolder = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="A trained model, or an encoder alone.", show_default=False)
]
Int8 = Annotated[bool, typer.Option("--int8", help="Compute with 8-bit weights and sums: smaller and faster.")]
EmbeddingBitsOption = Annotated[
    EmbeddingBits, typer.Option("--embedding-bits", help="How many bits a number of the vocabulary's embeddings takes.")
]
IsPacked = Annotated[
    bool, typer.Option("--packed", help="Compress the graph and the tokenizer: smaller, a little slower to open.")
]
CheckDataset = Annotated[
    Path | None,
    typer.Option(
        "--dataset",
        metavar="FOLDER",
        help="A folder that 'linkspot dataset' made: compare rankings of its validation insertions.",
        show_default=_SAMPLES,
    ),
]
CheckTexts = Annotated[
    Path | None,
    typer.Option("--texts", metavar="FILE", help="Texts to compare vectors on, one per line.", show_default=_SAMPLES),
]
