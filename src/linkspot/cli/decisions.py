"""The command that exports what editors decided in `linkspot serve`."""

from pathlib import Path
from typing import Annotated

import typer

from linkspot.cli.output import say
from linkspot.errors import UnusableInput
from linkspot.extras import Extra, require


def decisions(
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="The database of 'linkspot serve': a file of SQLite, or an address that begins with postgresql:// or mariadb://",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file to write: .parquet or .jsonl.")],
) -> None:
    """Export what editors decided about suggested places; what they undid is left out.

    Example: linkspot decisions --database decisions.sqlite --out decisions.parquet
    """
    require(Extra.SERVE, "linkspot decisions", ("sqlalchemy",))
    from linkspot.service.decisions.export import export, writer_of
    from linkspot.service.decisions.store import DecisionStore

    writer_of(out)  # a wrong ending is refused before the database is opened
    _check_file(database)
    with DecisionStore(database) as store:
        number = export(store, out)
    say(f"{number:,} decision{'s' * (number != 1)} in {out}")


def _check_file(database: str) -> None:
    """Raise UnusableInput if the file of SQLite is missing: an export makes no database."""
    path = database.removeprefix("sqlite:///") if database.startswith("sqlite:///") else database
    if "://" not in path and not Path(path).is_file():
        raise UnusableInput(f"there is no database {path}; name the one of linkspot serve --database")
