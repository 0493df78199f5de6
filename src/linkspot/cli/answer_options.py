"""The options of `linkspot suggest`: the page, the target, and how to answer."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from linkspot.parsing.markup import MARKUPS


class Format(StrEnum):
    """How an answer is written."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


# The page
PageFile = Annotated[
    Path,
    typer.Argument(
        metavar="PAGE", help="The page: a file (.html, .wiki, .md), or - for standard input.", show_default=False
    ),
]
Language = Annotated[
    str,
    typer.Option(
        "--lang",
        metavar="CODE",
        help="The language of the pages (en, sw, zh-tw).",
        show_default="what the page says",
    ),
]
MarkupName = Annotated[
    str,
    typer.Option(
        "--markup", metavar="NAME", help=f"The page's markup: {', '.join(MARKUPS)}.", show_default="from the file name"
    ),
]
Translations = Annotated[
    list[Path] | None,
    typer.Option(
        "--translation",
        metavar="FILE",
        help="The same page in another language. If it links the target, that is a hint. Repeat it for more.",
        show_default=False,
    ),
]

# The target
TargetFile = Annotated[
    Path | None,
    typer.Option("--target", metavar="FILE", help="The page to link to. Or name it with --title.", show_default=False),
]
Title = Annotated[str, typer.Option(metavar="TEXT", help="The target's title.", show_default=False)]
Lead = Annotated[
    str, typer.Option(metavar="TEXT", help="What the target is about: its first paragraph.", show_default=False)
]
Mentions = Annotated[
    list[str] | None,
    typer.Option(
        "--mention",
        metavar="TEXT",
        help="Words used for the target. Repeat it for more.",
        show_default=False,
    ),
]
LinkAddress = Annotated[
    str,
    typer.Option(
        "--url", metavar="URL", help="The link's address, in HTML and Markdown.", show_default="from the file names"
    ),
]
IndexFolder = Annotated[
    Path | None,
    typer.Option(
        "--index",
        metavar="FOLDER",
        help="A folder that 'linkspot index' made. The target is looked up there by --title: its lead, its "
        "mentions, and where other languages link it.",
        show_default=False,
    ),
]

# The answer
RankerName = Annotated[
    str, typer.Option("--ranker", metavar="NAME", help="How to score places; 'linkspot rankers' lists the names.")
]
Top = Annotated[int, typer.Option(metavar="N", min=1, help="How many places to show.")]
Anyway = Annotated[
    bool, typer.Option("--anyway", help="Show the best places even if the link seems to belong nowhere.")
]
AnswerFormat = Annotated[Format, typer.Option("--format", help="How to write the answer.")]
