from dataclasses import replace
from pathlib import Path

import pytest

from linkspot.errors import UnusableInput
from linkspot.model.config import ModelKind
from linkspot.training.losses import LossName
from linkspot.training.recipe import read_recipe
from linkspot.training.shipped_recipes import recipe_names, recipe_summaries, recipe_text
from linkspot.training.stages import RemovalScope, Stage, TrainingExamples

SHORT = """
model = "window"
encoder = "some/encoder"
dataset = "here"

[[stage]]
name = "one"
training_examples = "insertions"
epochs = 2
"""


@pytest.mark.parametrize("name", recipe_names())
def test_every_recipe_that_ships_can_be_read_and_says_what_it_is_for(name: str, tmp_path: Path) -> None:
    read_recipe(_file(tmp_path, recipe_text(name)))
    assert recipe_text(name).startswith("# ")
    assert len(recipe_summaries()[name]) > 20


def test_what_a_recipe_leaves_out_has_the_papers_value(tmp_path: Path) -> None:
    recipe = read_recipe(_file(tmp_path, SHORT))
    (stage,) = recipe.stage
    assert (stage.encoder_rate, stage.head_rate, stage.negatives) == (1e-5, 1e-4, 9)
    assert (stage.loss, stage.removal, recipe.form.knowledge) == (LossName.LISTWISE, RemovalScope.EVERYWHERE, True)


PAPERS = (
    "simple-fine-tuning",
    "removal-of-positives",
    "removal-everywhere",
    "expansion",
    "locei",
    "xlocei",
    "pointwise",
    "stage-1-only",
    "stage-2-only",
    "triple-encoder",
)


@pytest.mark.parametrize("name", PAPERS)
def test_a_recipe_with_one_of_the_papers_names_has_its_encoder_and_its_input(name: str, tmp_path: Path) -> None:
    recipe = read_recipe(_file(tmp_path, recipe_text(name)))
    assert recipe.encoder == "xlm-roberta-base"
    assert not recipe.form.marks
    removed = {stage.removal for stage in recipe.stage}
    expected = {"simple-fine-tuning": RemovalScope.NOTHING, "removal-of-positives": RemovalScope.POSITIVES}
    assert removed == {expected.get(name, RemovalScope.EVERYWHERE)}


def test_the_marks_of_linkspot_are_an_ablation_of_their_own(tmp_path: Path) -> None:
    marked = read_recipe(_file(tmp_path, recipe_text("locei-marked")))
    locei = read_recipe(_file(tmp_path, recipe_text("locei")))
    assert marked.form.marks
    assert replace(marked, form=locei.form) == locei


def test_the_shipped_model_learns_from_pages_of_which_most_stays(tmp_path: Path) -> None:
    recipe = read_recipe(_file(tmp_path, recipe_text("default")))
    assert [stage.removal.value for stage in recipe.stage] == ["some", "everywhere"]  # insertions lose nothing


def test_the_recipes_of_the_paper_have_its_sizes(tmp_path: Path) -> None:
    recipe = read_recipe(_file(tmp_path, recipe_text("xlocei")))
    assert recipe.model is ModelKind.WINDOW
    assert [(stage.training_examples.value, stage.examples, stage.epochs) for stage in recipe.stage] == [
        ("existing_links", 20_000, 4),
        ("insertions", 0, 2),
    ]


def test_a_recipe_of_an_earlier_version_is_read_under_its_old_names(tmp_path: Path) -> None:
    dual = SHORT.replace('"window"', '"dual"')
    new = read_recipe(_file(tmp_path, dual + "\n[distillation]\nlayers = [0, 11]\n"))
    old = dual.replace("training_examples", "material") + "\n[distil]\nlayers = [0, 11]\n"
    assert "material" in old
    assert read_recipe(_file(tmp_path, old)) == new
    assert new.distillation.layers == (0, 11)


def test_the_command_line_overrules_the_file(tmp_path: Path) -> None:
    assert read_recipe(_file(tmp_path, SHORT), {"seed": 7}).seed == 7


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (SHORT + "\nepoch = 3\n", "'epoch', which no recipe knows; did you mean 'epochs'"),
        (SHORT.replace('"window"', '"windows"'), "it is one of: window, triple, article, dual"),
        (SHORT.replace("epochs = 2", 'epochs = "2"'), "epochs is '2'; a whole number is needed"),
        (SHORT.replace("epochs = 2", "epochs = 0"), "stage 'one' has epochs = 0"),
        (SHORT.replace('dataset = "here"', ""), "does not say 'dataset'"),
        (SHORT + 'material = "insertions"\n', "'material' and 'training_examples', which are the same"),
        (SHORT + "warm_up = 2\n", "a share between 0 and 1"),
        (SHORT + "= 3\n", "cannot be read as TOML"),
        (SHORT.replace("[[stage]]", "[stage]"), "a list is needed"),
        (SHORT + 'removal = "some"\n', "'some' is for models that read pages (article, dual); this is a window model"),
        (
            SHORT.replace('dataset = "here"', 'dataset = "here"\nlanguages = "en"'),
            "languages is 'en'; a list is needed",
        ),
        (SHORT.replace('dataset = "here"', 'dataset = "here"\ninputs = 512'), "a table is needed"),
    ],
)
def test_a_fault_in_a_recipe_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(UnusableInput) as caught:
        read_recipe(_file(tmp_path, text))
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_recipe_that_is_not_there_tells_which_ones_ship(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="xlocei"):
        read_recipe(tmp_path / "none.toml")


def test_rates_rise_and_then_fall() -> None:
    rates = [Stage("s", TrainingExamples.INSERTIONS, 1, warm_up=0.2).rate(step, 10) for step in range(10)]
    assert rates[0] < rates[1] < rates[2] == max(rates)
    assert rates[2:] == sorted(rates[2:], reverse=True)
    assert 0 < rates[-1] < 0.2


def _file(folder: Path, text: str) -> Path:
    path = folder / "recipe.toml"
    path.write_text(text, encoding="utf-8")
    return path
