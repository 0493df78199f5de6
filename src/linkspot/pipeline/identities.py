"""The identities of pages: what files beside dumps and a user's table say, read and joined with the pages."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ibis
import pyarrow as pa
from ibis import _

from linkspot.corpora.corpus import CorpusSource
from linkspot.corpora.dumps.id_files import IdFact, IdFile, IdFileKind, id_files_beside
from linkspot.engines.engine import Shard
from linkspot.errors import UnusableInput
from linkspot.links.entities import (
    EVERY_LANGUAGE,
    RANKS,
    first_labels,
    joined_ids,
    language_links,
    language_scope,
    language_scopes,
    numbers_of_pages,
    said_ids,
    spread_labels,
    titles_of_pages,
    with_identities,
)
from linkspot.links.identity import IdentifiedBy
from linkspot.links.titles import TitleRules
from linkspot.pipeline.table_run import TableRun, sum_of_rejects
from linkspot.tables.schemas import REJECTS, Row, reject_rows

FACTS = "id_facts"
SAID = "said_ids"
_LINKS, _LABELS, _JOINED = "language_links", "language_labels", "joined_ids"
_MOST_ROUNDS = 8  # of labels from page to page; where every page lists all the others, two are enough
_FACTS_A_SHARD = 50_000
_SCHEMA = pa.schema(
    {
        "scope": pa.string(),
        "name": pa.string(),
        "entity": pa.string(),
        "rank": pa.int64(),
        "other_language": pa.string(),
        "other_key": pa.string(),
        "rejects": REJECTS,
    }
)
_SAYS = {
    IdFileKind.GIVEN: IdentifiedBy.GIVEN,
    IdFileKind.ENTITIES: IdentifiedBy.ENTITIES,
    IdFileKind.PAGE_PROPS: IdentifiedBy.PAGE_PROPS,
    IdFileKind.LANGLINKS: IdentifiedBy.LANGLINKS,
}


@dataclass(frozen=True, slots=True)
class ReadIds:
    """Reads the facts of files that say what pages are about."""

    @property
    def schema(self) -> pa.Schema:
        """The schema of the rows: a row for each fact, and one for the rejects."""
        return _SCHEMA

    def weight(self, source: IdFile) -> float:
        """Return how large the file is."""
        return source.size

    def shards(self, source: IdFile) -> Iterator[Shard]:
        """Cut a file into batches of facts."""
        table = source.open()
        batch: list[IdFact] = []
        for fact in source.facts(table):
            batch.append(fact)
            if len(batch) == _FACTS_A_SHARD:
                yield Shard((source, batch, {}), len(batch), table.share)
                batch = []
        yield Shard((source, batch, dict(table.rejects)), len(batch), 1.0)

    def run(self, shard: Shard) -> list[Row]:
        """Return a row for each name of a fact's page, and one for the rejects."""
        file, facts, rejects = shard.content
        rows = [row for fact in facts for row in _rows(file, fact)]
        return [*rows, {"rejects": reject_rows(rejects)}] if rejects else rows


def _rows(file: IdFile, fact: IdFact) -> Iterator[Row]:
    said: dict[str, Any] = {
        "scope": file.wiki or language_scope(fact.language),
        "entity": fact.entity or None,
        "rank": RANKS[_SAYS[file.kind]],
        "other_language": fact.other_language or None,
        "other_key": _key(fact.other_title, fact.other_language) if fact.other_title else None,
    }
    if fact.page_id:
        yield {**said, "name": f"#{fact.page_id}"}
    else:
        for name in dict.fromkeys((fact.title, _key(fact.title, fact.language))):
            yield {**said, "name": name}


def _key(title: str, language: str) -> str:
    return str(TitleRules(language or "en").normalise(title).page)


def id_files(sources: Sequence[CorpusSource], entities: Path | None) -> list[IdFile]:
    """Return the files that say what the pages of corpora are about: those beside the dumps, and the user's table."""
    given = [IdFile(entities, IdFileKind.GIVEN)] if entities else []
    for file in given:
        file.open()  # a wrong file is reported before hours of work
    return [*given, *id_files_beside(list(sources))]


