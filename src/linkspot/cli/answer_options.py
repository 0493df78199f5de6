"""The options of `linkspot suggest`: the page, the target, and how to answer."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from linkspot.parsing.markup import MARKUPS

STANDARD_INPUT = "-"


class Format(StrEnum):
    """How an answer is written."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


# The page
PageName = Annotated[
    str,
    typer.Argument(
        metavar="PAGE",
        help="The page: a file (.html, .wiki, .md), - for standard input, or the address of a wiki's page.",
        show_default=False,
    ),
]
Language = Annotated[
    str,
    typer.Option(
        "--lang",
        metavar="CODE",
        help="The language of the pages (en, sw, zh-tw).",
        show_default="what the page or its path says, else judged by its text",
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
        help="The same page in another language: FILE, or LANG=FILE. If it links the target, that is a hint. "
        "Repeat it for more.",
        show_default=False,
    ),
]

# The target
TargetFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--target",
        metavar="FILE",
        help="The page to link to. Or name it with --title. Repeat either for several targets.",
        show_default=False,
    ),
]
Titles = Annotated[
    list[str] | None, typer.Option("--title", metavar="TEXT", help="The target's title.", show_default=False)
]
TargetList = Annotated[
    Path | None,
    typer.Option(
        "--targets",
        metavar="FILE",
        help="Several targets: a file with a title or a JSON object on each line, or a folder that 'linkspot index' "
        "made, for all its pages.",
        show_default=False,
    ),
]
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
WikiName = Annotated[
    str,
    typer.Option(
        "--wiki",
        metavar="HOST",
        help="A live wiki (sw.wikipedia.org), or its api.php. The target is looked up there by --title: its lead and "
        "its redirects.",
        show_default=False,
    ),
]
Contact = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="Your e-mail or web address. Wikis ask for it from programs that read them.",
        show_default=False,
    ),
]

# The answer
RankerName = Annotated[
    str, typer.Option("--ranker", metavar="NAME", help="How to score places; 'linkspot rankers' lists the names.")
]
Top = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="How many places to show.", show_default="the best, at most 5"),
]
Anyway = Annotated[
    bool,
    typer.Option(
        "--anyway",
        help="Show the best places even if the link seems to belong nowhere, or the page has it already.",
    ),
]
ExcludedSections = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude-section",
        metavar="TITLE",
        help="A section that gets no link. References, notes, further reading and external links never do. "
        "Repeat it for more.",
        show_default=False,
    ),
]

# The edit
Write = Annotated[bool, typer.Option("--write", help="Make the edit in the file, and say so in one line.")]
Diff = Annotated[bool, typer.Option("--diff", help="Print the edit as a unified diff, for 'git apply' or 'patch -p1'.")]
PlaceNumber = Annotated[
    int,
    typer.Option("--place", metavar="N", min=1, help="The place of --write and --diff, by its number in the answer."),
]
EditText = Annotated[
    str,
    typer.Option(
        "--text",
        metavar="TEXT",
        help="Your own sentence with the link, for a place where words are missing: the sentence rewritten, or a new "
        "one.",
        show_default=False,
    ),
]
AnswerFormat = Annotated[Format, typer.Option("--format", help="How to write the answer.")]
