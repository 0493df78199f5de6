"""The benchmark: rankers that learn nothing on the test split of the real wikis, with an encoder in 8 bits."""

from contextlib import AbstractContextManager, nullcontext

from bench.encoders import CACHE, exported
from bench.wikis import DATA
from linkspot.engines.engine import EngineSettings, open_engine
from linkspot.pipeline.benchmark import BenchmarkSettings, run_benchmark
from linkspot.pipeline.comparison_tables import slice_table
from linkspot.pipeline.report import markdown_table
from linkspot.pipeline.run import Listener, Silent


def measure() -> str:
    """Return the figures of the lexical rankers and of plain similarity; insertions that are kept are used again."""
    settings = BenchmarkSettings(DATA, CACHE / "benchmark", CACHE, encoder=str(exported(int8=True)))
    engine = open_engine("local", EngineSettings(jobs=2))
    try:
        report = run_benchmark(settings, engine, _Silent())
    finally:
        engine.close()
    languages = ", ".join(f"{language} {report.counts.test[language]:,}" for language in report.languages)
    return "\n".join(
        [
            "Links that editors added to OpenTTD's wiki (2015 – 2019), to MDN Web Docs (2025-12 – 2026-02) and to one",
            f"article of the English Wikipedia (Anarchism), with a right place: {languages}.",
            "Languages with fewer than 10 are left out. Similarity is multilingual-e5-small in 8 bits.",
            "",
            *markdown_table(report.summary),
            "",
            report.summary.note,
            "",
            *markdown_table(slice_table(report.figures)),
        ]
    )


class _Silent:
    """Looks on and says nothing."""

    def begins(self, what: str) -> None:
        """Take no note."""

    def tables(self) -> AbstractContextManager[Listener]:
        """Return one who does not care."""
        return nullcontext(Silent())
