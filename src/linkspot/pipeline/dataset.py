"""`linkspot dataset`: indexes and insertions → training and test sets, with a data card."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import ibis
from ibis import _

from linkspot.engines.engine import Engine
from linkspot.errors import UnusableInput
from linkspot.files import unfinished
from linkspot.links.graph import best_mentions
from linkspot.pipeline.card import card, sources_of
from linkspot.pipeline.leaks import unleaked
from linkspot.pipeline.run import Listener, Summary, TableRun, count_by
from linkspot.tables.folder import TableFolder

SPLITS = ("train", "validation", "test")
CARD = "README.md"
_JUDGED, _SAMPLE, _CLEAN = "judged", "sample", "clean"
_LINK = ["language", "source_key", "target_key"]
_LEAK = "a row that would train on what a test asks for"
_TRAIN_SHARE, _VALIDATION_SHARE = 0.8, 0.9  # of a corpus' insertions, in the order of time


@dataclass(frozen=True, slots=True)
class SplitDates:
    """From when on a corpus' insertions validate, and from when on they test; before that they train."""

    validation: datetime
    test: datetime

    def __post_init__(self) -> None:
        if self.validation > self.test:
            raise UnusableInput(
                f"validation begins before the test, not on {self.validation:%Y-%m-%d} and {self.test:%Y-%m-%d}"
            )


TEST_ALONE = SplitDates(datetime.min.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC))


@dataclass(frozen=True)
class DatasetSettings:
    """What goes into a dataset.

    `splits` gives dates for corpora by the names of their folders; the others are cut by time at 80 and 90 % of their
    insertions. Of languages that are held out all insertions test: none trains or validates. `links_per_language` is
    how many existing links train.
    """

    splits: Mapping[str, SplitDates] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    hold_out: tuple[str, ...] = ()
    links_per_language: int = 20_000
    seed: int = 0


@dataclass(frozen=True)
class Ingredients:
    """The folders that a dataset is made of, by their names."""

    indexes: Mapping[str, TableFolder]
    insertions: Mapping[str, TableFolder]

    @property
    def folders(self) -> list[TableFolder]:
        """All of them."""
        return [*self.indexes.values(), *self.insertions.values()]

    @classmethod
    def of(cls, paths: Sequence[Path]) -> "Ingredients":
        """Return what `linkspot index` and `linkspot insertions` made at these paths."""
        found: dict[str, dict[str, TableFolder]] = {"index": {}, "insertions": {}}
        for path in paths:
            made_by = TableFolder(path).made_by
            kind = made_by if made_by in found else "index"
            name = path.resolve().name
            if name in found[kind]:
                raise UnusableInput(f"two folders are called {name!r}; a corpus is named by its folder, so rename one")
            found[kind][name] = TableFolder.open(path, kind)
        return cls(found["index"], found["insertions"])


def dataset(
    paths: Sequence[Path],
    out: Path,
    engine: Engine,
    settings: DatasetSettings | None = None,
    listener: Listener | None = None,
) -> Summary:
    """Make the training and test sets of some folders of tables; goes on where it was stopped."""
    settings = settings or DatasetSettings()
    ingredients = Ingredients.of(paths)
    _check_names(settings, ingredients)
    plan = {"command": "dataset", "folders": [str(path) for path in paths], "settings": str(settings)}
    with TableRun.begin(out, plan, engine, listener) as run:
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
        judged = run.table(_JUDGED, lambda: judged_insertions(run.engine, ingredients.insertions, settings))
        rejects = count_by(judged, "verdict")
        kept = judged.filter(_.verdict.isnull()).drop("verdict")
        tests = kept.filter(_.split != "train")
        tables += _make_insertions(run, kept, tests, settings, rejects)
    if ingredients.indexes:
        sample = run.table(_SAMPLE, lambda: sampled_links(run.engine, ingredients.indexes, settings, tests))
        clean = sample if tests is None else run.table(_CLEAN, lambda: unleaked(sample, tests))
        run.table("existing_links/train", lambda: with_entities(run.engine, ingredients.indexes, clean))
        run.table("articles/train", lambda: articles_of(run.engine, ingredients.indexes, clean))
        tables += ["existing_links/train", "articles/train"]
        rejects[_LEAK] += _rows(sample) - _rows(clean)
    return tables, +rejects


def _make_insertions(
    run: TableRun, kept: ibis.Table, tests: ibis.Table, settings: DatasetSettings, rejects: Counter[str]
) -> list[str]:
    train = _without_held_out(kept.filter(_.split == "train").drop("split"), settings)
    clean = run.table("insertions/train", lambda: unleaked(train.anti_join(tests, _LINK), tests))
    rejects[_LEAK] += _rows(train) - _rows(clean)
    for split in SPLITS[1:]:
        of_split = tests.filter(_.split == split).drop("split")
        run.table(f"insertions/{split}", lambda table=of_split: table)  # type: ignore[misc]
    return [f"insertions/{split}" for split in SPLITS]


def _without_held_out(train: ibis.Table, settings: DatasetSettings) -> ibis.Table:
    """Return insertions without what pages in languages that are held out say of them."""
    if not settings.hold_out:
        return train
    return train.mutate(precedents=_.precedents.filter(lambda one: ~one.language.isin(settings.hold_out)))


def _rows(table: ibis.Table) -> int:
    return int(table.count().to_pyarrow().as_py())


