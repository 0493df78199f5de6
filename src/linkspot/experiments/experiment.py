"""An experiment: a question, the variants that answer it, and the languages that they learn from and are tested in."""

from dataclasses import dataclass
from enum import StrEnum


class Learns(StrEnum):
    """Which of a dataset's languages a variant learns from."""

    ALL = "all languages"
    ONE = "the one language that is tested"
    PART = "a part of the languages"
    EACH = "each language by itself: a model for each tested language"


class Tested(StrEnum):
    """Which of a dataset's languages are tested."""

    LEARNED = "the languages with training data"
    ONE = "the experiment's language, else English, else the language with most insertions to learn from"
    OUTSIDE_PART = "the languages with training data that are not in the part"
    HELD_OUT = "the languages without training data"


class PaperTable(StrEnum):
    """A table of the paper, by the name of the experiment that asks its question."""

    MAIN = "main"
    ENGLISH = "english"
    ZERO_SHOT = "zero-shot"
    HELD_OUT = "held-out"
    ABLATION = "ablation"
    ABLATION_ENGLISH = "ablation-english"
    STARTING_MODEL = "starting-model"
    MODEL_SIZE = "model-size"
    STAGES = "stages"
    ROBERTA_VS_XLMR = "roberta-vs-xlmr"
    LOSS = "loss"


class Compared(StrEnum):
    """Which variant the significance of another one's figures is tested against."""

    REFERENCE = "the reference"
    PREVIOUS = "the variant before"  # in the order of the table, as the paper's steps and stages


class Plot(StrEnum):
    """What an experiment's plot shows."""

    BARS = "a bar for each variant and slice"
    CURVE = "a line over the number of examples for each group of variants"


@dataclass(frozen=True, slots=True)
class Variant:
    """One method to compare: a recipe to train, or a ranker without training, in which `{encoder}` is filled in.

    `encoder` replaces the recipe's encoder; only its lowest `layers` are kept, if that is not 0. `examples` is how many
    examples each stage draws, and so the position on the line `curve` of the plot. `paper` is the name of its row in
    the paper's table.
    """

    label: str
    recipe: str = ""
    ranker: str = ""
    learns: Learns = Learns.ALL
    encoder: str = ""
    layers: int = 0
    examples: int = 0
    curve: str = ""
    paper: str = ""

    def __post_init__(self) -> None:
        if bool(self.recipe) == bool(self.ranker):
            raise ValueError(f"the variant {self.label!r} needs either a recipe or a ranker")


@dataclass(frozen=True, slots=True)
class Experiment:
    """A question of the paper, the paper's answer, and what is trained and tested to answer it on other data.

    All variants are compared with `reference`; if it is empty, with the last variant that is trained; or each trained
    variant with the one before it. `small` lists the variants for the small budget, if they differ. `language` is the
    paper's language, where one language is tested.
    """

    name: str
    title: str
    question: str
    paper_answer: str
    tested: Tested
    reference: str
    variants: tuple[Variant, ...]
    small: tuple[Variant, ...] = ()
    compared: Compared = Compared.REFERENCE
    language: str = "en"
    plot: Plot = Plot.BARS
    paper: PaperTable | None = None
    takes_encoders: bool = False  # whether the encoders that a user names are the variants
    is_about_models: bool = False  # whether kinds of models are compared
