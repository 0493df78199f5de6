"""A small wiki of trees with a history: each page names the others, and links to one more of them each year."""

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from linkspot.corpora.corpus import CorpusSource
from linkspot.engines.engine import Engine
from linkspot.pipeline.dataset import DatasetSettings, dataset
from linkspot.pipeline.index import index
from linkspot.pipeline.insertions import insertions
from linkspot.pipeline.splits import SplitDates

Revisions = Sequence[tuple[str, str]]  # time and wikitext, the oldest first

NAMES = ("alder", "birch", "cedar", "elder", "hazel", "maple")
SPLIT = {"edits": SplitDates(datetime(2012, 1, 1, tzinfo=UTC), datetime(2013, 1, 1, tzinfo=UTC))}


def write_export(path: Path, pages: dict[str, Revisions], language: str = "en") -> Path:
    """Write an export with the history of each title."""
    number = 0
    parts = [f'<mediawiki xml:lang="{language}">']
    for page_id, (title, revisions) in enumerate(pages.items(), start=1):
        namespace = 2 if title.startswith("User:") else 0
        parts.append(f"<page><title>{escape(title)}</title><ns>{namespace}</ns><id>{page_id}</id>")
        for time, text in revisions:
            number += 1
            parts.append(
                f"<revision><id>{number}</id><timestamp>{time}</timestamp><text>{escape(text)}</text></revision>"
            )
        parts.append("</page>")
    path.write_text("".join([*parts, "</mediawiki>"]), encoding="utf-8")
    return path


def tree_folders(folder: Path, engine: Engine) -> list[Path]:
    """Make the index and the insertions of the wiki, in English and in Swahili."""
    wiki = {name.title(): _tree(name) for name in NAMES}
    sources = [CorpusSource(write_export(folder / f"{tag}.xml", wiki, tag)) for tag in ("en", "sw")]
    ids = "".join(f"{title}\tQ{number}\n" for number, title in enumerate(wiki, start=1))
    for tag in ("en", "sw"):
        (folder / f"{tag}-entities.tsv").write_text(f"title\tid\n{ids}", encoding="utf-8")
    index(sources, folder / "trees", engine, at=datetime(2011, 12, 31, tzinfo=UTC), licence="CC0")
    insertions(sources, folder / "edits", engine, licence="CC0")
    return [folder / "trees", folder / "edits"]


def tree_dataset(folder: Path, engine: Engine) -> Path:
    """Make the dataset of the wiki, in which insertions of 2011 train and those of 2012 validate."""
    return dataset(tree_folders(folder, engine), folder / "dataset", engine, DatasetSettings(SPLIT)).folder


def _tree(name: str) -> Revisions:
    others = [other for other in NAMES if other != name]
    texts = []
    for linked in range(len(others)):
        words = [f"[[{other}]]" if number <= linked else other for number, other in enumerate(others)]
        lead = " ".join(f"The {name} is kin of the {word} number {n}." for n, word in enumerate(words))
        texts.append(
            f"{lead}\n\n== Wood ==\nIts wood is hard. It burns slowly. Boats are made of it. It keeps for years."
        )
    return [(f"{2010 + number}-06-01T00:00:00Z", text) for number, text in enumerate(texts)]
