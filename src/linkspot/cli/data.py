"""Commands that make and show tables: index, insertions, dataset, stats."""

from pathlib import Path
from typing import Annotated

import typer

from linkspot.cli.insertion_options import (
    Apply,
    KeepUnknown,
    Lift,
    MaxLinks,
    MaxPages,
    ProtocolName,
    Show,
    ShowSeed,
    Since,
    SnapshotPair,
    Survive,
    Until,
)
from linkspot.cli.insertion_rules import rules_of, snapshots_of
from linkspot.cli.options import (
    ALL_CORES,
    Corpora,
    EngineName,
    EngineOption,
    Entities,
    Jobs,
    Kind,
    Lang,
    Licence,
    LinkBase,
    Master,
    Out,
    Pages,
    Seed,
    SparkSetting,
    Tables,
)
from linkspot.cli.running import at_work, resumable, sources_of
from linkspot.cli.values import end_of_day, folder_to_make, names_in, period, split_of
from linkspot.extras import Extra, require


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
            metavar="DATE", help="Take pages as they were at the end of this day (2012-12-31).", show_default="today"
        ),
    ] = "",
    entities: Entities = None,
    licence: Licence = "",
    engine: EngineOption = EngineName.LOCAL,
    jobs: Jobs = ALL_CORES,
    master: Master = "",
    spark: SparkSetting = None,
) -> None:
    """Read corpora into tables: articles, links, redirects, mentions and entities, as Parquet.

    Example: linkspot index enwiki-NS0.json.tar.gz --out enwiki
    """
    require(Extra.DATA, "linkspot index")
    from linkspot.cli.progress import show_summary
    from linkspot.pipeline.index import index as make_index

    sources = sources_of(corpora, kind, lang, pages, link_base)
    when = end_of_day(at) if at else None
    with resumable(), at_work(engine, jobs, master, spark) as (opened, progress):
        summary = make_index(sources, out, opened, when, licence, progress, entities=entities)
    show_summary(summary)


def insertions(
    corpora: Corpora,
    out: Out,
    since: Since = "",
    until: Until = "",
    protocol: ProtocolName = "strict",
    snapshots: SnapshotPair = None,
    lift: Lift = None,
    apply: Apply = None,
    survive: Survive = "",
    max_links: MaxLinks = None,
    max_pages: MaxPages = None,
    keep_unknown: KeepUnknown = False,
    show: Show = 0,
    seed: ShowSeed = 0,
    entities: Entities = None,
    licence: Licence = "",
    kind: Kind = "",
    lang: Lang = "",
    pages: Pages = "",
    link_base: LinkBase = "",
    engine: EngineOption = EngineName.LOCAL,
    jobs: Jobs = ALL_CORES,
    master: Master = "",
    spark: SparkSetting = None,
) -> None:
    """Find the links that editors added in the histories of corpora, each with the page as it was before.

    Example: linkspot insertions nlwiki-pages-meta-history.xml.bz2 --out nlwiki-edits --show 5
    """
    require(Extra.DATA, "linkspot insertions")
    from linkspot.cli.progress import show_summary
    from linkspot.pipeline.insertions import insertions as find_insertions
    from linkspot.pipeline.lifted_rules import hint

    rules = rules_of(protocol, lift or (), apply or (), survive, max_links, max_pages).between(*period(since, until))
    compared = snapshots_of(snapshots, protocol)
    sources = sources_of(corpora, kind, lang, pages, link_base)
    with resumable(), at_work(engine, jobs, master, spark) as (opened, progress):
        summary = find_insertions(
            sources,
            out,
            opened,
            rules,
            compared,
            licence,
            keep_unknown=keep_unknown,
            entities=entities,
            progress=progress,
        )
    show_summary(summary, hint(summary.rows["insertions"], summary.rejects))
    if show:
        _show(out, show, seed)


def dataset(
    folders: Tables,
    out: Out,
    split: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SPLIT",
            help="NAME=DATE,DATE: the insertions in folder NAME validate from the first date on and test from the "
            "second. NAME=test or NAME=validation: all of them do. Repeat it for more.",
            show_default="the last fifth, by time",
        ),
    ] = None,
    languages: Annotated[
        str, typer.Option(metavar="CODES", help="Only these languages, for example en,sw.", show_default="all")
    ] = "",
    hold_out: Annotated[
        str,
        typer.Option(
            metavar="CODES", help="Languages to test on and not to train on, for example ko,ca.", show_default=False
        ),
    ] = "",
    links: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many existing links per language to train on.")
    ] = 20_000,
    by_page: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="An index whose pages are split like those of 'linkspot removals': a page that tests or validates "
            "does not train. Repeat it for more.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = 0,
    engine: EngineOption = EngineName.LOCAL,
    jobs: Jobs = ALL_CORES,
    master: Master = "",
    spark: SparkSetting = None,
) -> None:
    """Make training and test sets from indexes and insertions, with a data card.

    Example: linkspot dataset nlwiki nlwiki-edits --out nlwiki-dataset --split nlwiki-edits=2023-01-01,2023-07-01
    """
    require(Extra.DATA, "linkspot dataset")
    from linkspot.cli.progress import show_summary
    from linkspot.pipeline.dataset import DatasetSettings, check_languages
    from linkspot.pipeline.dataset import dataset as make_dataset

    settings = DatasetSettings(
        dict(split_of(text) for text in split or ()),
        names_in(languages),
        names_in(hold_out),
        links,
        seed,
        tuple(by_page or ()),
    )
    with resumable(), at_work(engine, jobs, master, spark) as (opened, progress):
        check_languages(folders, opened, (*settings.languages, *settings.hold_out))
        summary = make_dataset(folders, out, opened, settings, progress)
    show_summary(summary)


def stats(
    folders: Tables,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            callback=folder_to_make,
            help="A folder for the tables (CSV, Markdown) and plots (PNG, SVG).",
            show_default=False,
        ),
    ] = None,
    engine: EngineOption = EngineName.LOCAL,
    jobs: Jobs = ALL_CORES,
    master: Master = "",
    spark: SparkSetting = None,
) -> None:
    """Count articles, links, insertions by scenario, and candidates per page, as the paper does, and plot them.

    Example: linkspot stats nlwiki nlwiki-edits --out nlwiki-statistics
    """
    require(Extra.DATA, "linkspot stats")
    from linkspot.cli.safe_console import safe_console
    from linkspot.pipeline.stats import stats as count
    from linkspot.pipeline.stats_report import show, write

    with at_work(engine, jobs, master, spark) as (opened, progress):
        statistics = count(folders, opened, progress)
    if out is not None:
        write(statistics, out)
    show(statistics, safe_console(highlight=False))


def _show(folder: Path, number: int, seed: int) -> None:
    """Print some insertions of a folder, drawn by a seed."""
    import random

    import pyarrow.dataset as ds

    from linkspot.cli.safe_console import safe_console
    from linkspot.cli.side_by_side import show_insertions

    table = ds.dataset(folder / "insertions", format="parquet")
    keys = table.to_table(columns=["after_time", "source_key", "target_key"]).to_pylist()
    order = sorted(range(len(keys)), key=lambda index: repr(sorted(keys[index].items())))
    drawn = random.Random(seed).sample(order, min(number, len(order)))
    show_insertions(table.take(drawn).to_pylist(), safe_console(highlight=False))
