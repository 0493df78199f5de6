"""Recipes: short TOML files that say how a model is trained; what they leave out has the paper's value."""

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass, replace
from difflib import get_close_matches
from enum import Enum, StrEnum
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from linkspot.errors import UnusableInput
from linkspot.examples.even_draw import Portion
from linkspot.model.config import ModelKind
from linkspot.model.dual.texts import DualSettings
from linkspot.model.inputs import Form, TokenBudget
from linkspot.training.distillation import DistillationSettings
from linkspot.training.head import HeadSettings
from linkspot.training.old_names import current_names
from linkspot.training.shipped_recipes import recipe_names
from linkspot.training.stages import RemovalScope, Stage

_Record = TypeVar("_Record")


class Precision(StrEnum):
    """The numbers that the encoder computes with while it learns."""

    AUTO = "auto"  # bf16 where the machine has it
    FP32 = "fp32"
    BF16 = "bf16"


class Kept(StrEnum):
    """Which state of a model is kept at the end."""

    BEST = "best"  # on validation
    LAST = "last"  # where validation has too few examples to choose


@dataclass(frozen=True, slots=True)
class ValidationSettings:
    """How often a model is validated, and on how many insertions; 0 means on all."""

    every: int = 0  # steps; 0 means at the end of each epoch
    examples: int = 1_000
    keep: Kept = Kept.BEST


@dataclass(frozen=True)
class Recipe:
    """How a model is trained: what it starts from, what it reads, and its stages.

    `encoder` is a Hugging Face id or a folder, `dataset` a folder that `linkspot dataset` made. `published` is a folder
    of the paper's training files, to learn from instead. `form.knowledge` is the paper's knowledge injection.
    `per_language` is how many examples of one language a stage draws at most, 0 for all. Without `attention_dropout`
    attention drops nothing while it learns, on a CPU most of the time goes there; without `dropout` nothing else does.

    `dual`, `distillation`, `texts` and `head` are for dual models alone. Their encoder is first made smaller, if
    `distillation` names layers. It also learns from `texts`, a file in languages that the dataset lacks: passages with
    a blank line between them, a title on the first line of each and a sentence on each of the others. Stages, if there
    are any, train the encoder. Then the head learns from insertions, at most `head_insertions` of each corpus (0: all),
    and from `head_links` existing links of each wiki and language, or from a `head_portion` or more of them. With
    `head_int8` vectors are made as `linkspot export --int8` makes them: on a CPU that is faster.
    """

    model: ModelKind
    encoder: str
    dataset: str
    stage: tuple[Stage, ...] = ()
    published: str = ""
    languages: tuple[str, ...] = ()
    per_language: int = 0
    form: Form = field(default_factory=Form)
    precision: Precision = Precision.FP32
    attention_dropout: bool = True
    dropout: bool = True
    seed: int = 0
    inputs: TokenBudget = field(default_factory=TokenBudget)
    dual: DualSettings = field(default_factory=DualSettings)
    texts: str = ""
    distillation: DistillationSettings = field(default_factory=DistillationSettings)
    head: HeadSettings = field(default_factory=HeadSettings)
    head_links: int = 0
    head_portion: tuple[Portion, ...] = ()
    head_insertions: int = 0
    head_int8: bool = False
    validation: ValidationSettings = field(default_factory=ValidationSettings)

    def __post_init__(self) -> None:
        names = [stage.name for stage in self.stage]
        if len(set(names)) < len(names):
            raise UnusableInput(f"the stages are called {', '.join(names)}; give each a name of its own")
        if self.model is ModelKind.DUAL:
            return
        if self.model is not ModelKind.ARTICLE and any(stage.removal is RemovalScope.SOME for stage in self.stage):
            raise UnusableInput(
                f"removal = 'some' is for models that read pages (article, dual); this is a {self.model} model: write "
                "'nothing', 'positives' or 'everywhere'"
            )
        if not names:
            raise UnusableInput(f"the recipe of a {self.model} model has no stage; it needs at least one [[stage]]")
        if self.distillation.layers:
            raise UnusableInput(
                f"distillation is for dual models; this is a {self.model} model: it can start from a distilled encoder"
            )

    def plan(self) -> dict[str, Any]:
        """Return the recipe as plain values; recipes that train in the same way have equal ones."""
        return _plain(asdict(self))  # type: ignore[no-any-return]


def read_recipe(path: Path, changes: Mapping[str, Any] | None = None) -> Recipe:
    """Read a recipe; `changes` are values that the command line gives instead of the file's."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UnusableInput(
            f"there is no recipe {path}; `linkspot train --print-recipe NAME` prints one to start from: "
            f"{', '.join(recipe_names())}"
        ) from None
    except (OSError, ValueError) as error:
        raise UnusableInput(f"{path} cannot be read as TOML: {error}") from None
    recipe: Recipe = _record(Recipe, current_names({**table, **(changes or {})}), str(path))
    # A published window does not say which of its sentences is the candidate, so nothing can be marked.
    return replace(recipe, form=replace(recipe.form, marks=False)) if recipe.published else recipe


def _record(kind: type[_Record], table: Mapping[str, Any], where: str) -> _Record:
    """Return the record that a TOML table describes; unknown keys, missing keys and wrong types are errors."""
    types = get_type_hints(kind)
    for key in table:
        if key not in types:
            near = get_close_matches(key, types, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(types)}"
            raise UnusableInput(f"{where} has {key!r}, which no recipe knows; {hint}")
    for known in fields(kind):  # type: ignore[arg-type]
        if known.name not in table and known.default is MISSING and known.default_factory is MISSING:
            raise UnusableInput(f"{where} does not say {known.name!r}, which every recipe needs")
    return kind(**{key: _value(types[key], value, f"{where}: {key}") for key, value in table.items()})


def _value(kind: Any, value: Any, where: str) -> Any:
    if get_origin(kind) is tuple:
        entry_kind = get_args(kind)[0]
        if not isinstance(value, list):
            raise UnusableInput(f"{where} is {value!r}; a list is needed")
        return tuple(_value(entry_kind, entry, where) for entry in value)
    if is_dataclass(kind):
        if not isinstance(value, dict):
            raise UnusableInput(f"{where} is {value!r}; a table is needed")
        return _record(kind, value, where)  # type: ignore[arg-type]
    if issubclass(kind, Enum):
        names = [str(choice.value) for choice in kind]
        if value not in names:
            raise UnusableInput(f"{where} is {value!r}; it is one of: {', '.join(names)}")
        return kind(value)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise UnusableInput(f"{where} is {value!r}; {_TYPE_NAMES[kind]} is needed")
    return value


_TYPE_NAMES = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def _plain(value: Any) -> Any:
    match value:
        case Enum():
            return value.value
        case dict():
            return {key: _plain(entry) for key, entry in value.items()}
        case list() | tuple():
            return [_plain(entry) for entry in value]
        case _:
            return value