def judged_insertions(engine: Engine, folders: Mapping[str, TableFolder], settings: DatasetSettings) -> ibis.Table:
    """Return the insertions of all corpora with their splits, each with the reason why it is left out, or null."""
    tables = []
    for name, folder in folders.items():
        table = engine.read(folder.table("insertions"))
        dates = settings.splits.get(name) or _dates_by_share(table)
        is_held_out = table.language.isin(settings.hold_out) if settings.hold_out else ibis.literal(False)
        split = ibis.cases(
            (is_held_out | (table.after_time >= dates.test), "test"),
            (table.after_time >= dates.validation, "validation"),
            else_="train",
        )
        tables.append(table.mutate(corpus=ibis.literal(name), split=split, held_out=is_held_out))
    every = ibis.union(*tables) if len(tables) > 1 else tables[0]
    return every.mutate(verdict=_verdict(every, settings))


def _verdict(table: ibis.Table, settings: DatasetSettings) -> ibis.Value:
    none = ibis.literal(False)
    unwanted = ~table.language.isin(settings.languages) if settings.languages else none
    return ibis.cases(
        (unwanted, "an insertion in a language that is not asked for"),
        else_=ibis.null("string"),
    )


def _dates_by_share(table: ibis.Table) -> SplitDates:
    seconds = table.after_time.epoch_seconds()
    row = table.aggregate(v=seconds.quantile(_TRAIN_SHARE), t=seconds.quantile(_VALIDATION_SHARE)).to_pyarrow()
    first, second = row["v"][0].as_py(), row["t"][0].as_py()
    if first is None:
        return TEST_ALONE
    return SplitDates(datetime.fromtimestamp(int(first), UTC), datetime.fromtimestamp(int(second), UTC))


def sampled_links(
    engine: Engine, folders: Mapping[str, TableFolder], settings: DatasetSettings, tests: ibis.Table | None
) -> ibis.Table:
    """Return existing links of all corpora: of each language as many as are wanted, drawn by the seed.

    A link that an insertion of validation or test asks for is never among them, nor is any of a page that they ask of,
    as it stood later.
    """
    links = _union_of(engine, folders, "links")
    if settings.languages:
        links = links.filter(links.language.isin(settings.languages))
    if settings.hold_out:
        links = links.filter(~links.language.isin(settings.hold_out))
    if tests is not None:
        later = later_versions(_union_of(engine, folders, "articles"), tests)
        links = links.anti_join(tests, _LINK).anti_join(later, ["corpus", "language", "source_key"])
    name = ibis.literal(f"{settings.seed}/") + links.corpus + "/" + links.source_key + "/" + links.target_key
    place = name + "/" + links.sentence.cast("string") + "/" + links.mention_start.cast("string")
    # A digest draws alike on every engine, whatever the order of the rows.
    drawn = links.mutate(draw=place.hexdigest("md5"))
    window = ibis.window(group_by="language", order_by=["draw", "source_key", "sentence", "mention_start"])
    numbered = drawn.mutate(number=ibis.row_number().over(window))
    return numbered.filter(_.number < settings.links_per_language).drop("draw", "number")


def later_versions(articles: ibis.Table, tests: ibis.Table) -> ibis.Table:
    """Return the pages that tests ask of, by their titles, unless they are known to be no later than in the test."""
    asked = tests.group_by("language", title=_.source_title).aggregate(earliest=_.before_time.min())
    pages = articles.select("corpus", "language", "title", "revision", "time", source_key=_.key)
    both = pages.inner_join(asked, ["language", "title"])
    is_earlier = (both.revision != "") & (both.time <= both.earliest)  # a file's time says nothing of its text's
    return both.filter(~is_earlier).select("corpus", "language", "source_key")


def with_entities(engine: Engine, folders: Mapping[str, TableFolder], sample: ibis.Table) -> ibis.Table:
    """Return the links with the target's lead and mentions; a link's own words count only if other links use them."""
    entities = _union_of(engine, folders, "entities")
    leads = entities.select("corpus", "language", target_key=_.key, target_lead=_.lead)
    on = ["corpus", "language", "target_key"]
    link = ["corpus", "language", "source_key", "target_key", "sentence", "mention_start"]
    found = sample.left_join(leads, on).select(*sample.columns, "target_lead")
    mentions = _union_of(engine, folders, "mentions")
    known = mentions.select("corpus", "language", target_key=_.key, known=_.mention, uses=_["count"])
    pairs = sample.select(*link, "mention").inner_join(known, on).select(*link, "mention", "known", "uses")
    others = pairs.mutate(count=_.uses - (_.known == _.mention).cast("int64")).filter(_["count"] > 0)
    others = others.select(*link, "count", mention=_.known)
    best = best_mentions(others, tuple(link))
    joined = found.left_join(best.view(), link).select(*found.columns, "mentions")
    return joined.mutate(mentions=ibis.coalesce(_.mentions, ibis.literal([], type="array<string>")))


def articles_of(engine: Engine, folders: Mapping[str, TableFolder], sample: ibis.Table) -> ibis.Table:
    """Return the articles that the links stand in, whole."""
    wanted = sample.select("corpus", "language", key=_.source_key).distinct()
    return _union_of(engine, folders, "articles").semi_join(wanted, ["corpus", "language", "key"])


def _union_of(engine: Engine, folders: Mapping[str, TableFolder], table: str) -> ibis.Table:
    tables = [engine.read(folder.table(table)).mutate(corpus=ibis.literal(name)) for name, folder in folders.items()]
    return ibis.union(*tables) if len(tables) > 1 else tables[0]


def _check_names(settings: DatasetSettings, ingredients: Ingredients) -> None:
    unknown = sorted(set(settings.splits) - set(ingredients.insertions))
    if unknown:
        there = ", ".join(ingredients.insertions) or "none"
        raise UnusableInput(f"dates are given for {unknown[0]!r}, but the insertions are called: {there}")
