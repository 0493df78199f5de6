"""Options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from linkspot.machine import usable_cores


class EngineName(StrEnum):
    """What runs the stages."""

    LOCAL = "local"
    SPARK = "spark"


Corpora = Annotated[
    list[Path],
    typer.Argument(
        metavar="CORPUS…",
        help="Dumps (XML, Enterprise HTML, ZIM), git repositories or bundles, folders of pages.",
        show_default=False,
    ),
]
Tables = Annotated[
    list[Path],
    typer.Argument(metavar="DIR…", help="What 'linkspot index' and 'linkspot insertions' made.", show_default=False),
]
Out = Annotated[Path, typer.Option(help="The folder for the tables; a run that was stopped goes on in it.")]
Kind = Annotated[
    str,
    typer.Option(
        help="The kind of the corpora, if it is not recognised: see the message of a wrong one.", show_default=False
    ),
]
Lang = Annotated[str, typer.Option(help="The language of the corpora, where they do not say it.", show_default=False)]
Pages = Annotated[
    str,
    typer.Option(
        help="Where pages live in a folder or repository, for instance 'docs/{lang}/{slug}.md'.", show_default=False
    ),
]
LinkBase = Annotated[
    str, typer.Option(help="What stands before a slug in absolute links, for instance /docs/.", show_default=False)
]
EngineOption = Annotated[EngineName, typer.Option(help="Run on this machine, or on Spark.")]
Jobs = Annotated[int, typer.Option(min=1, help="How many processes work at once.", show_default="all cores")]
Master = Annotated[
    str, typer.Option(help="Spark's master, for instance yarn or spark://host:7077.", show_default="this machine")
]
SparkSetting = Annotated[
    list[str] | None,
    typer.Option("--spark", help="A setting of Spark, as spark.name=value; give it once for each.", show_default=False),
]
Licence = Annotated[
    str, typer.Option(help="The licence of the corpora, for the data card: 'CC BY-SA 4.0'.", show_default=False)
]
ALL_CORES = usable_cores()
