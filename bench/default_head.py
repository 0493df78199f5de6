"""The head of the model that comes with linkspot: what its features, its form and its material are worth."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from zlib import crc32

import numpy as np

from bench.encoders import CACHE, e5, trained
from bench.found import FEWEST, Found, judged, kept, languages, slices, told
from linkspot.encoders.onnx_encoder import OnnxEncoder
from linkspot.examples.builder import Insertions
from linkspot.examples.context_removal import Problem
from linkspot.experiments.benchmark import HELD_OUT
from linkspot.experiments.plan import shipped
from linkspot.model.config import ModelConfig
from linkspot.model.dual.dual import DualReader
from linkspot.model.dual.feature_table import AXES, NAMES, PRECEDENT_COLUMNS
from linkspot.model.dual.head import Scorer
from linkspot.model.dual.page_view import Floats
from linkspot.model.dual.store import VectorStore
from linkspot.model.inputs import Inputs
from linkspot.model.shipped import shipped_model
from linkspot.records import Scenario
from linkspot.training.head import HeadSettings, fit, fit_pca, samples_of
from linkspot.training.head_problems import problems_of_insertions, problems_of_links
from linkspot.training.head_rows import HeadSample
from linkspot.training.head_trees import TreesSettings, fit_trees
from linkspot.training.recipe import Recipe

DATASET = CACHE / "dataset"  # as `scripts/train` makes it
_PARTS = 4  # of a cross-validation, by pages
_PARTS_OF_TESTS = 3
_PARTS_OF_LINKS = 3  # of which one is kept apart
_SHARES = (8, 4, 2, 1)  # of a learning curve: one insertion in so many
_SETTINGS = HeadSettings(networks=1, epochs=25)  # one network instead of three, so that many can be compared
_MANY = 10  # networks
_LEFT_OUT = {
    "precedents": [NAMES[number] for number in PRECEDENT_COLUMNS],
    "what texts are about": AXES,
}


@dataclass(frozen=True)
class Case:
    """A page for a target as a head reads it, and what figures are grouped by; `scenario` is for insertions alone."""

    sample: HeadSample
    language: str
    page: str
    scenario: Scenario | None = None

    def part(self, parts: int) -> int:
        """Return in which of so many parts its page is."""
        return crc32(f"{self.language}/{self.page}".encode()) % parts


def measure() -> str:
    """Return the tables; vectors that were made before are kept and used again."""
    cases = _Cases.read()
    return "\n".join(
        [
            "Hits@1 / MRR of heads on the same vectors, those that the head of the model that ships learned from; ± is",
            f"half of MRR's 95 % interval. A head is one network that learns for {_SETTINGS.epochs} epochs at most.",
            "Present: the words were there; Missing: all others.",
            "",
            *_features(cases),
            "",
            *_material(cases),
            "",
            *_curve(cases),
            "",
            *_held_out(cases),
            "",
            *_left_out(cases),
        ]
    )


@dataclass(frozen=True)
class _Cases:
    links: list[Case]
    train: list[Case]
    validation: list[Case]
    held_out: list[Case]  # of the test split, in languages that nothing was learned from

    @classmethod
    def read(cls) -> "_Cases":
        recipe = shipped("default", DATASET)
        held_out = replace(recipe, languages=HELD_OUT)
        encoder = OnnxEncoder(trained())
        with VectorStore(CACHE / "default-head.vectors", encoder.dimensions) as store:
            config = ModelConfig.of_folder(shipped_model())
            inputs = Inputs.of_folder(e5(), config.special, config.budget)
            reader = DualReader(encoder, inputs, recipe.dual, store=store)
            links, train = problems_of_links(recipe), problems_of_insertions(recipe, "train")
            reader.basis = fit_pca(reader, [*links, *train], recipe.seed, _unwatched)
            return cls(
                _cases(reader, links),
                _cases(reader, train, _scenarios(recipe, "train")),
                _cases(reader, problems_of_insertions(recipe, "validation"), _scenarios(recipe, "validation")),
                _cases(reader, problems_of_insertions(held_out, "test"), _scenarios(held_out, "test")),
            )


def _cases(reader: DualReader, problems: Sequence[Problem], scenarios: Sequence[Scenario] = ()) -> list[Case]:
    """Return the cases of problems; of insertions the scenarios are told, and strangers follow behind them."""
    told = [*scenarios, *[None] * (len(problems) - len(scenarios))]
    pairs = [pair for pair in zip(problems, told, strict=True) if pair[0].example.article.sentences]
    samples = samples_of(reader, [problem for problem, _ in pairs], _unwatched)
    return [
        Case(sample, problem.example.article.language, problem.example.article.title, scenario)
        for sample, (problem, scenario) in zip(samples, pairs, strict=True)
    ]


def _scenarios(recipe: Recipe, split: str) -> list[Scenario]:
    insertions = Insertions(Path(recipe.dataset), split, recipe.languages)
    return [Scenario(insertions.facts(number)["scenario"]) for number in range(len(insertions))]


def _unwatched(_share: float, _count: int) -> None:
    pass


def _features(cases: _Cases) -> list[str]:
    """Compare features and forms of the head by cross-validation over the insertions to learn from."""
    found: dict[str, list[Found]] = defaultdict(list)
    for part in range(_PARTS):
        for what, names in _LEFT_OUT.items():
            learned, stops, tried = _divided([_without(names, one) for one in cases.train], part)
            found[f"a network, without {what}"] += _judged(_network(learned, stops), tried)
        learned, stops, tried = _divided(cases.train, part)
        network, trees = _network(learned, stops), fit_trees(learned, stops, TreesSettings(), seed=0)
        found["a network"] += _judged(network, tried)
        found[f"{_MANY} networks, averaged"] += _judged(_network(learned, stops, _MANY), tried)
        found["trees (LambdaMART)"] += _judged(trees, tried)
        found["a network and trees"] += _judged(_mixed([network, trees], stops), tried)
    count = _answerable(cases.train)
    title = f"{count:,} insertions in {_PARTS} parts by pages, each judged by heads of the others:"
    rows = [(name, *_slices(some)) for name, some in found.items()]
    return [title, "", *_table(("head", "all", "Present", "Missing"), rows)]


def _divided(cases: Sequence[Case], part: int) -> tuple[list[HeadSample], list[HeadSample], list[Case]]:
    """Return what is learned from, what says when to stop, and the part by which all is judged and nothing chosen."""
    stopping = (part + 1) % _PARTS
    return (
        _samples([one for one in cases if one.part(_PARTS) not in {part, stopping}]),
        _samples([one for one in cases if one.part(_PARTS) == stopping]),
        [one for one in cases if one.part(_PARTS) == part],
    )


def _material(cases: _Cases) -> list[str]:
    """Compare what is learned from, on validation and on existing links that are kept apart."""
    apart = [one for one in cases.links if one.part(_PARTS_OF_LINKS) == 0]
    links = [one for one in cases.links if one.part(_PARTS_OF_LINKS) != 0]
    rows = []
    for name, learned in (("insertions", cases.train), ("insertions and existing links", [*links, *cases.train])):
        scorer = _network(_samples(learned), _samples(cases.validation))
        found = _judged(scorer, cases.validation)
        macro, of_links = languages(found), languages(_judged(scorer, apart))
        rows.append((name, *_slices(found)[:1], told(macro), told(of_links)))
    title = (
        f"What is learned from: {_answerable(cases.validation):,} validation insertions, which also "
        f"say when to stop, and {_answerable(apart):,} existing links apart from those learned from:"
    )
    return [title, "", *_table(("learned from", "insertions, micro", "macro", "existing links, macro"), rows)]


def _curve(cases: _Cases) -> list[str]:
    """Return how the figures on validation grow with the insertions that are learned from."""
    order = list(cases.train)
    Random(0).shuffle(order)
    rows = []
    for share in _SHARES:
        some = order[: len(order) // share]
        scorer = _network(_samples([*cases.links, *some]), _samples(cases.validation))
        all_of_them, _present, missing = _slices(_judged(scorer, cases.validation))
        rows.append((f"{_answerable(some):,}", all_of_them, missing))
    title = "Does more data help? The same existing links and fewer insertions, validation, micro:"
    return [title, "", *_table(("insertions with a right place", "all", "Missing"), rows)]


def _held_out(cases: _Cases) -> list[str]:
    """Compare a head that never learned from some languages with one that did, on the same tests."""
    learned, stops = [*cases.links, *cases.train], _samples(cases.validation)
    without, with_them = _judged(_network(_samples(learned), stops), cases.held_out), []
    for part in range(_PARTS_OF_TESTS):
        tried = [one for one in cases.held_out if one.part(_PARTS_OF_TESTS) == part]
        others = [one for one in cases.held_out if one.part(_PARTS_OF_TESTS) != part]
        with_them += _judged(_network(_samples([*learned, *others]), stops), tried)
    groups = [languages(found) for found in (without, with_them)]
    names = [f"{group[0].language} ({len(group)})" for group in groups[0]]
    rows = [
        (name, *(told([group]) for group in found), told(found))
        for name, found in zip(("other languages alone", "these as well"), groups, strict=True)
    ]
    return [
        f"Languages that it never learned from, in {_PARTS_OF_TESTS} parts by pages, so that no page",
        "is both learned from and tested:",
        "",
        *_table(("learned from", *names, "mean"), rows),
        "",
        f"Without them {kept(*groups)}",
    ]


def _left_out(cases: _Cases) -> list[str]:
    """Leave out one language after another of all that is learned from, and try it on that one's validation."""
    learned = [*cases.links, *cases.train]
    rows, alone, together = [], [], []
    for language in sorted({_base(one) for one in cases.validation}):
        asked = [one for one in cases.validation if _base(one) == language and one.sample.gold]
        stops = _samples([one for one in cases.validation if _base(one) != language])
        if len(asked) < FEWEST:
            continue
        alone.append(_judged(_network(_samples([one for one in learned if _base(one) != language]), stops), asked))
        together.append(_judged(_network(_samples(learned), stops), asked))
        rows.append((f"{language} ({len(asked)})", told(alone[-1:]), told(together[-1:])))
    rows.append(("mean", told(alone), told(together)))
    return [
        "The same for each language of the validation insertions in turn, its dialects together, where the others'",
        "insertions say when to stop:",
        "",
        *_table(("tried on", "learned from the other languages", "from all"), rows),
        "",
        f"On average {kept(alone, together)}",
    ]


