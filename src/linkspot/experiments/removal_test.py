"""The removal test: links that are taken out of encyclopedic pages, with their words or with their sentence."""

import tarfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from linkspot.corpora.corpus import CorpusSource, sources
from linkspot.engines.engine import Engine
from linkspot.errors import UnusableInput
from linkspot.evaluation.comparison_tables import slice_table
from linkspot.evaluation.figures import Figures
from linkspot.metrics.slices import MISSING, SLICES
from linkspot.pipeline.dataset import DatasetSettings, dataset
from linkspot.pipeline.removals import removals
from linkspot.pipeline.splits import TEST_ALONE
from linkspot.progress import Progress
from linkspot.reporting.report_table import ReportTable

_PAGES, _DATASET = "pages", "removal-dataset"
_UNPACKED = ".unpacked"  # in the folder of an archive's pages, once all of them are there


@dataclass(frozen=True, slots=True)
class Encyclopedia:
    """Pages without a history: the pattern of their dumps, or of an archive of their files."""

    name: str
    pattern: str
    licence: str
    language: str = ""


ENCYCLOPEDIAS = (
    Encyclopedia("schools-removal", "wikipedia/wikipedia-for-schools-*.tar.xz", "CC BY-SA, GFDL", "en"),
    Encyclopedia("wikipedia-removal", "wikipedia/??wiki-truncated-*.xml.xz", "CC BY-SA, GFDL"),
)


def dumps_of(encyclopedia: Encyclopedia, data: Path) -> list[Path]:
    """Return the files of an encyclopedia."""
    paths = sorted(data.glob(encyclopedia.pattern))
    if not paths:
        raise UnusableInput(f"{data} has no {encyclopedia.pattern}; name the folder of the wikis with --data")
    return paths


def removal_dataset(
    encyclopedias: Sequence[Encyclopedia], data: Path, out: Path, engine: Engine, progress: Progress
) -> Path:
    """Take links out of the pages that test, and return a dataset that asks for their places."""
    folders = []
    for encyclopedia in encyclopedias:
        progress.part(f"links taken out of {encyclopedia.name.removesuffix('-removal')}")
        folder = out / encyclopedia.name
        removals(_sources(encyclopedia, data, out), folder, engine, licence=encyclopedia.licence, progress=progress)
        folders.append(folder)
    splits = {encyclopedia.name: TEST_ALONE for encyclopedia in encyclopedias}
    dataset(folders, out / _DATASET, engine, DatasetSettings(splits), progress)
    return out / _DATASET


def removal_table(figures: Figures) -> ReportTable:
    """Return every metric where words, a sentence or a span were taken out, macro over languages."""
    parts = [part for part in SLICES if set(part.scenarios) <= set(MISSING)]
    return replace(
        slice_table(figures, parts),
        name="removal",
        title="Links taken out of encyclopedic pages, with their words or with their sentence",
    )


def _sources(encyclopedia: Encyclopedia, data: Path, out: Path) -> list[CorpusSource]:
    paths = dumps_of(encyclopedia, data)
    if tarfile.is_tarfile(paths[0]):
        paths = [_unpacked(path, out / _PAGES / encyclopedia.name) for path in paths]
    return [source for path in paths for source in sources(path, language=encyclopedia.language)]


def _unpacked(archive: Path, folder: Path) -> Path:
    """Unpack an archive of pages, unless an earlier run did."""
    if not (folder / _UNPACKED).exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        (folder / _UNPACKED).touch()
    return folder
