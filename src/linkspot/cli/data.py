"""Commands that make and show tables: index, insertions, dataset, stats."""

import os
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkspot.errors import UnusableInput

if TYPE_CHECKING:
    from linkspot.corpora.corpus import CorpusSource
    from linkspot.engines.engine import Engine


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
_ALL_CORES = os.cpu_count() or 1


def index(
    corpora: Corpora,
    out: Out,
    kind: Kind = "",
    lang: Lang = "",
    pages: Pages = "",
    link_base: LinkBase = "",
    at: Annotated[
        str,
        typer.Option(
            help="Take pages as they stood at the end of this day (2012-12-31).", show_default="as they are now"
        ),
    ] = "",
    engine: EngineOption = EngineName.LOCAL,
    jobs: Jobs = _ALL_CORES,
    master: Master = "",
    spark: SparkSetting = None,
) -> None:
    """Read corpora into tables: articles, links, redirects, mentions and entities, as Parquet.

    Example: linkspot index enwiki-NS0.json.tar.gz --out enwiki
    """
    from linkspot.cli.progress import ProgressBars, show_summary
    from linkspot.pipeline.index import index as make_index

    sources = _sources(corpora, kind, lang, pages, link_base)
    when = _end_of_day(at) if at else None
    opened = _engine(engine, jobs, master, spark)
    try:
        with ProgressBars() as bars:
            summary = make_index(sources, out, opened, when, bars)
    finally:
        opened.close()
    show_summary(summary)


def _sources(paths: list[Path], kind: str, lang: str, pages: str, link_base: str) -> "list[CorpusSource]":
    from linkspot.corpora.corpus import CorpusSource

    found = [CorpusSource(path, kind, lang, pages, link_base) for path in paths]
    for source in found:
        source.open()  # a wrong path among many is told before hours of work
    return found


def _engine(name: EngineName, jobs: int, master: str, settings: list[str] | None) -> "Engine":
    from linkspot.engines.engine import EngineSettings, open_engine

    pairs = [setting.partition("=") for setting in settings or ()]
    wrong = next((name for name, equals, _ in pairs if not equals), None)
    if wrong is not None:
        raise UnusableInput(f"{wrong!r} is no setting of Spark; write it as spark.name=value")
    return open_engine(name, EngineSettings(jobs, master, {name: value for name, _, value in pairs}))


def _end_of_day(text: str) -> datetime:
    return _day(text).replace(hour=23, minute=59, second=59, microsecond=999_999)


def _day(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise UnusableInput(f"{text!r} is no day; write it as 2012-12-31") from error
