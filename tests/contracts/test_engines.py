"""What holds for every engine: the whole pipeline gives the same tables, row by row."""

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest
from tests.small_spark import SMALL_SPARK
from tests.sql_dumps import write_langlinks, write_page_props

from linkspot.corpora.corpus import CorpusSource
from linkspot.engines.engine import ENGINES, Engine, EngineSettings, open_engine
from linkspot.engines.spark import SparkEngine
from linkspot.errors import UnusableInput
from linkspot.insertions.rules import PAPER
from linkspot.insertions.snapshot_links import SnapshotTimes
from linkspot.pipeline.dataset import DatasetSettings, dataset
from linkspot.pipeline.index import index
from linkspot.pipeline.insertions import insertions
from linkspot.pipeline.splits import SplitDates

PAGES = 24
Tables = dict[str, list[dict[str, Any]]]


def _history(number: int, draw: random.Random) -> list[str]:
    """Versions of a page: links appear in words, in new sentences and in a new section; some go again."""
    others = draw.sample([n for n in range(PAGES) if n != number], 6)
    sentences = [f"Station {number} lies near place {n} and has {n + 2} tracks." for n in others]
    versions = [list(sentences)]
    for step, other in enumerate(others[:4]):
        text = list(versions[-1])
        if step == 0:
            text[1] = text[1].replace("tracks", f"[[station {other}|tracks]]")
        elif step == 1:
            text.insert(3, f"Its trains go to [[Station {other}]] in {number + 3} minutes.")
        elif step == 2:
            text[0] = text[0].replace("lies", f"lies behind [[stop {other}]] and")
        else:
            text.append(f"\n== History ==\nIt was built with [[Station {other}]].")
        versions.append(text)
    return ["\n".join([f"[[Station {(number + 7) % PAGES}]] is next to it.", " ".join(v)]) for v in versions]


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> list[CorpusSource]:
    folder = tmp_path_factory.mktemp("corpora")
    draw = random.Random(3)
    sources = []
    for language in ("en", "sw"):
        parts = [f'<mediawiki xml:lang="{language}">']
        for number in range(PAGES):
            redirect = [f"#REDIRECT [[Station {number}]]"]
            stop = (f"Stop {number}", PAGES + number, redirect)
            for title, page_id, texts in ((f"Station {number}", number, _history(number, draw)), stop):
                parts.append(f"<page><title>{title}</title><ns>0</ns><id>{page_id}</id>")
                parts += [
                    f"<revision><id>{number}{step}</id>"
                    f"<timestamp>20{10 + step}-0{1 + number % 9}-01T00:00:00Z</timestamp>"
                    f"<text>{text}</text></revision>"
                    for step, text in enumerate(texts)
                ]
                parts.append("</page>")
        path = folder / f"{language}.xml"
        path.write_text("".join([*parts, "</mediawiki>"]), encoding="utf-8")
        sources.append(CorpusSource(path))
    write_page_props(folder / "en-page_props.sql.gz", {number: f"Q{number}" for number in range(PAGES)})
    names = [f"{'Stop' if number % 7 == 0 else 'Station'} {number}" for number in range(PAGES)]
    write_langlinks(folder / "sw-langlinks.sql.gz", [(number, "en", name) for number, name in enumerate(names[:20])])
    return sources


def _pipeline(engine: Engine, corpora: list[CorpusSource], out: Path, with_snapshots: bool = True) -> dict[str, Tables]:
    day = datetime(2012, 12, 31, tzinfo=UTC)
    splits = {"insertions": SplitDates(day, day.replace(year=2013))}
    index(corpora, out / "index", engine)
    insertions(corpora, out / "insertions", engine)
    if with_snapshots:
        insertions(corpora, out / "added", engine, PAPER, SnapshotTimes(day.replace(year=2009), day.replace(year=2014)))
        snapshots = out / "index", out / "index"  # between the same snapshot twice nothing was added
        insertions(corpora, out / "nothing", engine, PAPER, snapshots)
    dataset(
        [out / "index", out / "insertions"], out / "dataset", engine, DatasetSettings(splits, links_per_language=50)
    )
    names = ("index", "insertions", "dataset", *(("added", "nothing") if with_snapshots else ()))
    return {name: _tables(out / name) for name in names}


