"""The command that makes tests of pages without a history: removals."""

from enum import StrEnum
from typing import Annotated

import typer

from linkspot.cli.options import (
    ALL_CORES,
    Corpora,
    EngineName,
    EngineOption,
    Jobs,
    Kind,
    Lang,
    Licence,
    LinkBase,
    Master,
    Out,
    Pages,
    SparkSetting,
)
from linkspot.cli.running import at_work, resumable, sources_of
from linkspot.extras import Extra, require


class PartName(StrEnum):
    """Which pages of a corpus lose links."""

    TEST = "test"
    VALIDATION = "validation"


def removals(
    corpora: Corpora,
    out: Out,
    part: Annotated[
        PartName,
        typer.Option(help="Which pages lose links: a tenth of them tests, another tenth validates, by their titles."),
    ] = PartName.TEST,
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
    """Take links out of pages without a history, alone, with their words or with their sentence, as a test.

    The tables are those of 'linkspot insertions'. To train on the other pages, make a dataset with --by-page.

    Example: linkspot removals nlwiki-pages-articles.xml.bz2 --out nlwiki-removals
    """
    require(Extra.DATA, "linkspot removals")
    from linkspot.cli.progress import show_summary
    from linkspot.corpora.removal import TEST, VALIDATION
    from linkspot.pipeline.removals import removals as take_out

    sources = sources_of(corpora, kind, lang, pages, link_base)
    number = {PartName.TEST: TEST, PartName.VALIDATION: VALIDATION}[part]
    with resumable(), at_work(engine, jobs, master, spark) as (opened, progress):
        summary = take_out(sources, out, opened, number, licence, progress)
    show_summary(summary)
