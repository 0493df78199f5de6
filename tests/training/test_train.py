import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
import torch
from safetensors.torch import load_file
from tests.progress_notes import ProgressNotes
from tests.tiny_encoders import LAYERS, tiny_encoder

import linkspot
from linkspot.corpora.corpus import CorpusSource
from linkspot.encoders.pretrained import save_pretrained
from linkspot.engines.engine import EngineSettings, open_engine
from linkspot.errors import UnusableInput
from linkspot.examples.dataset_reader import ExistingLinks, Insertions
from linkspot.examples.even_draw import Portion
from linkspot.metrics.metrics import RightRanks, hits_at
from linkspot.model.config import ModelKind
from linkspot.model.inputs import Form, TokenBudget
from linkspot.pipeline.dataset import DatasetSettings, dataset
from linkspot.pipeline.insertions import insertions
from linkspot.pipeline.splits import SplitDates
from linkspot.records import Entity, Markup, Page
from linkspot.training.head import HeadSettings
from linkspot.training.head_problems import problems_of_links, problems_to_learn
from linkspot.training.logs import Report, StepReport, ValidationReport
from linkspot.training.losses import LossName
from linkspot.training.recipe import Kept, Recipe, ValidationSettings
from linkspot.training.stages import RemovalScope, Stage, TrainingExamples
from linkspot.training.train import train
from linkspot.training.trainer import TrainerSettings

Make = Callable[..., Recipe]
KINDS = [ModelKind.WINDOW, ModelKind.TRIPLE, ModelKind.ARTICLE, ModelKind.DUAL]
PAGE = Page("Oak", "The oak is kin of the birch. It grows slowly. The maple is another tree.", Markup.MARKDOWN, "en")


class Notes:
    """Keeps all reports."""

    def __init__(self) -> None:
        self.reports: list[Report] = []

    def write(self, report: Report) -> None:
        self.reports.append(report)


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return {**load_file(folder / "model.safetensors"), **load_file(folder / "heads.safetensors")}