def _tables(folder: Path) -> Tables:
    found = {path.parent for path in folder.rglob("*.parquet")}
    return {
        str(table.relative_to(folder)): sorted(ds.dataset(table, format="parquet").to_table().to_pylist(), key=repr)
        for table in sorted(found)
    }


@pytest.fixture(scope="module")
def expected(corpora: list[CorpusSource], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Tables]:
    engine = open_engine("local", EngineSettings(jobs=1))
    try:
        return _pipeline(engine, corpora, tmp_path_factory.mktemp("expected"))
    finally:
        engine.close()


def test_the_fixtures_have_something_of_everything(expected: dict[str, Tables]) -> None:
    assert {name: sorted(tables) for name, tables in expected.items()} == {
        "index": ["articles", "entities", "link_samples", "links", "mentions", "redirects"],
        "insertions": ["insertions"],
        "dataset": [
            "articles/train",
            "existing_links/train",
            "insertions/test",
            "insertions/train",
            "insertions/validation",
        ],
        "added": ["insertions"],
        "nothing": ["insertions"],
    }
    assert expected["added"]["insertions"]
    assert not expected["nothing"]["insertions"]
    scenarios = {row["scenario"] for row in expected["insertions"]["insertions"]}
    assert scenarios == {"text_present", "missing_sentence", "missing_mention", "missing_section"}
    assert any(row["mentions"] for row in expected["insertions"]["insertions"])
    assert any(row["precedents"] for row in expected["insertions"]["insertions"])


# Spark's bridge to Java leaves its sockets to the garbage collector.
SOCKETS = [
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
SPARK = pytest.param("spark", marks=SOCKETS)
SPARK_WITH_SNAPSHOTS = pytest.param("spark, with snapshots", marks=[*SOCKETS, pytest.mark.slow])


@pytest.fixture(params=["local, 2 processes", SPARK, SPARK_WITH_SNAPSHOTS])
def engine(request: pytest.FixtureRequest, needs: Callable[[str], None]) -> Iterator[Engine]:
    name, _, _ = request.param.partition(",")
    if name == "spark":
        needs("java")
    opened = open_engine(name, EngineSettings(jobs=2, spark=SMALL_SPARK))
    yield opened
    opened.close()


def test_every_engine_gives_the_same_tables(
    engine: Engine,
    corpora: list[CorpusSource],
    tmp_path: Path,
    expected: dict[str, Tables],
    request: pytest.FixtureRequest,
) -> None:
    with_snapshots = request.node.callspec.params["engine"] != "spark"
    found = _pipeline(engine, corpora, tmp_path, with_snapshots)
    assert found.keys() == (expected.keys() if with_snapshots else {"index", "insertions", "dataset"})
    for stage in found:
        tables = expected[stage]
        assert sorted(found[stage]) == sorted(tables)
        for name, rows in tables.items():
            assert found[stage][name] == rows, f"{stage}: {name}"
    if isinstance(engine, SparkEngine):
        _check_where_temporary_files_are(engine)


def _check_where_temporary_files_are(engine: SparkEngine) -> None:
    """Spark's temporary files are in a scratch folder, which goes with the process."""
    context = engine._session.sparkContext
    folder = Path(context._jvm.System.getProperty("java.io.tmpdir"))
    assert folder.name.startswith("linkspot-scratch-")
    assert context.getConf().get("spark.local.dir") == str(folder)
    names = {path.name.partition("-")[0] for path in folder.iterdir()}
    assert {"blockmgr", "spark"} <= names


def test_an_unknown_engine_is_told_in_one_line() -> None:
    with pytest.raises(UnusableInput, match="no engine is called 'slurm'; there are: local, spark"):
        open_engine("slurm", EngineSettings())
    assert set(ENGINES) == {"local", "spark"}
