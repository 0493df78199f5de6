"""Options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from linkspot.cli.values import folder_to_make
from linkspot.machine import usable_cores

ALL_CORES = usable_cores()


class EngineName(StrEnum):
    """What runs the stages."""

    LOCAL = "local"
    SPARK = "spark"


# Inputs
Corpora = Annotated[
    list[Path],
    typer.Argument(
        metavar="CORPUS",
        help="Dumps (XML, Enterprise HTML, ZIM), git repositories or bundles, or folders of pages.",
        show_default=False,
    ),
]
Tables = Annotated[
    list[Path],
    typer.Argument(
        metavar="FOLDER", help="Folders that 'linkspot index' and 'linkspot insertions' made.", show_default=False
    ),
]
Kind = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="The kind of the corpora, if it is not recognised. A wrong name gets a list of all kinds.",
        show_default=False,
    ),
]
Lang = Annotated[
    str,
    typer.Option(metavar="CODE", help="The language of the corpora (en, sw), if they do not say.", show_default=False),
]
Pages = Annotated[
    str,
    typer.Option(
        metavar="PATTERN",
        help="Where the pages are in a folder or repository, for example 'docs/{lang}/{slug}.md'.",
        show_default=False,
    ),
]
LinkBase = Annotated[
    str,
    typer.Option(
        metavar="PREFIX", help="What comes before a slug in absolute links, for example /docs/.", show_default=False
    ),
]
Entities = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="A table that says what pages are about in every language: columns title, id and, for several languages, "
        "language. TSV, CSV, JSON lines or Parquet.",
        show_default=False,
    ),
]
Licence = Annotated[
    str,
    typer.Option(
        metavar="TEXT", help="The licence of the corpora, for the data card: 'CC BY-SA 4.0'.", show_default=False
    ),
]

# Output
Out = Annotated[
    Path,
    typer.Option(
        metavar="FOLDER",
        callback=folder_to_make,
        help="The folder for the tables. A run that was stopped continues there.",
        show_default=False,
    ),
]
NewFolder = Annotated[
    Path, typer.Option(metavar="FOLDER", callback=folder_to_make, help="The folder to make.", show_default=False)
]

# How the work is done
EngineOption = Annotated[EngineName, typer.Option(help="Run on this machine, or on Spark.")]
Jobs = Annotated[
    int, typer.Option(metavar="N", min=1, help="How many processes work at once.", show_default="all cores")
]
Master = Annotated[
    str,
    typer.Option(
        metavar="URL", help="The Spark master, for example yarn or spark://host:7077.", show_default="this machine"
    ),
]
SparkSetting = Annotated[
    list[str] | None,
    typer.Option(
        "--spark",
        metavar="NAME=VALUE",
        help="A Spark setting, for example spark.executor.memory=4g. Repeat it for more.",
        show_default=False,
    ),
]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="The seed of all random draws.")]
QueryLimit = Annotated[
    int, typer.Option(metavar="N", min=0, help="At most this many queries per language; 0 means all.")
]
