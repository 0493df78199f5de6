"""The command that evaluates rankers: evaluate."""

import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.cli.evaluation_options import (
    DEFAULT_RANKERS,
    BaseUrl,
    Dataset,
    Languages,
    MaxCalls,
    Published,
    RankerJobs,
    Rankers,
    RankingsOut,
    Split,
)
from linkspot.cli.options import QueryLimit, Seed
from linkspot.cli.output import say
from linkspot.cli.running import resumable
from linkspot.cli.values import names_in
from linkspot.errors import UnusableInput
from linkspot.extras import Extra, require
from linkspot.ranking.ranker import CASCADE, RANKERS, RankerOptions, is_model, split_name
from linkspot.text.display import displayed

if TYPE_CHECKING:
    from linkspot.evaluation.queries import PublishedQueries, Queries

_KEYS = ("LINKSPOT_LLM_KEY", "OPENAI_API_KEY")  # the first that is set
_ANSWERS = "answers.sqlite"


def evaluate(
    dataset: Dataset = None,
    ranker: Rankers = None,
    out: RankingsOut = None,
    split: Split = "test",
    languages: Languages = "",
    limit: QueryLimit = 0,
    seed: Seed = 0,
    jobs: RankerJobs = 1,
    published: Published = None,
    base_url: BaseUrl = "",
    max_calls: MaxCalls = None,
) -> None:
    """Rank every query of a dataset with some rankers, keep the rankings, and print Hits@k, MRR and NDCG.

    Example: linkspot evaluate dataset --ranker bm25 --ranker model --out results
    """
    require(Extra.DATA, "linkspot evaluate")
    from linkspot.cli.comparing import show_table
    from linkspot.cli.progress import TerminalProgress
    from linkspot.engines.engine import EngineSettings, open_engine
    from linkspot.evaluation.evaluate import evaluate as rank_all
    from linkspot.evaluation.queries import DatasetQueries
    from linkspot.evaluation.stored import Evaluation

    if out is None or (dataset is None) == (published is None):
        raise UnusableInput("evaluating needs a DATASET (or --published FOLDER) and --out FOLDER")
    sample = names_in(languages), limit, seed
    queries_by_folder = (
        _published(published, out, *sample) if published else {out: DatasetQueries(dataset or Path(), split, *sample)}
    )
    rankers = labelled(ranker or list(DEFAULT_RANKERS))
    for queries in queries_by_folder.values():
        _report_cost(queries, rankers)
    engine = open_engine("local", EngineSettings(jobs))
    try:
        with resumable(), TerminalProgress() as progress:
            for folder, queries in queries_by_folder.items():
                rank_all(queries, rankers, folder, engine, progress, _options(base_url, max_calls, out))
    finally:
        engine.close()
    for folder in queries_by_folder:
        if published:
            say(f"{folder.name.replace('-', ' ').capitalize()}:")
        show_table(Evaluation.open(folder))
        say(f"The rankings are in {folder}; 'linkspot compare {folder}' tests and plots the differences")


def _published(
    folder: Path, out: Path, languages: tuple[str, ...], limit: int, seed: int
) -> "dict[Path, PublishedQueries]":
    """Return the paper's test queries as released and with repaired seams, each by the folder for its rankings."""
    from linkspot.evaluation.queries import PublishedQueries

    forms = {"as-released": False, "seams-repaired": True}
    return {
        out / name: PublishedQueries(folder, languages, limit, seed, is_repaired) for name, is_repaired in forms.items()
    }


def labelled(rankers: list[str]) -> dict[str, str]:
    """Return rankers by their labels: what is written before an equals sign, else the ranker's or the folder's name."""
    names: dict[str, str] = {}
    for text in rankers:
        label, equals, name = text.partition("=")
        # The equals sign of entqa:A,B,context=5 is the ranker's own.
        if not equals or Path(text).exists() or (":" in label and split_name(label)[0] in RANKERS):
            label, name = _label(text), text
        if not (label and name):
            raise UnusableInput(f"{text!r} is not a ranker with a label; write it like mine=bm25")
        if label in names:
            raise UnusableInput(f"two rankers are called {label!r}; give one another label: --ranker LABEL={name}")
        names[label] = name
    return names


def _label(name: str) -> str:
    if is_model(name):
        return Path(name).resolve().name
    return split_name(name)[0].replace(":", "-")  # a label is a folder's name, too


def _report_cost(queries: "Queries", rankers: dict[str, str]) -> None:
    """Print how many calls a language model will take, before they are made."""
    from linkspot.ranking.cascade import CascadeParts
    from linkspot.ranking.llm.cost import estimate
    from linkspot.ranking.llm.endpoint import LONGEST_ANSWER
    from linkspot.ranking.llm.prompt import PairPrompt

    for label, name in rankers.items():
        kind, _, parameters = name.partition(":")
        _, best, last = CascadeParts.of(parameters) if kind == CASCADE else ("", None, name)
        if last.startswith("llm-pairwise:"):
            questions = (query.question for query in queries.read(Counter()))
            sys.stderr.write(f"{displayed(label)}: {estimate(questions, PairPrompt(), LONGEST_ANSWER, best)}\n")


def _options(base_url: str, max_calls: int | None, out: Path) -> RankerOptions:
    key = next((os.environ[name] for name in _KEYS if os.environ.get(name)), "")
    return RankerOptions(base_url, key, max_calls, out / _ANSWERS)
