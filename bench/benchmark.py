"""The benchmark: the model that comes with linkspot, and rankers without training, on the tests of the real wikis."""

import argparse
from collections.abc import Sequence

from bench.encoders import CACHE, similarity
from bench.wikis import DATA
from linkspot.engines.engine import EngineSettings, open_engine
from linkspot.evaluation.comparison_tables import language_table, nowhere_table, slice_table
from linkspot.evaluation.figures import MAIN_METRICS
from linkspot.experiments.benchmark import BenchmarkReport, BenchmarkSettings, run_benchmark
from linkspot.experiments.benchmark_corpora import HELD_OUT
from linkspot.experiments.kind_tables import kind_table, stranger_table
from linkspot.experiments.languages import FEWEST
from linkspot.metrics.slices import OVERALL
from linkspot.model.config import CARD
from linkspot.model.shipped import shipped_model
from linkspot.progress import SILENT
from linkspot.reporting.markdown import markdown_table
from linkspot.reporting.report_table import ReportTable

_MOST = 100  # queries of a language; all would take a night
_TESTED = "## Test"
_TESTED_ON = (
    "Links that editors added to six wikis and to one article of the English Wikipedia, in the time that nothing was "
    "learned from, and links that were taken out of pages of five encyclopedias that nothing was learned from. Nothing "
    "at all was learned in these languages: {held_out}. Macro over languages; made by `python -m bench benchmark`."
)


def measure(options: Sequence[str] = ()) -> str:
    """Return the figures of all rankers, and write the main ones into the model's card.

    Insertions and rankings of earlier runs are used again.
    """
    parser = argparse.ArgumentParser(prog="python -m bench benchmark")
    parser.add_argument("--limit", type=int, default=_MOST, help="queries of each language at most")
    limit = parser.parse_args(options).limit
    settings = BenchmarkSettings(DATA, CACHE / "benchmark", CACHE, encoder=str(similarity()), limit=limit)
    engine = open_engine("local", EngineSettings(jobs=2))
    try:
        report = run_benchmark(settings, engine, SILENT)
    finally:
        engine.close()
    _write_to_card(report)
    figures = report.figures
    languages = ", ".join(
        f"{language} {len(figures.queries(OVERALL, language)):,} of {report.counts.test[language]:,}"
        for language in report.languages
    )
    tables = (
        kind_table(report.kinds),
        stranger_table(report.kinds),
        *([report.removal] if report.removal else []),
        language_table(figures, MAIN_METRICS),
        slice_table(figures),
        nowhere_table(figures),
    )
    return "\n".join(
        [
            "Links that editors added to six wikis (OpenTTD's, ArchWiki, FreeCAD's; MDN Web Docs, cpprefjp,",
            "ethereum.org) and to one article of the English Wikipedia (Anarchism), in the time that is for tests;",
            "links that need a new section have no right place. And links that were taken out of pages of Wikipedia",
            "for Schools and of four Wikipedias that nothing was learned from.",
            f"At most {limit} of a language are drawn by a seed: {languages}.",
            f"Languages with fewer than {FEWEST} are left out of the first table. Similarity is multilingual-e5-small",
            "in 8 bits, in chunks of 128 tokens: the encoder that `linkspot` was trained from.",
            "",
            *markdown_table(report.summary),
            "",
            report.summary.note,
            *(line for table in tables for line in _titled(table)),
        ]
    )


def _titled(table: ReportTable) -> list[str]:
    return ["", f"**{table.title}**", "", *markdown_table(table), *(["", table.note] if table.note else [])]


def _write_to_card(report: BenchmarkReport) -> None:
    """Replace the figures at the end of the card of the model that comes with linkspot."""
    path = shipped_model() / CARD
    before, _, _ = path.read_text(encoding="utf-8").partition(_TESTED)
    tables = (report.summary, kind_table(report.kinds), stranger_table(report.kinds))
    tested_on = _TESTED_ON.format(held_out=", ".join(f"`{language}`" for language in HELD_OUT))
    lines = [before.rstrip(), "", _TESTED, "", tested_on, *(line for table in tables for line in _titled(table)), ""]
    path.write_text("\n".join(lines), encoding="utf-8")
