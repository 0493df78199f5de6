"""The options of `linkspot insertions` that no other command has."""

from typing import Annotated

import typer

Since = Annotated[
    str,
    typer.Option("--from", metavar="DATE", help="Only edits from this day on (2015-01-01).", show_default=False),
]
Until = Annotated[str, typer.Option("--to", metavar="DATE", help="Only edits up to this day.", show_default=False)]
ProtocolName = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="strict: links that teach a model; paper: all links of the snapshots' difference, as in the paper.",
    ),
]
SnapshotPair = Annotated[
    tuple[str, str] | None,
    typer.Option(
        metavar="OLD NEW",
        help="Two dates (2023-10-01), or two indexes: only links count that NEW has and OLD lacks.",
        show_default=False,
    ),
]
Lift = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE",
        help="Do not leave links out by this rule; repeat it for more. A wrong name gets a list.",
        show_default=False,
    ),
]
Apply = Annotated[
    list[str] | None,
    typer.Option(metavar="RULE", help="Leave links out by this rule, whatever the protocol.", show_default=False),
]
Survive = Annotated[
    str,
    typer.Option(
        metavar="N/M",
        help="A link counts if it is still there in N of the next M revisions.",
        show_default="8/10 if strict",
    ),
]
MaxLinks = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Skip edits that add more links than this.", show_default="5 if strict"),
]
MaxPages = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Skip commits that change more pages than this.", show_default="5 if strict"),
]
KeepUnknown = Annotated[
    bool,
    typer.Option("--keep-unknown", help="Keep links to pages that the corpora lack; only their title is known."),
]
Show = Annotated[
    int, typer.Option(metavar="N", min=0, help="Print this many insertions, before and after side by side.")
]
ShowSeed = Annotated[int, typer.Option(metavar="N", min=0, help="The seed that draws which insertions to print.")]
