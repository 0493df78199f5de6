"""Options that several commands share, and what their words mean."""

import os
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkspot.errors import UnusableInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkspot.cli.progress import TerminalProgress
    from linkspot.corpora.corpus import CorpusSource
    from linkspot.engines.engine import Engine
    from linkspot.pipeline.splits import SplitDates


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
ALL_CORES = os.cpu_count() or 1


def sources_of(paths: list[Path], kind: str, lang: str, pages: str, link_base: str) -> "list[CorpusSource]":
    """Return the corpora at some paths, each opened once to see that it can be."""
    from linkspot.corpora.corpus import sources

    found = [source for path in paths for source in sources(path, kind, lang, pages, link_base)]
    for source in found:
        source.open()  # a wrong path among many is told before hours of work
    return found


@contextmanager
def at_work(
    name: EngineName, jobs: int, master: str, settings: list[str] | None
) -> "Iterator[tuple[Engine, TerminalProgress]]":
    """Give the engine that the flags describe and the progress that shows what it does; both end with the work."""
    from linkspot.cli.progress import TerminalProgress

    engine = _engine_of(name, jobs, master, settings)
    try:
        with TerminalProgress() as progress:
            yield engine, progress
    finally:
        engine.close()


def _engine_of(name: EngineName, jobs: int, master: str, settings: list[str] | None) -> "Engine":
    from linkspot.engines.engine import EngineSettings, open_engine

    pairs = [setting.partition("=") for setting in settings or ()]
    wrong = next((name for name, equals, _ in pairs if not equals), None)
    if wrong is not None:
        raise UnusableInput(f"{wrong!r} is no setting of Spark; write it as spark.name=value")
    return open_engine(name, EngineSettings(jobs, master, {name: value for name, _, value in pairs}))


def end_of_day(text: str) -> datetime:
    """Return the last moment of a day that is written as 2012-12-31."""
    return day(text).replace(hour=23, minute=59, second=59, microsecond=999_999)


def day(text: str) -> datetime:
    """Return the first moment of a day that is written as 2012-12-31."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise UnusableInput(f"{text!r} is no day; write it as 2012-12-31") from error


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a text with commas between them."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def survival(text: str) -> tuple[int, int]:
    """Return in how many of how many revisions a link has to stand, written as 8/10."""
    from linkspot.insertions.windows import LOOK_AHEAD

    kept, slash, of = text.partition("/")
    if not (slash and kept.isdigit() and of.isdigit() and int(kept) <= int(of) <= LOOK_AHEAD):
        raise UnusableInput(f"{text!r} does not say how long a link stays; write it as 8/10, with at most {LOOK_AHEAD}")
    return int(kept), int(of)


def split_of(text: str) -> "tuple[str, SplitDates]":
    """Return a corpus' name and the dates of its splits, written as nlwiki=2023-01-01,2023-07-01."""
    from linkspot.pipeline.splits import TEST_ALONE, SplitDates

    name, equals, dates = text.partition("=")
    first, comma, second = dates.partition(",")
    if dates == "test":
        return name, TEST_ALONE
    if not (name and equals and comma):
        raise UnusableInput(
            f"{text!r} does not say how to split; write it as nlwiki=2023-01-01,2023-07-01 or nlwiki=test"
        )
    return name, SplitDates(day(first), day(second))
