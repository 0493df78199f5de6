"""Real multilingual weights and real edits: the whole way from histories to a model that has learned them."""

from datetime import UTC, datetime
from pathlib import Path

import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import linkspot
from linkspot.corpora.corpus import CorpusSource
from linkspot.engines.engine import EngineSettings, open_engine
from linkspot.evaluation.metrics import RightRanks, hits_at
from linkspot.examples.builder import Insertions
from linkspot.model.config import ModelKind
from linkspot.model.inputs import Budget
from linkspot.model.pretrained import save_pretrained
from linkspot.pipeline.dataset import DatasetSettings, SplitDates, dataset
from linkspot.pipeline.insertions import insertions
from linkspot.training.recipe import Recipe
from linkspot.training.run import RunSettings
from linkspot.training.stages import Material, Stage
from linkspot.training.train import train

LANGUAGES = ("ru", "es", "de")
EXAMPLES = 20


@pytest.fixture(scope="module")
def edits(tmp_path_factory: pytest.TempPathFactory, shared_data: Path) -> Path:
    """A dataset of twenty real insertions into short pages, in several languages."""
    folder = tmp_path_factory.mktemp("edits")
    never = datetime(2100, 1, 1, tzinfo=UTC)  # so that all train
    engine = open_engine("local", EngineSettings(jobs=2))
    try:
        histories = [shared_data / "openttd" / f"openttd-{tag}-pages-meta-history.xml.xz" for tag in LANGUAGES]
        insertions([CorpusSource(path) for path in histories], folder / "edits", engine)
        dataset([folder / "edits"], folder / "dataset", engine, DatasetSettings({"edits": SplitDates(never, never)}))
    finally:
        engine.close()
    _keep_shortest_pages(folder / "dataset" / "insertions" / "train")
    return folder / "dataset"


def _keep_shortest_pages(folder: Path) -> None:
    table = ds.dataset(folder, format="parquet").to_table()
    sizes = [sum(len(section["sentences"]) for section in sections) for sections in table["sections"].to_pylist()]
    has_gold = [bool(gold) for gold in table["gold"].to_pylist()]
    kept = sorted((n for n, size in enumerate(sizes) if size > 3 and has_gold[n]), key=sizes.__getitem__)
    for path in folder.rglob("*.parquet"):
        path.unlink()
    pq.write_table(table.take(kept[:EXAMPLES]), folder / "0.parquet")


@pytest.mark.shared_data
def test_an_article_model_learns_twenty_real_edits_by_heart(tmp_path: Path, edits: Path) -> None:
    examples = [one.example for one in Insertions(edits, "train")]
    assert len(examples) == EXAMPLES
    save_pretrained("e5-small-multilingual", tmp_path / "e5")
    stage = Stage(
        "by heart",
        Material.INSERTIONS,
        epochs=7,
        encoder_rate=3e-4,
        head_rate=1e-3,
        batch=2,
        frozen_embeddings=True,
        frozen_layers=8,
    )
    budget = Budget(mentions=16, lead=32, section=8, sentence=32, overlap=0)
    encoder = str(tmp_path / "e5")
    recipe = Recipe(ModelKind.ARTICLE, encoder, str(edits), (stage,), inputs=budget, attention_dropout=False)
    train(recipe, RunSettings(tmp_path / "model"))
    ranker = linkspot.load(tmp_path / "model")
    ranks = RightRanks.of((ranker.score(one.entity, one.article), one.gold) for one in examples)
    assert hits_at(ranks, 1).sum() >= 0.9 * EXAMPLES