def _base(case: Case) -> str:
    return case.language.partition("-")[0]


def _network(samples: Sequence[HeadSample], validation: Sequence[HeadSample], count: int = 1) -> Scorer:
    return fit(samples, validation, replace(_SETTINGS, networks=count), seed=0).place


def _mixed(scorers: Sequence[Scorer], validation: Sequence[HeadSample]) -> "_Sum":
    """Return scorers added up, each scaled to the same deviation on validation."""
    matrix = np.concatenate([one.matrix for one in validation])
    return _Sum([one.scaled(1 / float(one(matrix).std())) for one in scorers])


@dataclass(frozen=True)
class _Sum:
    scorers: Sequence[Scorer]

    def __call__(self, matrix: Floats, /) -> Floats:
        total: Floats = np.sum([one(matrix) for one in self.scorers], axis=0, dtype=np.float32)
        return total


def _without(names: Sequence[str], case: Case) -> Case:
    matrix = case.sample.matrix.copy()
    matrix[:, [NAMES.index(name) for name in names]] = 0
    return replace(case, sample=replace(case.sample, matrix=matrix))


def _samples(cases: Sequence[Case]) -> list[HeadSample]:
    return [one.sample for one in cases]


def _answerable(cases: Sequence[Case]) -> int:
    return sum(1 for one in cases if one.sample.gold)


def _judged(scorer: Callable[[Floats], Floats], cases: Sequence[Case]) -> list[Found]:
    """Return how a scorer does on the cases that have a right place."""
    asked = [one for one in cases if one.sample.gold]
    return judged(asked, [scorer(one.sample.matrix) for one in asked], [one.sample.gold for one in asked])


def _slices(found: Sequence[Found]) -> tuple[str, str, str]:
    """Return the figures of all, Present and Missing."""
    present, missing = slices(found)
    return told([found]), told([present]), told([missing])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    return [lines[0], "| --- |" + " ---: |" * (len(head) - 1), *lines[1:]]
