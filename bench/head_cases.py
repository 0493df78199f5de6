"""The cases that heads are compared on: pages and targets of the training dataset, as a head reads them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

from bench.encoders import CACHE, e5, trained
from linkspot.encoders.onnx_encoder import OnnxEncoder
from linkspot.examples.context_removal import Problem
from linkspot.examples.dataset_reader import Insertions
from linkspot.experiments.benchmark_corpora import HELD_OUT
from linkspot.experiments.plan import shipped
from linkspot.model.config import ModelConfig
from linkspot.model.dual.dual import DualReader
from linkspot.model.dual.feature_table import NAMES
from linkspot.model.dual.store import VectorStore
from linkspot.model.inputs import Inputs
from linkspot.model.shipped import shipped_model
from linkspot.progress import SILENT
from linkspot.records import Scenario
from linkspot.training.head import fit_pca, samples_of
from linkspot.training.head_problems import problems_of_insertions, problems_of_links
from linkspot.training.head_rows import HeadSample
from linkspot.training.recipe import Recipe

DATASET = CACHE / "dataset"  # as `scripts/train` makes it


@dataclass(frozen=True)
class HeadCase:
    """A page for a target as a head reads it, and what figures are grouped by; only insertions have a scenario."""

    sample: HeadSample
    language: str
    page: str
    scenario: Scenario | None = None

    @property
    def gold(self) -> tuple[int, ...]:
        """The numbers of the right candidates."""
        return self.sample.gold

    @property
    def base_language(self) -> str:
        """The language without its country: en for en-us."""
        return self.language.partition("-")[0]

    def part(self, parts: int) -> int:
        """Return which of so many parts its page falls into."""
        return crc32(f"{self.language}/{self.page}".encode()) % parts

    def without(self, features: Sequence[str]) -> "HeadCase":
        """Return the case as if some features were always 0."""
        matrix = self.sample.matrix.copy()
        matrix[:, [NAMES.index(name) for name in features]] = 0
        return replace(self, sample=replace(self.sample, matrix=matrix))


@dataclass(frozen=True)
class HeadCases:
    """All cases; `held_out` are of the test split, in languages that nothing was learned from."""

    links: list[HeadCase]
    train: list[HeadCase]
    validation: list[HeadCase]
    held_out: list[HeadCase]

    @classmethod
    def read(cls) -> "HeadCases":
        """Read the cases with the encoder that the shipped head learned from; known vectors are used again."""
        recipe = shipped("default", DATASET)
        held_out = replace(recipe, languages=HELD_OUT)
        encoder = OnnxEncoder(trained())
        with VectorStore(CACHE / "default-head.vectors", encoder.dimensions) as store:
            config = ModelConfig.of_folder(shipped_model())
            inputs = Inputs.of_folder(e5(), config.special, config.budget)
            reader = DualReader(encoder, inputs, recipe.dual, store=store)
            links, train = problems_of_links(recipe), problems_of_insertions(recipe, "train")
            reader.pca = fit_pca(reader, [*links, *train], recipe.seed, SILENT)
            return cls(
                _cases(reader, links),
                _cases(reader, train, _scenarios(recipe, "train")),
                _cases(reader, problems_of_insertions(recipe, "validation"), _scenarios(recipe, "validation")),
                _cases(reader, problems_of_insertions(held_out, "test"), _scenarios(held_out, "test")),
            )


def _cases(reader: DualReader, problems: Sequence[Problem], scenarios: Sequence[Scenario] = ()) -> list[HeadCase]:
    """Return the cases of problems; insertions come first and have scenarios, negative targets follow."""
    padded = [*scenarios, *[None] * (len(problems) - len(scenarios))]
    pairs = [pair for pair in zip(problems, padded, strict=True) if pair[0].example.article.sentences]
    samples = samples_of(reader, [problem for problem, _ in pairs], SILENT)
    return [
        HeadCase(sample, problem.example.article.language, problem.example.article.title, scenario)
        for sample, (problem, scenario) in zip(samples, pairs, strict=True)
    ]


def _scenarios(recipe: Recipe, split: str) -> list[Scenario]:
    insertions = Insertions(Path(recipe.dataset), split, recipe.languages)
    return [Scenario(insertions.facts(number)["scenario"]) for number in range(len(insertions))]
