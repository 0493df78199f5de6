"""`linkspot dataset`: indexes and insertions → training and test sets, with a data card."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import ibis
from ibis import _

from linkspot.engines.engine import Engine
from linkspot.errors import UnusableInput
from linkspot.files import unfinished
from linkspot.pipeline.data_card import card, sources_of
from linkspot.pipeline.leaks import unleaked
from linkspot.pipeline.sampled_links import SOURCE_AND_TARGET, Indexes, articles_of, sampled_links, with_entities
from linkspot.pipeline.splits import SPLITS, SplitDates, dates_by_share
from linkspot.pipeline.table_run import Summary, TableRun, count_by
from linkspot.progress import SILENT, Progress
from linkspot.tables.folder import TableFolder

CARD = "README.md"
_JUDGED, _SAMPLE, _CLEAN = "judged", "sample", "clean"
_LEAK = "a row that would train on what a test asks for"


@dataclass(frozen=True)
class DatasetSettings:
    """What goes into a dataset.

    `splits` gives dates for corpora by the names of their folders; the other corpora are cut by time, at 80 and 90 %
    of their insertions. All insertions in a held-out language test: none trains or validates. `links_per_language` is
    how many existing links train. Of the indexes `by_page`, pages train only if they belong to no part that removals
    test or validate on.
    """

    splits: Mapping[str, SplitDates] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    hold_out: tuple[str, ...] = ()
    links_per_language: int = 20_000
    seed: int = 0
    by_page: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ingredients:
    """The folders that a dataset is made of, by their names."""

    indexes: Mapping[str, TableFolder]
    insertions: Mapping[str, TableFolder]

    @property
    def folders(self) -> list[TableFolder]:
        """The folders of indexes, then those of insertions."""
        return [*self.indexes.values(), *self.insertions.values()]

    @classmethod
    def of(cls, paths: Sequence[Path]) -> "Ingredients":
        """Open the folders that `linkspot index` and `linkspot insertions` made at these paths."""
        folders: dict[str, dict[str, TableFolder]] = {"index": {}, "insertions": {}}
        for path in paths:
            made_by = TableFolder(path).made_by
            kind = made_by if made_by in folders else "index"
            name = path.resolve().name
            if name in folders[kind]:
                raise UnusableInput(f"two folders are called {name!r}; a corpus is named by its folder, so rename one")
            folders[kind][name] = TableFolder.open(path, kind)
        return cls(folders["index"], folders["insertions"])


def dataset(
    paths: Sequence[Path],
    out: Path,
    engine: Engine,
    settings: DatasetSettings | None = None,
    progress: Progress = SILENT,
) -> Summary:
    """Make training and test sets from folders of tables; continues where an earlier run stopped."""
    settings = settings or DatasetSettings()
    ingredients = Ingredients.of(paths)
    _check_names(settings, ingredients)
    plan = {"command": "dataset", "folders": [str(path) for path in paths], "settings": str(settings)}
    with TableRun.begin(out, plan, engine, progress) as run:
        return run.summary() or _make(run, ingredients, settings)


def _make(run: TableRun, ingredients: Ingredients, settings: DatasetSettings) -> Summary:
    tables, rejects = _make_tables(run, ingredients, settings)
    summary = run.summarise(tables, rejects)
    with unfinished(summary.folder / CARD) as path:
        path.write_text(card(run.engine, ingredients.folders, summary), encoding="utf-8")
    run.folder.record({"sources": sources_of(ingredients.folders)})  # for the cards of models that learn from it
    return run.finish(summary, (_JUDGED, _SAMPLE, _CLEAN))


def _make_tables(run: TableRun, ingredients: Ingredients, settings: DatasetSettings) -> tuple[list[str], Counter[str]]:
    tables: list[str] = []
    rejects: Counter[str] = Counter()
    tests = None
    if ingredients.insertions:
        judged = run.table(_JUDGED, lambda: insertions_by_split(run.engine, ingredients.insertions, settings))
        rejects = count_by(judged, "verdict")
        kept = judged.filter(_.verdict.isnull()).drop("verdict")
        tests = kept.filter(_.split != "train")
        tables += _make_insertions(run, kept, tests, settings, rejects)
    if ingredients.indexes:
        tables += _make_links(run, Indexes(run.engine, ingredients.indexes), tests, settings, rejects)
    return tables, +rejects


def _make_insertions(
    run: TableRun, kept: ibis.Table, tests: ibis.Table, settings: DatasetSettings, rejects: Counter[str]
) -> list[str]:
    train = _without_held_out(kept.filter(_.split == "train").drop("split"), settings)
    clean = run.table("insertions/train", lambda: unleaked(train.anti_join(tests, SOURCE_AND_TARGET), tests))
    rejects[_LEAK] += _rows(train) - _rows(clean)
    for split in SPLITS[1:]:
        of_split = tests.filter(_.split == split).drop("split")
        run.table(f"insertions/{split}", lambda table=of_split: table)  # type: ignore[misc]
    return [f"insertions/{split}" for split in SPLITS]


def _make_links(
    run: TableRun, indexes: Indexes, tests: ibis.Table | None, settings: DatasetSettings, rejects: Counter[str]
) -> list[str]:
    def draw() -> ibis.Table:
        return sampled_links(
            indexes,
            tests,
            languages=settings.languages,
            hold_out=settings.hold_out,
            per_language=settings.links_per_language,
            seed=settings.seed,
            by_page=settings.by_page,
        )

    sample = run.table(_SAMPLE, draw)
    clean = sample if tests is None else run.table(_CLEAN, lambda: unleaked(sample, tests))
    run.table("existing_links/train", lambda: with_entities(indexes, clean))
    run.table("articles/train", lambda: articles_of(indexes, clean))
    rejects[_LEAK] += _rows(sample) - _rows(clean)
    return ["existing_links/train", "articles/train"]


def _without_held_out(train: ibis.Table, settings: DatasetSettings) -> ibis.Table:
    """Return the insertions without precedents in languages that are held out."""
    if not settings.hold_out:
        return train
    return train.mutate(precedents=_.precedents.filter(lambda precedent: ~precedent.language.isin(settings.hold_out)))


def _rows(table: ibis.Table) -> int:
    return int(table.count().to_pyarrow().as_py())


def insertions_by_split(engine: Engine, folders: Mapping[str, TableFolder], settings: DatasetSettings) -> ibis.Table:
    """Return the insertions of all corpora with their splits, each with the reason why it is left out, or null."""
    tables = []
    for name, folder in folders.items():
        table = engine.read(folder.table("insertions"))
        dates = settings.splits.get(name) or dates_by_share(table)
        is_held_out = table.language.isin(settings.hold_out) if settings.hold_out else ibis.literal(False)
        split = dates.split_of(table, is_held_out)
        tables.append(table.mutate(corpus=ibis.literal(name), split=split, held_out=is_held_out))
    insertions = ibis.union(*tables) if len(tables) > 1 else tables[0]
    return insertions.mutate(verdict=_verdict(insertions, settings))


def _verdict(table: ibis.Table, settings: DatasetSettings) -> ibis.Value:
    is_unwanted = ~table.language.isin(settings.languages) if settings.languages else ibis.literal(False)
    return ibis.cases(
        (is_unwanted, "an insertion in a language that is not asked for"),
        else_=ibis.null("string"),
    )


def check_languages(paths: Sequence[Path], engine: Engine, languages: Sequence[str]) -> None:
    """Raise UnusableInput if a language is in none of the folders that a dataset is to be made of."""
    ingredients = Ingredients.of(paths)
    tables = [folder.table("insertions") for folder in ingredients.insertions.values()]
    tables += [folder.table("entities") for folder in ingredients.indexes.values()]
    columns = (engine.read(table).select("language").distinct().to_pyarrow()["language"] for table in tables)
    known = {language for column in columns for language in column.to_pylist()} if languages else set()
    unknown = [language for language in languages if language not in known]
    if unknown:
        raise UnusableInput(f"no folder has pages in {unknown[0]!r}; there are: {', '.join(sorted(known))}")


def _check_names(settings: DatasetSettings, ingredients: Ingredients) -> None:
    unknown = sorted(set(settings.splits) - set(ingredients.insertions))
    if unknown:
        names = ", ".join(ingredients.insertions) or "none"
        raise UnusableInput(f"dates are given for {unknown[0]!r}, but the insertions are called: {names}")
    unknown = sorted(set(settings.by_page) - set(ingredients.indexes))
    if unknown:
        names = ", ".join(ingredients.indexes) or "none"
        raise UnusableInput(f"{unknown[0]!r} is to be split by its pages, but the indexes are called: {names}")