def plan_of_ids(files: Sequence[IdFile]) -> dict[str, Any]:
    """Return what identifies the files in the plan of a run; nothing if there are none, as in earlier versions."""
    named = [{"path": str(file.path), "size": file.size} for file in files]
    return {"ids": named} if named else {}


def identified(run: TableRun, pages: ibis.Table, files: Sequence[IdFile]) -> ibis.Table:
    """Return the pages with the id of what they are about, by what the files say."""
    if not files:
        return with_identities(pages)
    facts = run.work(FACTS, ReadIds(), files)
    _check_languages(facts, pages)
    said = run.table(SAID, lambda: said_ids(_names(pages, files), facts))
    if not any(file.kind is IdFileKind.LANGLINKS for file in files):
        return with_identities(pages, said)
    links = run.table(_LINKS, lambda: language_links(pages, facts))
    labels = _labels(run, links)
    return with_identities(pages, said, run.table(_JOINED, lambda: joined_ids(labels, pages, said)))


def _names(pages: ibis.Table, files: Sequence[IdFile]) -> ibis.Table:
    """Return the names of the pages that files of these kinds may use: in a large wiki, each further kind is costly."""
    kinds = {file.kind for file in files}
    names = [numbers_of_pages(pages)]
    if IdFileKind.ENTITIES in kinds:
        names.append(titles_of_pages(pages, pages.wiki))
    if IdFileKind.GIVEN in kinds:
        names.append(titles_of_pages(pages, *language_scopes(pages)))
    return ibis.union(*names) if len(names) > 1 else names[0]


def temporary_tables(files: Sequence[IdFile]) -> tuple[str, ...]:
    """Return the tables that `identified` made and that nobody needs afterwards."""
    if not files:
        return ()
    return (FACTS, SAID, _LINKS, _JOINED, *(f"{_LABELS}_{number}" for number in range(_MOST_ROUNDS + 1)))


def rejected_facts(run: TableRun, files: Sequence[IdFile]) -> Counter[str]:
    """Return how many rows of the files were set aside, by reason."""
    return sum_of_rejects(run.engine.read(run.folder.table(FACTS))) if files else Counter()


def counts_of_identities(pages: ibis.Table) -> dict[str, dict[str, int]]:
    """Return how many articles of each language are identified by what."""
    counted = pages.filter(_.redirect == "").group_by("language", "identified_by").agg(n=_.count())
    counts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for row in sorted(counted.to_pyarrow().to_pylist(), key=lambda row: (row["language"], row["identified_by"])):
        counts[row["language"]][row["identified_by"]] = int(row["n"])
    return dict(counts)


def _labels(run: TableRun, links: ibis.Table) -> ibis.Table:
    """Return the label of each page's group: spread from page to page until none changes."""
    labels = run.table(f"{_LABELS}_0", lambda: first_labels(links))
    for number in range(1, _MOST_ROUNDS + 1):
        before = labels
        labels = run.table(f"{_LABELS}_{number}", lambda known=before: spread_labels(known, links))  # type: ignore[misc]
        old = before.select("page", before=_.label)
        if not labels.inner_join(old, "page").filter(_.label != _.before).count().to_pyarrow().as_py():
            break
    return labels


def _check_languages(facts: ibis.Table, pages: ibis.Table) -> None:
    """Raise UnusableInput if a table that names no languages is for pages in several."""
    is_unsaid = facts.filter(_.scope == EVERY_LANGUAGE).count().to_pyarrow().as_py()
    languages = sorted(pages.select("language").distinct().to_pyarrow()["language"].to_pylist()) if is_unsaid else []
    if len(languages) > 1:
        raise UnusableInput(
            f"the table of --entities has no language for some rows, but the pages are in {', '.join(languages)}; "
            "equal titles may mean different things there, so add a column language"
        )