def same(first: Path, second: Path) -> bool:
    one, other = weights(first), weights(second)
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("kind", KINDS)
def test_a_trained_model_ranks_and_tells_what_it_is(tmp_path: Path, recipe: Make, kind: ModelKind) -> None:
    notes = Notes()
    out = tmp_path / "model"
    figures = train(recipe(kind), TrainerSettings(out), logs=[notes])
    assert figures is not None
    assert figures.queries == 6
    assert not (out / ".training").exists()
    ranker = linkspot.load(out)
    article = linkspot.parse(PAGE)
    scores = ranker.score(Entity("Birch", "A tree.", ("birch",)), article).places
    assert len(scores) == 3
    assert len(set(scores)) == 3
    card = (out / "README.md").read_text(encoding="utf-8")
    assert f"MRR {figures.mrr:.3f}" in card
    assert '"epochs": 1' in card
    assert "- edits (en.xml and 1 more): CC0" in card
    about = "A tiny one, licence CC0. For this model it was trained further: see the stages of the recipe below."
    assert f"## Encoder\n\n{about}\n\n## Data" in card
    steps = [report for report in notes.reports if isinstance(report, StepReport)]
    assert [(report.stage, report.step, report.steps) for report in steps] == [
        ("warm start", 1, 2),
        ("warm start", 2, 2),
        ("expansion", 1, 2),
        ("expansion", 2, 2),
    ]
    assert sum(isinstance(report, ValidationReport) for report in notes.reports) == 2
    lines = [json.loads(line) for line in (out / "training.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["kind"] for line in lines] == ["step", "step", "validation"] * 2


@pytest.mark.parametrize("keep", list(Kept))
def test_the_best_state_is_kept_or_the_last_as_a_recipe_says(tmp_path: Path, recipe: Make, keep: Kept) -> None:
    notes = Notes()
    made = recipe(ModelKind.ARTICLE, validation=ValidationSettings(every=1, examples=6, keep=keep))
    wild = tuple(replace(stage, encoder_rate=0.05, head_rate=0.05, batch=1) for stage in made.stage)
    figures = train(replace(made, stage=wild), TrainerSettings(tmp_path / "model"), logs=[notes])
    reached = [report.mrr for report in notes.reports if isinstance(report, ValidationReport)]
    assert reached[-1] < max(reached)
    assert figures is not None
    assert figures.mrr == (max(reached) if keep is Kept.BEST else reached[-1])
    assert f"The {'best' if keep is Kept.BEST else 'last'} state" in (tmp_path / "model" / "README.md").read_text()


def test_a_dual_model_that_keeps_its_last_state_is_tried_as_a_whole_alone(tmp_path: Path, recipe: Make) -> None:
    notes = Notes()
    made = recipe(ModelKind.DUAL, validation=ValidationSettings(examples=6, keep=Kept.LAST))
    figures = train(made, TrainerSettings(tmp_path / "model"), logs=[notes])
    assert not any(isinstance(report, ValidationReport) for report in notes.reports)
    assert figures is not None
    assert figures.queries == 6
    assert not torch.equal(
        load_file(tmp_path / "model" / "model.safetensors")["encoder.layer.1.output.dense.weight"],
        load_file(Path(made.encoder) / "model.safetensors")["encoder.layer.1.output.dense.weight"],
    )  # what the stages learned is kept


def test_transformers_reads_the_encoder_of_a_model(tmp_path: Path, recipe: Make) -> None:
    from transformers import AutoModel, AutoTokenizer

    train(recipe(ModelKind.ARTICLE), TrainerSettings(tmp_path / "model"))
    tokens = AutoTokenizer.from_pretrained(tmp_path / "model")("The old mill", return_tensors="pt")
    assert AutoModel.from_pretrained(tmp_path / "model")(**tokens).last_hidden_state.shape[-1] == 32


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_learns_what_it_is_shown(tmp_path: Path, recipe: Make, kind: ModelKind) -> None:
    notes = Notes()
    rates = {"encoder_rate": 3e-3, "head_rate": 3e-3, "warm_up": 0.05}
    stage = Stage("all", TrainingExamples.INSERTIONS, 30, 4, batch=4, negatives=3, **rates)
    seldom = ValidationSettings(every=100, examples=1)
    train(recipe(kind, stage=(stage,), validation=seldom), TrainerSettings(tmp_path / "model"), logs=[notes])
    losses = [report.loss for report in notes.reports if isinstance(report, StepReport)]
    assert sum(losses[-3:]) < 0.5 * sum(losses[:3])


@pytest.mark.parametrize("removal", list(RemovalScope))
@pytest.mark.parametrize("loss", list(LossName))
def test_every_removal_and_loss_trains(tmp_path: Path, recipe: Make, removal: RemovalScope, loss: LossName) -> None:
    stage = Stage("one", TrainingExamples.EXISTING_LINKS, 1, 4, removal=removal, loss=loss, negatives=3)
    kind = ModelKind.ARTICLE if removal is RemovalScope.SOME else ModelKind.WINDOW
    train(
        recipe(kind, stage=(stage,), form=Form(knowledge=False)),
        TrainerSettings(tmp_path / "model"),
    )
    assert linkspot.load(tmp_path / "model")


def test_a_dual_model_needs_no_stage(tmp_path: Path, recipe: Make) -> None:
    notes = ProgressNotes()
    plan = recipe(ModelKind.DUAL, stage=(), head_links=4, head=HeadSettings(networks=1, epochs=3))
    figures = train(plan, TrainerSettings(tmp_path / "model"), notes)
    assert figures is not None
    assert figures.queries == 6
    assert "A tiny one, licence CC0.\n" in (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    assert notes.finished == ["directions of vectors", "vectors of training", "vectors of validation", "head"]


def test_a_head_learns_from_as_many_existing_links_of_each_wiki(recipe: Make) -> None:
    plan = recipe(ModelKind.DUAL, stage=(), head_links=3)
    links = [one for one in problems_of_links(plan) if not one.is_negative_target]
    assert Counter(one.example.article.language for one in links) == {"en": 3, "sw": 3}
    assert all(one.example.gold for one in links)
    assert problems_to_learn(plan)[: len(links)] == links
    assert problems_of_links(replace(plan, head_links=0)) == []


def test_a_head_can_learn_from_the_vectors_that_an_export_makes(tmp_path: Path, recipe: Make) -> None:
    plan = recipe(ModelKind.DUAL, stage=(), head_int8=True, head=HeadSettings(networks=1, epochs=3))
    figures = train(plan, TrainerSettings(tmp_path / "model"))
    assert figures is not None
    assert weights(tmp_path / "model").keys() > {"place.0.weight", "nowhere.0.weight"}
    assert not (tmp_path / "model" / ".training").exists()
    other = recipe(ModelKind.DUAL, stage=(), head=HeadSettings(networks=1, epochs=3))
    train(other, TrainerSettings(tmp_path / "other"))
    assert not same(tmp_path / "model", tmp_path / "other")  # 8 bits round


def test_the_same_recipe_gives_the_same_weights_and_another_seed_others(tmp_path: Path, recipe: Make) -> None:
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        train(recipe(ModelKind.ARTICLE, seed=seed), TrainerSettings(tmp_path / name))
    assert same(tmp_path / "a", tmp_path / "b")
    assert not same(tmp_path / "a", tmp_path / "c")


def test_what_is_frozen_stays_as_it_was(tmp_path: Path, recipe: Make, encoder: Path) -> None:
    stage = Stage("one", TrainingExamples.INSERTIONS, 1, 4, frozen_embeddings=True, frozen_layers=1, encoder_rate=1e-2)
    train(recipe(ModelKind.WINDOW, stage=(stage,)), TrainerSettings(tmp_path / "model"))
    before, after = load_file(encoder / "model.safetensors"), load_file(tmp_path / "model" / "model.safetensors")
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    assert changed
    assert all("layer.1." in name for name in changed)  # what lies below a frozen layer does not learn either


def test_what_is_frozen_drops_nothing(tmp_path: Path, recipe: Make) -> None:
    stage = Stage("one", TrainingExamples.INSERTIONS, 1, 4, batch=2, frozen_layers=LAYERS)
    losses = []
    for dropout in (0.0, 0.5):
        notes = Notes()
        encoder = tiny_encoder(tmp_path / f"encoder {dropout}", dropout=dropout)
        made = recipe(ModelKind.WINDOW, stage=(stage,), encoder=str(encoder))
        train(made, TrainerSettings(tmp_path / f"model {dropout}"), logs=[notes])
        losses.append([report.loss for report in notes.reports if isinstance(report, StepReport)])
    assert losses[0] == losses[1] != []


def test_a_stage_can_draw_as_many_of_each_language(tmp_path: Path, recipe: Make) -> None:
    notes = Notes()
    stage = Stage("one", TrainingExamples.INSERTIONS, 1, batch=1, per_language=2)
    train(recipe(ModelKind.ARTICLE, stage=(stage,)), TrainerSettings(tmp_path / "model"), logs=[notes])
    assert {r.steps for r in notes.reports if isinstance(r, StepReport)} == {2 * 2}  # in English and in Swahili


@pytest.mark.parametrize("examples", list(TrainingExamples))
def test_a_stage_can_draw_a_portion_of_some_corpora(
    examples: TrainingExamples, tmp_path: Path, recipe: Make, trees: Path
) -> None:
    is_link = examples is TrainingExamples.EXISTING_LINKS
    wikis = (ExistingLinks(trees) if is_link else Insertions(trees, "train")).wikis()
    notes = Notes()
    stage = Stage("one", examples, 1, batch=1, portion=(Portion(tuple({corpus for corpus, _ in wikis}), 3),))
    train(recipe(ModelKind.ARTICLE, stage=(stage,)), TrainerSettings(tmp_path / "model"), logs=[notes])
    assert {r.steps for r in notes.reports if isinstance(r, StepReport)} == {3}


def test_frozen_embeddings_leave_positions_to_learn(tmp_path: Path, recipe: Make, encoder: Path) -> None:
    stage = Stage("one", TrainingExamples.INSERTIONS, 1, 4, frozen_embeddings=True, encoder_rate=1e-2)
    train(recipe(ModelKind.WINDOW, stage=(stage,)), TrainerSettings(tmp_path / "model"))
    before, after = load_file(encoder / "model.safetensors"), load_file(tmp_path / "model" / "model.safetensors")
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    assert not any("word_embeddings" in name for name in changed)
    assert any("position_embeddings" in name for name in changed)


def test_a_killed_run_goes_on_bit_for_bit(tmp_path: Path, recipe: Make) -> None:
    stage = Stage("one", TrainingExamples.INSERTIONS, 2, 8, batch=2, at_once=1, encoder_rate=1e-3)
    plan = recipe(ModelKind.ARTICLE, stage=(stage, replace(stage, name="two", epochs=1)))
    path = tmp_path / "recipe.toml"
    path.write_text(_toml(plan), encoding="utf-8")
    command = [sys.executable, "-m", "linkspot.cli", "train", path, "--save-every", "0", "--out"]
    # Processes of their own: what another test did to torch's threads would change the last digits.
    subprocess.run([*command, tmp_path / "whole"], check=True, capture_output=True)
    command.append(tmp_path / "killed")
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    log = tmp_path / "killed" / "training.jsonl"
    while running.poll() is None and not (log.exists() and len(log.read_text(encoding="utf-8").splitlines()) > 2):
        time.sleep(0.01)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert not (tmp_path / "killed" / "linkspot.json").exists()
    with pytest.raises(UnusableInput, match="--resume"):
        train(plan, TrainerSettings(tmp_path / "killed"))
    with pytest.raises(UnusableInput, match=r"another recipe \(seed differ\)"):
        train(replace(plan, seed=5), TrainerSettings(tmp_path / "killed", resume=True))
    subprocess.run([*command, "--resume"], check=True, capture_output=True)
    assert same(tmp_path / "whole", tmp_path / "killed")
    steps = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    numbers = [(line["stage"], line["step"]) for line in steps if line["kind"] == "step"]
    assert numbers == [("one", step + 1) for step in range(8)] + [("two", step + 1) for step in range(4)]


def test_two_processes_learn_what_one_does(tmp_path: Path, recipe: Make) -> None:
    still = tiny_encoder(tmp_path / "still", dropout=0.0)
    stage = Stage("one", TrainingExamples.INSERTIONS, 1, 8, batch=4, at_once=1)
    plan = recipe(ModelKind.ARTICLE, encoder=str(still), stage=(stage,))
    path = tmp_path / "recipe.toml"
    path.write_text(_toml(plan), encoding="utf-8")
    launch = [
        Path(sys.executable).parent / "accelerate",
        "launch",
        "--cpu",
        "--num_processes",
        "2",
        "--num_machines",
        "1",
    ]
    both = [
        *launch,
        "--num_machines",
        "1",
        "--mixed_precision",
        "no",
        "--dynamo_backend",
        "no",
        "-m",
        "linkspot.training",
        path,
        "--out",
        tmp_path / "two",
    ]
    train(plan, TrainerSettings(tmp_path / "one"))
    subprocess.run(both, check=True, capture_output=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    losses = []
    for name in ("one", "two"):
        lines = (tmp_path / name / "training.jsonl").read_text(encoding="utf-8").splitlines()
        losses.append([line["loss"] for line in map(json.loads, lines) if line["kind"] == "step"])
    assert losses[1] == pytest.approx(losses[0], rel=1e-4)
    one, two = weights(tmp_path / "one"), weights(tmp_path / "two")
    for name in one:
        torch.testing.assert_close(one[name], two[name], rtol=1e-3, atol=1e-5)


def test_a_folder_that_is_in_use_is_left_alone(tmp_path: Path, recipe: Make) -> None:
    plan = recipe(ModelKind.WINDOW)
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(UnusableInput, match="not empty"):
        train(plan, TrainerSettings(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"dataset": "nowhere"}, "nowhere holds no tables"),
        ({"encoder": "nowhere/at-all"}, "nowhere/at-all"),
        ({"languages": ("xx",)}, "has nothing to learn from"),
    ],
)
def test_a_start_that_is_not_there_is_named(
    tmp_path: Path, recipe: Make, changes: dict[str, object], complaint: str
) -> None:
    with pytest.raises(UnusableInput, match=complaint):
        train(replace(recipe(ModelKind.WINDOW), **changes), TrainerSettings(tmp_path / "model"))
    assert not (tmp_path / "model" / "linkspot.json").exists()


def _toml(plan: Recipe) -> str:
    """Write a recipe as TOML; JSON's texts, numbers and lists of texts are TOML too."""
    told = plan.plan()
    tables = {name: told.pop(name) for name, value in plan.plan().items() if isinstance(value, dict)}
    stages = told.pop("stage")
    lines = [f"{key} = {json.dumps(value)}" for key, value in told.items()]
    for name, table in [*tables.items(), *(("[stage]", stage) for stage in stages)]:
        lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


LANGUAGES = ("de", "it", "pl")
EXAMPLES = 10


@pytest.fixture(scope="module")
def edits(tmp_path_factory: pytest.TempPathFactory, shared_data: Path) -> Path:
    """A dataset of ten real insertions into short pages, in several languages."""
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


@pytest.mark.slow
@pytest.mark.shared_data
def test_an_article_model_learns_ten_real_edits_by_heart(tmp_path: Path, edits: Path) -> None:
    examples = [one.example for one in Insertions(edits, "train")]
    assert len(examples) == EXAMPLES
    save_pretrained("e5-small-multilingual", tmp_path / "e5")
    stage = Stage(
        "by heart",
        TrainingExamples.INSERTIONS,
        epochs=7,
        encoder_rate=3e-4,
        head_rate=1e-3,
        batch=2,
        frozen_embeddings=True,
        frozen_layers=8,
    )
    budget = TokenBudget(mentions=16, lead=32, section=8, sentence=32, overlap=0)
    encoder = str(tmp_path / "e5")
    recipe = Recipe(ModelKind.ARTICLE, encoder, str(edits), (stage,), inputs=budget, attention_dropout=False)
    train(recipe, TrainerSettings(tmp_path / "model"))
    ranker = linkspot.load(tmp_path / "model")
    ranks = RightRanks.of((ranker.score(one.entity, one.article).places, one.gold) for one in examples)
    assert hits_at(ranks, 1).sum() >= 0.9 * EXAMPLES
