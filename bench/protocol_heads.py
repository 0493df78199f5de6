"""What a model learns from the links of each protocol: heads over the shipped encoder, tested on the links of both."""

import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import fmean
from typing import TypeVar

from bench.outcomes import Outcome, outcomes, slices, with_error
from bench.protocols import CACHE, CORPORA
from linkspot.encoders.onnx_encoder import OnnxEncoder
from linkspot.engines.engine import EngineSettings, open_engine
from linkspot.examples.context_removal import Problem
from linkspot.examples.dataset_reader import InsertionExample, Insertions
from linkspot.experiments.benchmark_corpora import CORPORA as DATED
from linkspot.insertions.rules import Protocol
from linkspot.metrics.averages import Average
from linkspot.metrics.significance import p_value
from linkspot.model.config import ModelConfig
from linkspot.model.dual.dual import DualReader, identity_of
from linkspot.model.dual.head import Head
from linkspot.model.dual.page_view import Floats
from linkspot.model.dual.pca import Pca
from linkspot.model.dual.store import VectorStore
from linkspot.model.dual.texts import DualSettings
from linkspot.model.inputs import Inputs
from linkspot.model.shipped import shipped_model
from linkspot.pipeline.dataset import DatasetSettings, dataset
from linkspot.pipeline.splits import SPLITS
from linkspot.progress import SILENT
from linkspot.ranking.ranker import Ranker, open_ranker
from linkspot.records import Scenario
from linkspot.training.head import HeadSettings, fit, samples_of
from linkspot.training.head_rows import HeadSample

_WIKIS = ("openttd", "cpprefjp")  # those that are read in minutes, and whose tests have many links
_MOST = {"train": 600, "validation": 60, "test": 150}  # links of a wiki that a protocol found
_HEADS = 5  # for each row; their figures are averaged query by query
_SETTINGS = HeadSettings(networks=1)

_ABOUT = f"""\
Heads over the frozen encoder of the shipped model, each fitted afresh with one network (as `linkspot adapt --afresh`
fits three), learn from the links that one [protocol](#protocols) finds in the wikis of OpenTTD and cpprefjp before a
day; later ones decide when to stop, and the last test. The days are the benchmark's, the same for both protocols, and
each head is tested on the links of both, so that none is judged by its own rules alone. No head learns from a link that
a test asks for. What the encoder itself has learned, from strict links too, is the same in all rows. Links that need a
new section have no right place and are left out. Of each wiki and protocol at most {_MOST["train"]:,} links teach and
{_MOST["test"]:,} test, drawn by a seed. A row of heads is the mean of {_HEADS} with different seeds, which also draw
the smaller numbers of examples."""


@dataclass(frozen=True)
class ProtocolCase:
    """A link that a protocol found in a wiki, as a head and BM25 read it."""

    wiki: str
    insertion: InsertionExample
    sample: HeadSample

    @property
    def language(self) -> str:
        """The language of the page."""
        return self.insertion.language

    @property
    def scenario(self) -> Scenario | None:
        """What the page lacked."""
        return self.insertion.scenario

    @property
    def gold(self) -> tuple[int, ...]:
        """The numbers of the right candidates."""
        return self.insertion.gold


_Item = TypeVar("_Item")
Scores = Callable[[ProtocolCase], Sequence[float] | Floats]
Splits = Mapping[str, list[ProtocolCase]]
Tests = Mapping[Protocol, list[ProtocolCase]]
Row = Mapping[Protocol, list[Outcome]]  # by the protocol that found the tested links


def measure() -> str:
    """Return the table; vectors that were made before are used again."""
    cases = _cases()
    tests = {protocol: splits["test"] for protocol, splits in cases.items()}
    rows = {name: _tried(scores, tests) for name, scores in _rivals().items()}
    strict, paper = (Counter(case.wiki for case in splits["train"]) for splits in cases.values())
    for sizes in (None, strict & paper):
        for protocol, splits in cases.items():
            count = f"all {len(splits['train']):,}" if sizes is None else f"{sizes.total():,}"
            heads = (_learned(splits, sizes, seed) for seed in range(_HEADS))
            rows[f"a head of {count} {protocol} links"] = _mean([_tried(head, tests) for head in heads])
    return "\n".join([_ABOUT, "", *_table(rows, tests), "", *_differences(rows)])


def _cases() -> Mapping[Protocol, Splits]:
    """Return the links of each protocol and split that have a right place."""
    folder, model = _joined_dataset(), shipped_model()
    config = ModelConfig.of_folder(model)
    encoder = OnnxEncoder(model)
    inputs = Inputs.of_folder(model, config.special, config.budget)
    cases: dict[Protocol, dict[str, list[ProtocolCase]]] = {protocol: {} for protocol in Protocol}
    with VectorStore(CACHE / "heads.vectors", encoder.dimensions) as store:
        settings, pca = DualSettings.of(config.extra), Pca.of_folder(model)
        reader = DualReader(encoder, inputs, settings, identity_of(model), store, pca)
        for split in SPLITS:
            drawn = _drawn_insertions(folder, split)
            samples = samples_of(reader, [Problem(insertion.example) for insertion in drawn], SILENT)
            for insertion, sample in zip(drawn, samples, strict=True):
                wiki, _, protocol = insertion.corpus.rpartition("-")
                cases[Protocol(protocol)].setdefault(split, []).append(ProtocolCase(wiki, insertion, sample))
    return cases


