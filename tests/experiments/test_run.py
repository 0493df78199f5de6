import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.progress_notes import ProgressNotes
from tests.tiny_encoders import tiny_encoder
from tests.tree_wiki import SPLIT, tree_folders

from linkspot.engines.engine import Engine, EngineSettings, open_engine
from linkspot.errors import UnusableInput
from linkspot.evaluation.figures import Figures, Metric
from linkspot.evaluation.stored import Evaluation
from linkspot.examples.dataset_reader import ExistingLinks, Insertions
from linkspot.experiments.report import ExperimentReport
from linkspot.experiments.run import ExperimentSettings, run_experiment
from linkspot.metrics.slices import OVERALL
from linkspot.pipeline.dataset import DatasetSettings, dataset
from linkspot.reporting.cells import metric as written

_PROGRAM = """
import sys
from pathlib import Path
from linkspot.cli.experimenting import experiment
experiment("stages", dataset=Path(sys.argv[1]), encoder=[sys.argv[2]], out=Path(sys.argv[3]))
"""


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    opened = open_engine("local", EngineSettings(1))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory, engine: Engine) -> list[Path]:
    return tree_folders(tmp_path_factory.mktemp("trees"), engine)


@pytest.fixture(scope="module")
def trees(folders: list[Path], engine: Engine) -> Path:
    return dataset(folders, folders[0].parent / "dataset", engine, DatasetSettings(SPLIT)).folder


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(scope="module")
def settings(trees: Path, encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> ExperimentSettings:
    out = tmp_path_factory.mktemp("experiments") / "stages"
    return ExperimentSettings("stages", trees, out, encoders=(str(encoder),))


@pytest.fixture(scope="module")
def report(settings: ExperimentSettings, engine: Engine) -> ExperimentReport:
    """A whole experiment: trained, ranked, reported."""
    notes = ProgressNotes()
    made = ExperimentReport(run_experiment(settings, engine, notes), "linkspot experiment stages")
    assert notes.parts == [
        "encoders",
        "1 of 5: Random",
        "2 of 5: BM25",
        "3 of 5: stage 1 only",
        "4 of 5: stage 2 only",
        "5 of 5: both stages",
    ]
    assert {"warm start", "expansion"} < set(notes.finished)
    made.write()
    return made


def scores(folder: Path) -> dict[str, np.ndarray]:
    return {label: ranking.scores.values for label, ranking in Evaluation.open(folder).rankings.items()}


def test_the_report_has_the_figures_of_the_stored_rankings(report: ExperimentReport) -> None:
    figures = Figures.of(Evaluation.open(report.done.rankings))
    page = (report.done.folder.path / "report" / "report.html").read_text(encoding="utf-8")
    markdown = (report.done.folder.path / "report" / "report.md").read_text(encoding="utf-8")
    latex = (report.done.folder.path / "report" / "main.tex").read_text(encoding="utf-8")
    assert figures.rankers == ("Random", "BM25", "stage 1 only", "stage 2 only", "both stages")
    for ranker in figures.rankers:
        found = figures.figure(ranker, Metric.MRR, OVERALL)
        assert found is not None
        (row,) = [line for line in markdown.splitlines() if line.startswith(f"| {ranker} ") and "±" in line][:1]
        for text in (page, row, latex):
            assert written(found.value) in text


def test_the_page_needs_nothing_but_itself(report: ExperimentReport) -> None:
    page = (report.done.folder.path / "report" / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2  # by Hits@1 and by MRR; one language, so that there is no plot of languages
    assert " src=" not in page
    assert "<link" not in page
    assert "<script" not in page
    assert "linkspot experiment stages" in page
    assert "A small run: 12 queries" in page
    assert "torch" in page
    assert "All variants are article models" in page
    assert "The paper&#x27;s own table" in page or "The paper's own table" in page
    assert "Warm start + Expansion" in page
    assert "worse than the variant before" in page
    plots = {path.name for path in (report.done.folder.path / "report").iterdir() if path.suffix == ".png"}
    assert plots == {"main.png", "main-mrr.png"}
    for name in ("stage 1 only", "warm start: ", "article, listwise, 384 tokens", "both stages"):
        assert name in page


def test_a_second_run_does_nothing(report: ExperimentReport, settings: ExperimentSettings, engine: Engine) -> None:
    notes, kept = ProgressNotes(), ("models", "rankings", "dataset")
    files = [path for name in kept for path in sorted((settings.out / name).rglob("*.parquet"))]
    files += sorted((settings.out / "models").rglob("*.safetensors"))
    assert files
    before = {path: path.stat().st_mtime_ns for path in files}
    page = (settings.out / "report" / "report.html").read_text(encoding="utf-8")
    again = ExperimentReport(run_experiment(settings, engine, notes), report.command)
    assert not notes.finished
    assert {path: path.stat().st_mtime_ns for path in files} == before
    assert again.write().read_text(encoding="utf-8") == page


@pytest.mark.usefixtures("report")
def test_another_plan_in_the_same_folder_is_refused(settings: ExperimentSettings, engine: Engine) -> None:
    for changed in (replace(settings, seed=1), replace(settings, name="loss"), replace(settings, budget="paper")):
        with pytest.raises(UnusableInput, match="made in another way"):
            run_experiment(changed, engine, ProgressNotes())


@pytest.mark.usefixtures("report")
def test_a_run_that_was_killed_continues_to_the_same_rankings(
    settings: ExperimentSettings, engine: Engine, tmp_path: Path
) -> None:
    out = tmp_path / "killed"
    arguments = [str(settings.dataset), settings.encoders[0], str(out)]
    running = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    second = out / "models" / "stage-2-only"
    while running.poll() is None and not second.exists():
        time.sleep(0.01)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    first = out / "models" / "stage-1-only" / "model.safetensors"
    trained = first.stat().st_mtime_ns
    run_experiment(replace(settings, out=out), engine, ProgressNotes())
    assert first.stat().st_mtime_ns == trained
    whole, killed = scores(settings.out / "rankings"), scores(out / "rankings")
    assert list(whole) == list(killed)
    for label in whole:
        np.testing.assert_allclose(killed[label], whole[label], rtol=1e-4, atol=1e-5)


def test_models_for_each_language_rank_their_own_language(
    settings: ExperimentSettings, engine: Engine, tmp_path: Path
) -> None:
    out = tmp_path / "mono"
    plan = replace(settings, name="monolingual-vs-multilingual", out=out, rankers={"mine": "string-match"})
    report = ExperimentReport(run_experiment(plan, engine, ProgressNotes()), "linkspot")
    each, together = "a model for each language", "one model for all"
    assert {folder.name for folder in (out / "models").iterdir()} == {
        "a-model-for-each-language-en",
        "a-model-for-each-language-sw",
        "one-model-for-all",
    }
    assert report.figures.rankers == ("Random", "String Match", "BM25", each, together, "mine")
    found = Evaluation.open(out / "rankings")
    for language in ("en", "sw"):
        alone = scores(out / "rankings-by-language" / language)[each]
        lists = np.split(found.rankings[each].scores.values, found.rankings[each].scores.starts[1:-1])
        mine = [one for one, code in zip(lists, found.language, strict=True) if found.languages[code] == language]
        np.testing.assert_array_equal(np.concatenate(mine), alone)
    page = report.write().read_text(encoding="utf-8")
    assert "the paper, on other data" in page
    assert "What differs in the data. The paper: macro over 20 Wikipedias" in page
    assert "of dataset. Compare the order of methods" in page
    assert page.count("<svg") == 4
    names = [line.split('"')[1] for line in page.splitlines() if line.startswith("<svg") and 'id="' in line]
    assert len(names) == len(set(names))


def test_held_out_languages_never_reach_training(
    folders: list[Path], encoder: Path, engine: Engine, tmp_path: Path
) -> None:
    made = dataset(folders, tmp_path / "dataset", engine, DatasetSettings(SPLIT, hold_out=("sw",))).folder
    asked = ExperimentSettings("held-out", made, tmp_path / "out", encoders=(str(encoder),), limit=6)
    done = run_experiment(asked, engine, ProgressNotes())
    assert done.plan.choice.tested == ("sw",)
    assert Evaluation.open(done.rankings).languages == ("sw",)
    recipes = [recipe for one in done.plan.variants for recipe in one.recipes.values()]
    assert recipes
    for recipe in recipes:
        learned = Path(recipe.dataset)
        for split in ("train", "validation"):
            assert {one.language for one in Insertions(learned, split, recipe.languages)} == {"en"}
        links = ExistingLinks(learned, recipe.languages)
        assert {links.article(number).language for number in range(len(links))} == {"en"}
    for model in (tmp_path / "out" / "models").iterdir():
        card = (model / "README.md").read_text(encoding="utf-8")
        recipe_facts = json.loads(card.partition("```json")[2].partition("```")[0])
        assert recipe_facts["languages"] == ["en"]


def test_encoders_are_cut_down_to_their_lowest_layers(encoder: Path, tmp_path: Path) -> None:
    from linkspot.encoders.torch_encoder import load_encoder
    from linkspot.experiments.encoders import EncoderFolder, StartingEncoder

    folder, one = EncoderFolder(tmp_path), StartingEncoder(str(encoder), layers=1)
    folder.make([one, one])
    whole, cut = load_encoder(encoder).state_dict(), load_encoder(folder.location(one)).state_dict()
    assert {name for name in whole if "layer.0." in name} <= set(cut)
    assert not any("layer.1." in name for name in cut)
    assert all((cut[name] == whole[name]).all() for name in cut)
    assert folder.layers(one) == 1
    assert folder.layers(StartingEncoder(str(encoder))) == 2
    with pytest.raises(UnusableInput, match="has 2 layers, so it cannot be cut down to 3"):
        folder.make([StartingEncoder(str(encoder), layers=3)])


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"name": "stage"}, "no experiment is called 'stage'"),
        ({"budget": "tiny"}, "no budget is called 'tiny'"),
        ({"name": "held-out"}, "--hold-out"),
        ({"encoders": ("nowhere/at/all",)}, "neither a folder nor an id"),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line(
    settings: ExperimentSettings, engine: Engine, tmp_path: Path, changes: dict[str, object], complaint: str
) -> None:
    with pytest.raises(UnusableInput, match=complaint) as error:
        run_experiment(replace(settings, out=tmp_path / "out", **changes), engine, ProgressNotes())
    assert "\n" not in str(error.value)
