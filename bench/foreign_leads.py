"""Leads of another language: what the shipped model keeps of its figures if a target is known in English alone."""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow.dataset as ds

from bench.encoders import CACHE
from bench.wikis import DATA
from linkspot.links.foreign_lead import FIRST_CHOICE
from linkspot.metrics.metrics import RightRanks, hits_at, reciprocal_rank
from linkspot.ranking.ranker import SHIPPED, Ranker, open_ranker
from linkspot.records import Article, Entity
from linkspot.tables.folder import TableFolder
from linkspot.tables.schemas import article_of

_BUNDLE, _PAGES = DATA / "wikis" / "ethereum.bundle", "{lang}/{slug}.md"
_FOLDER = CACHE / "foreign_leads"
_FROM = "2024-07-01"  # where the test split of this corpus begins


@dataclass(frozen=True, slots=True)
class ForeignQuery:
    """An insertion into a page that is not English, and what the English page of its target is called and says."""

    article: Article
    own: Entity
    english: Entity
    gold: tuple[int, ...]


_VARIANTS: dict[str, Callable[[ForeignQuery], Entity]] = {
    "title, mentions and lead in the page's language": lambda query: query.own,
    "the same with the English lead": lambda query: replace(query.own, lead=query.english.lead),
    "the same without a lead": lambda query: replace(query.own, lead=""),
    "title and lead in English, no mentions": lambda query: query.english,
    "title in English alone": lambda query: replace(query.english, lead=""),
    "title in the page's language alone": lambda query: Entity(query.own.title),
    "title in the page's language, English lead": lambda query: Entity(query.own.title, query.english.lead),
}


def measure() -> str:
    """Return the figures of every way to describe the same targets."""
    edits = _made("insertions", "--max-pages", "1000000", "--from", _FROM)
    queries = _queries(edits, _english_leads(_made("index")))
    languages = Counter(query.article.language for query in queries)
    named = ", ".join(f"{language} {count}" for language, count in languages.most_common())
    return "\n".join(
        [
            f"{len(queries)} links that editors added to translations of ethereum.org from {_FROM} on, the test split",
            f"of this wiki, whose target has a lead in the page's language and in English ({named}).",
            "The model is the shipped one, with the page alone; every query counts the same.",
            "",
            "| what is known of the target | Hits@1 | MRR |",
            "| --- | ---: | ---: |",
            *_rows(open_ranker(SHIPPED), queries),
        ]
    )


def _made(command: str, *options: str) -> Path:
    """Return the tables that a command makes of the corpus; those of an earlier run are used again."""
    out = _FOLDER / command
    if not TableFolder(out).manifest().get("finished"):
        words = (command, str(_BUNDLE), "--pages", _PAGES, *options, "--out", str(out))
        subprocess.run([sys.executable, "-m", "linkspot.cli", *words], check=True)
    return out


def _english_leads(index: Path) -> dict[str, Entity]:
    table = ds.dataset(index / "entities", format="parquet")
    rows = table.to_table(["entity", "title", "lead"], filter=ds.field("language") == FIRST_CHOICE).to_pylist()
    return {row["entity"]: Entity(row["title"], row["lead"]) for row in rows if row["lead"] and row["title"]}


def _queries(edits: Path, english: dict[str, Entity]) -> list[ForeignQuery]:
    rows = ds.dataset(edits / "insertions", format="parquet").to_table().to_pylist()
    usable = [
        row
        for row in rows
        if row["gold"] and row["target_lead"] and row["language"] != FIRST_CHOICE and row["target_entity"] in english
    ]
    usable.sort(key=lambda row: (row["language"], row["source_key"], row["after_revision"], row["target_key"]))
    return [
        ForeignQuery(
            article_of(row["source_title"], row["language"], row["sections"]),
            Entity(row["target_title"], row["target_lead"], tuple(row["mentions"])),
            english[row["target_entity"]],
            tuple(row["gold"]),
        )
        for row in usable
    ]


def _rows(ranker: Ranker, queries: list[ForeignQuery]) -> Iterator[str]:
    # All descriptions of a query's target one after another: the page is encoded once.
    scores = [
        {name: ranker.score(described(query), query.article).places for name, described in _VARIANTS.items()}
        for query in queries
    ]
    for name in _VARIANTS:
        ranks = RightRanks.of((of_query[name], query.gold) for of_query, query in zip(scores, queries, strict=True))
        yield f"| {name} | {hits_at(ranks, 1).mean():.3f} | {reciprocal_rank(ranks).mean():.3f} |"