def _joined_dataset() -> Path:
    """Return a dataset in which each protocol's links of a wiki are a corpus; none teaches what another one tests."""
    dates = {corpus.name.removesuffix("-edits"): corpus.split for corpus in DATED}
    chosen = [corpus for corpus in CORPORA if corpus.name.lower() in _WIKIS]
    folders = {corpus.made(protocol): dates[corpus.name.lower()] for corpus in chosen for protocol in Protocol}
    out = CACHE / "heads-dataset"
    shutil.rmtree(out, ignore_errors=True)
    engine = open_engine("local", EngineSettings(jobs=1))
    try:
        splits = {folder.name: split for folder, split in folders.items()}
        return dataset([*folders], out, engine, DatasetSettings(splits)).folder
    finally:
        engine.close()


def _drawn_insertions(folder: Path, split: str) -> list[InsertionExample]:
    """Return the insertions of a split that have a right place, at most so many of each corpus."""
    insertions = Insertions(folder, split)
    by_corpus: dict[str, list[int]] = defaultdict(list)
    for (corpus, _language), numbers in insertions.wikis().items():
        by_corpus[corpus] += [number for number in numbers if insertions.facts(number)["gold"]]
    drawn = (_sample(by_corpus[corpus], _MOST[split], corpus) for corpus in sorted(by_corpus))
    return [insertions[number] for numbers in drawn for number in sorted(numbers)]


def _sample(pool: Sequence[_Item], most: int, seed: str) -> list[_Item]:
    return Random(seed).sample(pool, min(most, len(pool)))


def _rivals() -> dict[str, Scores]:
    """Return what learns nothing here."""
    head = Head.of_folder(shipped_model())
    texts = {"Random": _of_texts(open_ranker("random")), "BM25": _of_texts(open_ranker("bm25"))}
    return {**texts, "the shipped model's own head": lambda case: head.place(case.sample.matrix)}


def _of_texts(ranker: Ranker) -> Scores:
    return lambda case: ranker.score(case.insertion.example.entity, case.insertion.example.article).places


def _learned(splits: Splits, sizes: Counter[str] | None, seed: int) -> Scores:
    """Return a head that learned from a protocol's links: all of them, or so many of each wiki."""
    train = splits["train"] if sizes is None else _some(splits["train"], sizes, seed)
    samples, validation = ([case.sample for case in cases] for cases in (train, splits["validation"]))
    place = fit(samples, validation, _SETTINGS, seed).place
    return lambda case: place(case.sample.matrix)


def _some(cases: Sequence[ProtocolCase], sizes: Counter[str], seed: int) -> list[ProtocolCase]:
    """Draw so many links of each wiki."""
    of_wikis = {wiki: [case for case in cases if case.wiki == wiki] for wiki in sorted(sizes)}
    return [case for wiki, own in of_wikis.items() for case in _sample(own, sizes[wiki], f"{wiki}/{seed}")]


def _tried(scores: Scores, tests: Tests) -> Row:
    return {protocol: outcomes(cases, scores) for protocol, cases in tests.items()}


def _mean(rows: Sequence[Row]) -> Row:
    """Return the mean figures of each link."""
    return {
        protocol: [
            replace(
                same[0],
                hits_at_1=fmean(outcome.hits_at_1 for outcome in same),
                reciprocal_rank=fmean(outcome.reciprocal_rank for outcome in same),
            )
            for same in zip(*(row[protocol] for row in rows), strict=True)
        ]
        for protocol in rows[0]
    }


def _table(rows: Mapping[str, Row], tests: Tests) -> Iterator[str]:
    yield "Hits@1 / MRR, every link counting the same; ± is half of MRR's 95 % interval."
    for protocol, cases in tests.items():
        wikis = ", ".join(f"{wiki} {count}" for wiki, count in Counter(case.wiki for case in cases).items())
        groups = dict(zip(("Present", "Missing"), slices(rows["Random"][protocol]), strict=True))
        names = [f"all ({len(cases):,})", *(f"{name} ({len(group):,})" for name, group in groups.items())]
        yield from ("", f"Tested on links that `--protocol {protocol}` finds ({wikis}):", "")
        yield f"| | {' | '.join(names)} |"
        yield "| --- | ---: | ---: | ---: |"
        for name, row in rows.items():
            results = row[protocol]
            yield f"| {name} | {' | '.join(with_error([group]) for group in (results, *slices(results)))} |"


def _differences(rows: Mapping[str, Row]) -> Iterator[str]:
    """Yield by how much heads of strict links are better than those of as many links of the paper's protocol."""
    *_, strict, paper = rows.values()
    for protocol in strict:
        of_strict, of_paper = ([result.reciprocal_rank for result in row[protocol]] for row in (strict, paper))
        p = p_value(of_strict, of_paper, [""] * len(of_strict), seed=0, average=Average.MICRO)
        yield (
            f"With equally many examples, strict links minus the paper's on the links of `--protocol {protocol}`: "
            f"MRR {fmean(of_strict) - fmean(of_paper):+.3f} (p = {p:.3f}, paired randomisation)."
        )
