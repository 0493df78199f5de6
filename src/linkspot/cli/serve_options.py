"""The options of `linkspot serve`."""

from pathlib import Path
from typing import Annotated

import typer

ServiceFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Settings, wikis and limits, in TOML.", show_default=False),
]
Host = Annotated[
    str, typer.Option("--host", metavar="NAME", help="The address to listen at.", show_default="127.0.0.1")
]
Port = Annotated[int, typer.Option("--port", metavar="N", min=0, max=65_535, help="The port.", show_default="8080")]
ServedWikis = Annotated[
    list[str] | None,
    typer.Option(
        "--wiki",
        metavar="ADDRESS",
        help="A wiki that may be read, by its api.php; NAME=ADDRESS gives it a name. Repeat it for more.",
        show_default=False,
    ),
]
Indexes = Annotated[
    list[str] | None,
    typer.Option(
        "--index",
        metavar="FOLDER",
        help="The index of a wiki, which 'linkspot index' made; NAME=FOLDER says of which. Repeat it for more.",
        show_default=False,
    ),
]
ServiceRanker = Annotated[
    str,
    typer.Option("--ranker", metavar="NAME", help="How to score places; a name or a folder.", show_default="linkspot"),
]
ModelNameOption = Annotated[
    str,
    typer.Option("--model-name", metavar="NAME", help="What KServe calls the model.", show_default="linkspot"),
]
Database = Annotated[
    str,
    typer.Option(
        "--database", metavar="URL", help="Where decisions are kept.", show_default="sqlite:///linkspot.sqlite"
    ),
]
CacheFolder = Annotated[
    Path | None,
    typer.Option("--cache", metavar="FOLDER", help="Where answers are kept.", show_default="in memory alone"),
]
Workers = Annotated[
    int, typer.Option("--workers", metavar="N", min=0, help="How many processes rank.", show_default="all cores")
]
