"""Training data: where the stages of a recipe draw their examples from, a dataset or the paper's published files."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Protocol

from linkspot.errors import UnusableInput
from linkspot.examples.dataset_reader import ExistingLinks, Insertions, Wiki
from linkspot.examples.even_draw import drawn_portions
from linkspot.examples.page_groups import Forgetting, page_groups
from linkspot.examples.published_training import PublishedTraining
from linkspot.model.config import ModelKind
from linkspot.records import Example
from linkspot.tables.folder import TableFolder
from linkspot.training.learner import CrossLearner, Learner
from linkspot.training.published_inputs import PublishedInputs
from linkspot.training.recipe import Recipe
from linkspot.training.stages import Stage, TrainingExamples
from linkspot.training.training_examples import (
    InputSource,
    InsertionInputs,
    LinkInputs,
    PageGroupInputs,
    SimilarityInputs,
    SomeInputs,
    drawn,
    drawn_numbers,
)

_STAGE_NAMES = {
    TrainingExamples.EXISTING_LINKS: ("stage1", "stage_1", "stage-1"),
    TrainingExamples.INSERTIONS: ("stage2", "stage_2", "stage-2"),
}


class TrainingData(Protocol):
    """What a recipe learns from."""

    @property
    def name(self) -> str:
        """The folder's name."""
        ...

    def inputs(self, recipe: Recipe, stage: Stage, learner: Learner) -> InputSource:
        """Return the examples of a stage."""
        ...

    def validation(self, recipe: Recipe) -> list[Example]:
        """Return insertions to validate on."""
        ...

    def description(self) -> list[str]:
        """Return lines for the model's card: what this is, and its sources."""
        ...


class DatasetFolder:
    """A folder that `linkspot dataset` made."""

    def __init__(self, path: Path) -> None:
        self._folder = TableFolder.open(path, "dataset")

    @property
    def name(self) -> str:
        """The folder's name."""
        return self._folder.path.name

    def inputs(self, recipe: Recipe, stage: Stage, learner: Learner) -> InputSource:
        """Return existing links or insertions of the training split, drawn by the recipe's seed."""
        path, languages, seed = self._folder.path, recipe.languages, recipe.seed
        per_language = stage.per_language or recipe.per_language
        if stage.training_examples is TrainingExamples.EXISTING_LINKS:
            links = ExistingLinks(path, languages, per_language=per_language, seed=seed)
            if stage.together > 1:
                return _in_groups(links, stage, learner, seed)
            inputs: InputSource = LinkInputs(links, learner.problem_inputs(stage), stage.context_removal)
            wikis = links.wikis()
        else:
            insertions = Insertions(path, "train", languages, per_language=per_language, seed=seed)
            inputs = InsertionInputs(insertions, learner.problem_inputs(stage))
            wikis = insertions.wikis()
        if stage.portion:
            inputs = SomeInputs(inputs, drawn_portions(wikis, stage.portion, seed))
        return drawn(inputs, stage.examples, seed)

    def validation(self, recipe: Recipe) -> list[Example]:
        """Return insertions of the validation split, as many as the recipe asks for, drawn by its seed."""
        insertions = Insertions(self._folder.path, "validation", recipe.languages)
        numbers = list(range(len(insertions)))
        Random(recipe.seed).shuffle(numbers)
        examples = (insertions[number].example for number in numbers)
        return list(islice((example for example in examples if example.gold), recipe.validation.examples or None))

    def description(self) -> list[str]:
        """Return the dataset's rows, sources and licences."""
        facts = self._folder.manifest()
        return [
            f"The dataset `{self.name}`: "
            + ", ".join(f"{rows:,} {table}" for table, rows in facts.get("rows", {}).items())
            + ". Its data card says more. Whoever passes the model on names the sources and licences of these texts:",
            "",
            *(
                f"- {source['corpus']} ({_first_file(source['source'])}): {source['licence']}"
                for source in facts.get("sources", ())
            ),
        ]


class PublishedFolder:
    """A folder with the paper's published training files: `stage1` of existing links, `stage2` of added ones."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rejects: Counter[str] = Counter()

    @property
    def name(self) -> str:
        """The folder's name."""
        return self._path.name

    def inputs(self, recipe: Recipe, stage: Stage, learner: Learner) -> InputSource:
        """Return links of the stage's folder, drawn by the recipe's seed."""
        if not isinstance(learner, CrossLearner):
            raise TypeError(f"a {recipe.model} model does not learn from windows")
        if stage.per_language or recipe.per_language or stage.portion:
            raise UnusableInput(
                "per_language and portions are for datasets; of published files choose rows by languages and examples"
            )
        links = PublishedTraining(self._stage_folder(stage), recipe.languages)
        numbers: Sequence[int] = drawn_numbers(len(links), stage.examples, recipe.seed)
        links.load(numbers)
        self._rejects += links.rejects
        return SomeInputs(PublishedInputs(links, learner.maker, stage.negatives, stage.context_removal), numbers)

    def _stage_folder(self, stage: Stage) -> Path:
        names = _STAGE_NAMES[stage.training_examples]
        folder = next((self._path / name for name in names if (self._path / name).is_dir()), None)
        if folder is None:
            raise UnusableInput(
                f"{self._path} has no folder {names[0]}, which the stage {stage.name!r} learns from; "
                f"expected {names[0]}/train/*.parquet and {names[0]}/mentions.parquet of the published dataset"
            )
        return folder

    def validation(self, _recipe: Recipe) -> list[Example]:
        """Return nothing: the files have windows, and no pages to rank."""
        return []

    def description(self) -> list[str]:
        """Return where the files are from, and how many of the drawn rows were set aside."""
        broken = [f"- set aside: {count:,} × {reason}" for reason, count in self._rejects.most_common()]
        return [
            f"The folder `{self.name}` of training files in the form of the paper's published dataset (Zenodo record "
            "13888211), made from Wikipedia, CC BY-SA. Whoever passes the model on names source and licence.",
            *(["", *broken] if broken else []),
        ]


def _in_groups(links: ExistingLinks, stage: Stage, learner: Learner, seed: int) -> InputSource:
    """Return links of a stage in groups that share a reading of their page; groups are drawn, not links."""
    inputs, removal = learner.problem_inputs(stage), stage.context_removal
    if not isinstance(inputs, SimilarityInputs) or removal is None:
        raise UnusableInput(
            f"stage {stage.name!r} has together = {stage.together}; that is for dual models and for links whose "
            "context is removed: write 1"
        )
    groups = page_groups(links, stage.together, stage.sentences, seed)
    grouped = PageGroupInputs(links, groups, inputs, removal, Forgetting(stage.forget_lead, stage.forget_mentions))
    if not stage.portion:
        return drawn(grouped, stage.examples, seed)
    wikis = defaultdict[Wiki, list[int]](list)
    for number, group in enumerate(groups):
        wikis[links.wiki(group[0])].append(number)
    return drawn(SomeInputs(grouped, drawn_portions(wikis, stage.portion, seed)), stage.examples, seed)


def training_data(recipe: Recipe) -> TrainingData:
    """Return what a recipe learns from."""
    if not recipe.published:
        return DatasetFolder(Path(recipe.dataset))
    if recipe.model not in {ModelKind.WINDOW, ModelKind.TRIPLE}:
        raise UnusableInput(
            f"the published files hold windows, not pages, and {recipe.model} models learn from pages; use the recipe "
            "of a window or triple model, such as xlocei"
        )
    return PublishedFolder(Path(recipe.published))


def _first_file(files: str) -> str:
    first, *others = files.split(", ")
    return f"{first} and {len(others):,} more" if others else first
