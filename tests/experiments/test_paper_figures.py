"""The paper's figures against a transcription that another program made of the paper."""

import re
from pathlib import Path

import pytest

from linkspot.evaluation.figures import Metric
from linkspot.experiments.catalogue import EXPERIMENTS
from linkspot.experiments.experiment import PaperTable
from linkspot.experiments.paper_figures import (
    PaperFigure,
    PublishedCounts,
    published_dataset,
    published_languages,
    published_split,
    published_table,
)
from linkspot.metrics.slices import MAIN_SLICES, OVERALL, SCENARIO_SLICES

PRESENT, MISSING = MAIN_SLICES[1:]
TITLES = {
    "Main": PaperTable.MAIN,
    "English": PaperTable.ENGLISH,
    "Zero-shot": PaperTable.ZERO_SHOT,
    "Held out": PaperTable.HELD_OUT,
    "Ablation, English": PaperTable.ABLATION_ENGLISH,
    "Ablation, 20 languages": PaperTable.ABLATION,
    "Starting model": PaperTable.STARTING_MODEL,
    "Model size": PaperTable.MODEL_SIZE,
    "Training stages": PaperTable.STAGES,
    "RoBERTa and XLM-R": PaperTable.ROBERTA_VS_XLMR,
    "Loss": PaperTable.LOSS,
}
_SECTION = re.compile(r"^## (?P<title>.+?) \(`(?P<label>tab:\w+)`\)$", re.MULTILINE)


def transcription() -> str:
    path = Path(__file__).parents[2].parent / "shared" / "PAPER.md"
    if not path.is_file():
        pytest.skip(f"the transcription of the paper is not here: {path.name} in the folder shared beside the project")
    return path.read_text(encoding="utf-8")


def transcribed(title: str) -> tuple[str, list[list[str]]]:
    """The label and the cells of a table of the transcription, its heading row first."""
    text = transcription()
    sections = [*_SECTION.finditer(text)]
    for section, end in zip(sections, [*(found.start() for found in sections[1:]), len(text)], strict=True):
        if section["title"] == title:
            lines = [line for line in text[section.end() : end].splitlines() if line.startswith("|")]
            return section["label"], [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    raise AssertionError(f"the transcription has no table {title!r}")


@pytest.mark.parametrize(("title", "table"), TITLES.items())
def test_every_figure_is_that_of_the_transcription(title: str, table: PaperTable) -> None:
    label, (heading, _line, *rows) = transcribed(title)
    published = published_table(table)
    assert published.label == label
    columns = [name for name in heading if "Hits@1" in name or "MRR" in name]
    first = len(heading) - len(columns)
    expected = {row[first - 1].removesuffix(" *"): row[first:] for row in rows}
    assert list(published.rows) == list(expected)
    for name, cells in expected.items():
        for column, cell in zip(columns, cells, strict=True):
            metric = Metric.MRR if "MRR" in column else Metric.HITS_AT_1
            slice_name = column.replace(metric, "").strip().replace("_", " ")
            (part,) = [part for _metric, part in published.columns if part.name == slice_name][:1]
            assert published.rows[name][metric, part] == PaperFigure(
                float(cell.removesuffix("†")), cell.endswith("†")
            ), (name, column)


def test_the_counts_of_data_are_those_of_the_transcription() -> None:
    for title, counts in (
        ("Training and test data", published_split()),
        ("The whole dataset", published_dataset()),
    ):
        _label, (_heading, _line, *rows) = transcribed(title)
        assert list(counts)
        assert set(counts) == {row[0] for row in rows}
        for code, _language, *numbers in rows:
            assert counts[code] == PublishedCounts(*map(number, numbers)), code


def number(text: str) -> int:
    return round(float(text.rstrip("KM")) * {"K": 1e3, "M": 1e6}.get(text[-1], 1))


def test_the_languages_of_the_models_are_those_of_the_transcription() -> None:
    _label, (_heading, _line, *rows) = transcribed("Models of the zero-shot setting")
    assert [row[2].split(", ") for row in rows] == [
        list(published_languages(model)) for model in ("xLocEI 20", "xLocEI 11")
    ]


def test_some_figures_are_what_the_paper_prints() -> None:
    main, size = published_table(PaperTable.MAIN), published_table(PaperTable.MODEL_SIZE)
    assert main.rows["xLocEI"][Metric.HITS_AT_1, OVERALL] == PaperFigure(0.726, is_significant=True)
    assert main.rows["BM25"][Metric.MRR, MISSING] == PaperFigure(0.421)
    english = published_table(PaperTable.ENGLISH).rows["PRP-Allpair (GPT-4)"]
    assert [english[Metric.HITS_AT_1, part].value for part in MAIN_SLICES] == [0.370, 0.833, 0.224]
    last = published_table(PaperTable.ABLATION).rows["+knowledge injection"]
    assert [last[Metric.HITS_AT_1, part].value for part in MAIN_SLICES] == [0.672, 0.877, 0.509]  # LocEI, not xLocEI
    assert size.rows["RoBERTa LARGE"][Metric.MRR, SCENARIO_SLICES[3]] == PaperFigure(0.873)
    assert published_table(PaperTable.STAGES).rows["Expansion"][Metric.HITS_AT_1, PRESENT] == PaperFigure(0.738)
    assert published_split()["simple"] == PublishedCounts(238_000, 2_600_000, 9_400, 4_800)
    assert published_dataset()["xh"] == PublishedCounts(1_600, 2_800, 1)
    assert len(published_languages("xLocEI 11")) == 11


def test_every_table_of_the_paper_belongs_to_an_experiment_that_names_its_rows() -> None:
    assert {experiment.paper for experiment in EXPERIMENTS.values()} >= set(PaperTable)
    for experiment in EXPERIMENTS.values():
        if experiment.paper:
            rows = published_table(experiment.paper).rows
            named = [variant.paper for variant in experiment.variants if variant.paper]
            assert set(named) <= set(rows), experiment.name
            trained = [name for name in rows if not name.startswith(("PRP", "EntQA", "GET"))]
            assert experiment.name == "monolingual-vs-multilingual" or set(named) >= set(trained), experiment.name


@pytest.mark.parametrize("value", [-0.1, 1.1, float("inf")])
def test_a_figure_beyond_0_and_1_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        PaperFigure(value)
