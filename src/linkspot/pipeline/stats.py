"""`linkspot stats`: the tables of `index` and `insertions` → statistics, by expressions that any engine can run."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import ibis
from ibis import _

from linkspot.engines.engine import Engine
from linkspot.errors import UnusableInput
from linkspot.pipeline.stats_counts import (
    TOTAL,
    CandidateCounts,
    Command,
    LanguageCounts,
    RejectCount,
    ScenarioCounts,
    Statistics,
)
from linkspot.progress import SILENT, Progress
from linkspot.records import Scenario
from linkspot.tables.folder import TableFolder
from linkspot.tables.schemas import Row


def stats(folders: Sequence[Path], engine: Engine, progress: Progress = SILENT) -> Statistics:
    """Count what the folders hold, by language; folders of the same language are counted together."""
    opened = _open_all(folders)
    stage = progress.stage("counting")
    expressions = dict(_expressions(_Tables(opened, engine)))
    rows: dict[str, list[Row]] = defaultdict(list)
    for number, (name, expression) in enumerate(expressions.items(), start=1):
        rows[name] = expression.to_pyarrow().to_pylist()
        stage.update(number / len(expressions), 0)
    return _statistics(opened, rows)


_Opened = tuple[tuple[TableFolder, Command], ...]


def _open_all(paths: Sequence[Path]) -> _Opened:
    repeated = [path for path, times in Counter(path.resolve() for path in paths).items() if times > 1]
    if repeated:
        raise UnusableInput(f"{repeated[0].name} is given twice; give every folder once, or it counts twice")
    return tuple(_open(path) for path in paths)


def _open(path: Path) -> tuple[TableFolder, Command]:
    folder = TableFolder(path)
    if folder.made_by not in list(Command):
        raise UnusableInput(
            f"{path} holds {folder.content}; expected a folder that 'linkspot index' or 'insertions' made"
        )
    return TableFolder.open(path, folder.made_by), Command(folder.made_by)


@dataclass(frozen=True, slots=True)
class _Tables:
    """The tables of several folders; those of one name are read as one."""

    opened: _Opened
    engine: Engine

    def read(self, command: Command, name: str, *columns: str) -> ibis.Table:
        """Return some columns of a table that a command made, with the number of its folder as `corpus`."""
        parts = [
            self._part(folder, name, columns).mutate(corpus=ibis.literal(number, "int32"))
            for number, (folder, made_by) in enumerate(self.opened)
            if made_by is command
        ]
        return ibis.union(*parts)

    def _part(self, folder: TableFolder, name: str, columns: tuple[str, ...]) -> ibis.Table:
        needed = {"sections" if column == "candidates" else column for column in columns}
        table = self.engine.read(folder.table(name)) if folder.has(name) else None
        if table is None or not needed <= {*table.columns}:
            raise UnusableInput(f"{folder.path} lacks its table of {name}, or some of its columns; make it again")
        # Candidates are counted before the union, which then need not hold the texts of whole wikis.
        return (table.mutate(candidates=_CANDIDATES) if "sections" in needed else table).select(*columns)


_CANDIDATES = _.sections.map(lambda section: section.sentences).flatten().length()


def _expressions(tables: _Tables) -> Iterator[tuple[str, ibis.Table]]:
    """Yield the expressions that count, with their names; they are the same on every engine."""
    commands = {command for _folder, command in tables.opened}
    if Command.INDEX in commands:
        articles = tables.read(Command.INDEX, "articles", "language", "candidates")
        yield "article sizes", articles.group_by("language", "candidates").agg(pages=_.count())
        links = tables.read(Command.INDEX, "links", "language")
        yield "links", links.group_by("language").agg(links=_.count())
        entities = tables.read(Command.INDEX, "entities", "language", "entity", "in_degree")
        orphans = _.count(where=_.in_degree == 0)
        yield "entities", entities.group_by("language").agg(entities=_.entity.nunique(), orphans=orphans)
        yield "all entities", entities.agg(entities=_.entity.nunique())
    if Command.INSERTIONS in commands:
        columns = ("language", "source_key", "before_revision", "scenario", "candidates")
        insertions = tables.read(Command.INSERTIONS, "insertions", *columns)
        yield "scenarios", insertions.group_by("language", "scenario").agg(insertions=_.count())
        pages = insertions.select("corpus", "language", "source_key").distinct()
        yield "edited pages", pages.group_by("language").agg(pages_with_insertions=_.count())
        versions = insertions.drop("scenario").distinct()
        yield "before sizes", versions.group_by("language", "candidates").agg(pages=_.count())


def _statistics(opened: _Opened, rows: Mapping[str, list[Row]]) -> Statistics:
    fields: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows["scenarios"]:
        fields[row["language"]]["insertions"] += row["insertions"]
    for row in rows["article sizes"]:
        fields[row["language"]]["articles"] += row["pages"]
    for row in (*rows["links"], *rows["entities"], *rows["edited pages"]):
        fields[row["language"]].update({name: count for name, count in row.items() if name != "language"})
    total = sum(fields.values(), Counter())
    total["entities"] = sum(row["entities"] for row in rows["all entities"])
    languages = sorted(fields)
    sources = {Command.INDEX: rows["article sizes"], Command.INSERTIONS: rows["before sizes"]}
    return Statistics(
        tuple((folder.path, command) for folder, command in opened),
        tuple(LanguageCounts(language, **fields[language]) for language in languages),
        LanguageCounts(TOTAL, **total),
        _scenarios(languages, rows["scenarios"]) if any(c is Command.INSERTIONS for _folder, c in opened) else (),
        tuple(counts for source, sizes in sources.items() for counts in _candidates(source, sizes)),
        _rejects(opened),
    )


def _scenarios(languages: Sequence[str], rows: list[Row]) -> tuple[ScenarioCounts, ...]:
    counts = {(row["language"], Scenario(row["scenario"])): row["insertions"] for row in rows}
    return tuple(
        ScenarioCounts(language, {scenario: counts.get((language, scenario), 0) for scenario in Scenario})
        for language in languages
    )


def _candidates(source: Command, rows: list[Row]) -> Iterator[CandidateCounts]:
    pages: dict[str, dict[int, int]] = defaultdict(dict)
    for row in rows:
        pages[row["language"]][row["candidates"]] = row["pages"]
    return (CandidateCounts(source, language, pages[language]) for language in sorted(pages))


def _rejects(opened: _Opened) -> tuple[RejectCount, ...]:
    counts: Counter[tuple[Command, str]] = Counter()
    for folder, command in opened:
        for reason, count in folder.manifest().get("rejects", {}).items():
            counts[command, reason] += count
    ordered = sorted(counts.items(), key=lambda item: (item[0][0], -item[1], item[0][1]))
    return tuple(RejectCount(command, reason, count) for (command, reason), count in ordered)
