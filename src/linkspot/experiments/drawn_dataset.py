"""A small dataset, drawn at random from a large one, so that an experiment fits a machine."""

from dataclasses import asdict
from pathlib import Path

import ibis
from ibis import _

from linkspot.engines.engine import Engine
from linkspot.errors import UnusableInput
from linkspot.experiments.budgets import DataLimits
from linkspot.experiments.split_counts import LINKS
from linkspot.files import unfinished
from linkspot.pipeline.dataset import CARD
from linkspot.pipeline.splits import SPLITS
from linkspot.pipeline.table_run import TableRun
from linkspot.progress import SILENT, Progress
from linkspot.tables.folder import TableFolder

ARTICLES = "articles/train"
_EVENT = ("corpus", "source_key", "after_revision", "target_key", "mention_start")
_LINK = ("corpus", "source_key", "sentence", "mention_start", "target_key")


def open_dataset(path: Path) -> TableFolder:
    """Open a dataset that has insertions to test on."""
    dataset = TableFolder.open(path, "dataset")
    if not dataset.manifest()["rows"].get("insertions/test"):
        raise UnusableInput(f"{path} has no insertions to test on; make it from insertions: linkspot dataset EDITS …")
    return dataset


def draw(
    dataset: TableFolder, out: Path, limits: DataLimits, seed: int, engine: Engine, progress: Progress = SILENT
) -> TableFolder:
    """Make a small dataset from rows that the seed draws: short pages, and insertions with a right place."""
    manifest = dataset.manifest()
    plan = {
        "command": "dataset",
        "drawn_from": {"plan": manifest["plan"], "rows": manifest["rows"]},
        "limits": asdict(limits),
        "seed": seed,
    }
    with TableRun.begin(out, plan, engine, progress) as run:
        if not run.summary():
            summary = run.summarise(_draw_tables(run, dataset, limits, seed), {})
            with unfinished(out / CARD) as path:
                path.write_text(_card(dataset, limits, seed), encoding="utf-8")
            run.folder.record({"sources": dataset.manifest().get("sources", [])})
            run.finish(summary, ())
    return TableFolder.open(out, "dataset")


def _draw_tables(run: TableRun, dataset: TableFolder, limits: DataLimits, seed: int) -> list[str]:
    tables = []
    for split, most in zip(SPLITS, (limits.train, limits.validation, limits.test), strict=True):
        name = f"insertions/{split}"
        insertions = run.engine.read(dataset.table(name))
        short = insertions.filter(insertions.gold.length() > 0).filter(_sentences(insertions) <= limits.sentences)
        run.table(name, lambda rows=short, most=most: _drawn(rows, _EVENT, most, seed))  # type: ignore[misc]
        tables.append(name)
    if not dataset.has(LINKS):
        return tables
    articles, links = (run.engine.read(dataset.table(name)) for name in (ARTICLES, LINKS))
    short = articles.filter(_sentences(articles) <= limits.sentences)
    page = [links.corpus == short.corpus, links.language == short.language, links.source_key == short.key]
    kept = run.table(LINKS, lambda: _drawn(links.semi_join(short, page), _LINK, limits.links, seed))
    wanted = kept.select("corpus", "language", key=_.source_key).distinct()
    of_links = articles.semi_join(wanted, ["corpus", "language", "key"])
    run.table(ARTICLES, lambda: of_links.order_by("corpus", "language", "key"))
    return [*tables, LINKS, ARTICLES]


def _sentences(table: ibis.Table) -> ibis.Value:
    """Return the number of sentences of each page."""
    return table.sections.map(lambda section: section["sentences"].length()).sums()


def _drawn(table: ibis.Table, key: tuple[str, ...], most: int, seed: int) -> ibis.Table:
    """Return at most so many rows of each language; a digest draws the same rows, whatever their order."""
    name = ibis.literal(f"{seed}")
    for column in key:
        name = name + "/" + table[column].cast("string")
    marked = table.mutate(draw=name.hexdigest("md5"))
    window = ibis.window(group_by="language", order_by=["draw", *key])
    numbered = marked.mutate(number=ibis.row_number().over(window))
    return numbered.filter(_.number < most).order_by("language", "number").drop("draw", "number")


def _card(dataset: TableFolder, limits: DataLimits, seed: int) -> str:
    """Return a card that says what was drawn, followed by the card of the full dataset."""
    counts = ", ".join(f"{most:,} {name}" for name, most in asdict(limits).items() if name != "sentences")
    drawn = (
        f"Drawn from the dataset below with the seed {seed}: pages of at most {limits.sentences} sentences, insertions "
        f"with a right place, of each language at most {counts}. The counts below are those of the full dataset.\n\n"
    )
    card = dataset.path / CARD
    return drawn + (card.read_text(encoding="utf-8") if card.is_file() else "")
