"""The benchmark: the model that comes with linkspot, and rankers without training, on the tests of the real wikis."""

from bench.encoders import CACHE, similarity
from bench.wikis import DATA
from linkspot.engines.engine import EngineSettings, open_engine
from linkspot.evaluation.comparison_tables import language_table, nowhere_table, slice_table
from linkspot.evaluation.figures import MAIN_METRICS
from linkspot.experiments.benchmark import BenchmarkReport, BenchmarkSettings, run_benchmark
from linkspot.metrics.slices import OVERALL
from linkspot.model.config import CARD
from linkspot.model.shipped import shipped_model
from linkspot.progress import SILENT
from linkspot.reporting.markdown import markdown_table

# Queries of a language. Most of the English ones are about one long page, which would take over an hour to read.
_MOST = 300
_TESTED = "## Test"
_TESTED_ON = (
    "Links that editors added to OpenTTD's wiki from 2015 on, to MDN Web Docs from December 2025 on, and to one "
    "article of the English Wikipedia (Anarchism), macro over languages. Nothing of these edits was learned from, and "
    "nothing at all in `ko` and `zh-tw`. Made by `python -m bench benchmark`."
)


def measure() -> str:
    """Return the figures of all rankers, and write the main ones into the model's card.

    Insertions and rankings of earlier runs are used again.
    """
    settings = BenchmarkSettings(DATA, CACHE / "benchmark", CACHE, encoder=str(similarity()), limit=_MOST)
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
    return "\n".join(
        [
            "Links that editors added to OpenTTD's wiki (2015 – 2019), to MDN Web Docs (2025-12 – 2026-02) and to one",
            "article of the English Wikipedia (Anarchism); links that need a new section have no right place.",
            f"At most {_MOST} of a language are drawn by a seed: {languages}.",
            "Languages with fewer than 10 are left out. Similarity is multilingual-e5-small in 8 bits, in chunks of",
            "128 tokens: the encoder that `linkspot` was trained from.",
            "",
            *markdown_table(report.summary),
            "",
            report.summary.note,
            "",
            *markdown_table(language_table(figures, MAIN_METRICS)),
            "",
            *markdown_table(slice_table(figures)),
            "",
            *markdown_table(nowhere_table(figures)),
        ]
    )


def _write_to_card(report: BenchmarkReport) -> None:
    """Replace the figures at the end of the card of the model that comes with linkspot."""
    path = shipped_model() / CARD
    before, _, _ = path.read_text(encoding="utf-8").partition(_TESTED)
    tables = (report.summary, language_table(report.figures, MAIN_METRICS))
    table_lines = [line for table in tables for line in ("", *markdown_table(table))]
    lines = [before.rstrip(), "", _TESTED, "", _TESTED_ON, *table_lines, "", report.summary.note, ""]
    path.write_text("\n".join(lines), encoding="utf-8")
