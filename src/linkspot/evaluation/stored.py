"""Stored rankings: the tables of queries and scores that an evaluation leaves, read back as arrays."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from linkspot.errors import UnusableInput
from linkspot.metrics.rankings import Bools, Ints, Lists, Ranking
from linkspot.records import Scenario
from linkspot.tables.folder import TableFolder
from linkspot.tables.schemas import NUMBERS

QUERIES, RANKINGS = "queries", "rankings"
#: `gold` are the numbers of the right candidates; none where the link belongs nowhere in the page. `sections` are the
#: numbers of candidates in each section.
QUERY = pa.schema(
    {
        "query": pa.int32(),
        "event": pa.string(),
        "corpus": pa.string(),
        "language": pa.string(),
        "scenario": pa.string(),
        "source_title": pa.string(),
        "target_title": pa.string(),
        "mentions": pa.int32(),
        "candidates": pa.int32(),
        "sections": NUMBERS,
        "gold": NUMBERS,
    }
)
#: One score for each candidate; `nowhere` is what they must exceed to mean that the link belongs there.
RANKING = pa.schema({"query": pa.int32(), "scores": pa.list_(pa.float64()), "nowhere": pa.float64()})

Codes = npt.NDArray[np.int16]
_USED = ["query", "corpus", "language", "scenario", "mentions", "candidates", "sections", "gold"]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The queries of an evaluation as columns, and the rankings of them by the labels of their rankers."""

    languages: tuple[str, ...]
    language: Codes  # (Q,) numbers in `languages`
    scenario: Codes  # (Q,) numbers in `Scenario`
    mentions: Ints  # (Q,) how many the target is known by
    candidates: Ints  # (Q,)
    gold: Lists
    rankings: Mapping[str, Ranking]
    unfinished: tuple[str, ...] = ()  # rankers whose rankings are not all there yet
    corpora: tuple[str, ...] = ()  # the corpus of each query
    sections: Lists | None = None  # how many candidates each section has

    @classmethod
    def open(cls, path: Path) -> "Evaluation":
        """Read what `linkspot evaluate` left in a folder; rankers that are not finished are only named."""
        folder = TableFolder.open(path, "evaluate")
        queries = _read(folder.table(QUERIES), pa.schema([QUERY.field(name) for name in _USED]))
        if not queries.num_rows:
            raise UnusableInput(f"{path} holds no queries; delete it and evaluate again")
        languages, language = _coded(queries["language"])
        rankers = folder.manifest().get("rankers", {})
        facts = rankers if isinstance(rankers, dict) else {}
        known = list(facts)
        labels = _labels(folder.table(RANKINGS), known)
        evaluation = cls(
            languages,
            language,
            _scenarios(queries["scenario"], path),
            _ints(queries, "mentions"),
            _ints(queries, "candidates"),
            _lists(queries, "gold"),
            {label: _ranking(folder.table(RANKINGS) / label, queries, facts.get(label)) for label in labels},
            tuple(label for label in known if label not in labels),
            tuple(queries["corpus"].to_pylist()),
            _lists(queries, "sections"),
        )
        if (evaluation.gold.reduce(np.maximum, -1) >= evaluation.candidates).any():
            raise UnusableInput(f"{folder.table(QUERIES)} names right places that are not in the page; evaluate again")
        return evaluation

    def __len__(self) -> int:
        return len(self.candidates)

    def of_corpora(self, names: Collection[str], fewest: int = 1) -> "Evaluation":
        """Return the queries of some corpora alone, with their rankings; languages with fewer queries are left out."""
        is_one = np.array([corpus in names for corpus in self.corpora], np.bool_)
        counts = np.bincount(self.language[is_one], minlength=len(self.languages))
        chosen = np.flatnonzero(is_one & (counts >= fewest)[self.language])
        rankings = {label: ranking.of(chosen) for label, ranking in self.rankings.items()}
        return replace(
            self,
            language=self.language[chosen],
            scenario=self.scenario[chosen],
            mentions=self.mentions[chosen],
            candidates=self.candidates[chosen],
            gold=self.gold.of(chosen),
            corpora=tuple(self.corpora[number] for number in chosen),
            sections=self.sections.of(chosen) if self.sections else None,
            rankings=rankings,
        )

    def is_of(self, scenarios: Iterable[Scenario]) -> Bools:
        """Return for each query whether its scenario is one of these."""
        numbers = [list(Scenario).index(scenario) for scenario in scenarios]
        is_one: Bools = np.isin(self.scenario, numbers)
        return is_one


def _labels(parent: Path, known: list[str]) -> list[str]:
    """Return the rankers whose rankings are there, in the order in which they joined."""
    names = {path.name for path in parent.iterdir() if path.is_dir()} if parent.is_dir() else set()
    others = sorted(name for name in names if name not in known and not name.startswith("."))
    return [*(label for label in known if label in names), *others]


def _ranking(folder: Path, queries: pa.Table, recorded: object) -> Ranking:
    facts = recorded if isinstance(recorded, dict) else {}
    are_logits = bool(facts.get("logits"))
    table = _read(folder, RANKING)
    scores, nowhere = _lists(table, "scores"), table["nowhere"].to_numpy()
    remedy = f"delete it and evaluate {folder.name} again"
    if not (
        np.array_equal(_ints(table, "query"), _ints(queries, "query"))
        and np.array_equal(scores.lengths, _ints(queries, "candidates"))
    ):
        raise UnusableInput(f"{folder} holds rankings of other queries; {remedy}")
    if np.isnan(scores.values).any() or np.isnan(nowhere).any():
        raise UnusableInput(f"{folder} holds scores that are not numbers; {remedy}")
    if are_logits and not (np.isfinite(nowhere).all() and (scores.values < np.inf).all()):
        raise UnusableInput(f"{folder} holds infinite scores, which cannot be logits; {remedy}")
    return Ranking(scores, nowhere, are_logits, str(facts.get("given", "")))


def _read(folder: Path, schema: pa.Schema) -> pa.Table:
    """Return a table in the order of its queries."""
    try:
        table = ds.dataset(folder, schema, format="parquet").to_table()
    except (pa.ArrowException, OSError) as error:
        raise UnusableInput(f"{folder} cannot be read as Parquet; delete it and evaluate again") from error
    if any(column.null_count for column in table.columns):
        raise UnusableInput(f"{folder} lacks some of {', '.join(schema.names)}; delete it and evaluate again")
    is_in_order = (np.diff(_ints(table, "query")) > 0).all()
    return table if is_in_order else table.sort_by("query")


def _scenarios(column: pa.ChunkedArray, path: Path) -> Codes:
    """Return the number of each query's scenario."""
    names, code = _coded(column)
    known = {scenario.value: number for number, scenario in enumerate(Scenario)}
    strange = sorted(set(names) - set(known))
    if strange:
        raise UnusableInput(f"{path} has queries of a scenario {strange[0]!r}; expected one of {', '.join(known)}")
    return np.array([known[name] for name in names], np.int16)[code]


def _coded(column: pa.ChunkedArray) -> tuple[tuple[str, ...], Codes]:
    """Return the distinct names in their order, and the number of each row's name."""
    coded = column.combine_chunks().dictionary_encode()
    names = coded.dictionary.to_pylist()
    order = sorted(range(len(names)), key=names.__getitem__)
    rank = np.empty(len(names), np.int16)
    rank[order] = np.arange(len(names))
    return tuple(names[number] for number in order), rank[coded.indices.to_numpy()]


def _ints(table: pa.Table, name: str) -> Ints:
    numbers: Ints = table[name].to_numpy().astype(np.int64)
    return numbers


def _lists(table: pa.Table, name: str) -> Lists:
    lengths = pc.list_value_length(table[name]).to_numpy()
    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return Lists(pc.list_flatten(table[name]).to_numpy(), starts)
