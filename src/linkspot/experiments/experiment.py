"""What an experiment is made of: variants, the languages that they learn from and are tested in, and a plot."""

from dataclasses import dataclass
from enum import StrEnum

from linkspot.experiments.paper_figures import PaperTable


class Learns(StrEnum):
    """Which of a dataset's languages a variant learns from."""

    ALL = "all languages"
    ONE = "English, or else the language with most insertions to learn from"
    PART = "a part of the languages"
    EACH = "each language by itself: as many models as languages are tested"


class Tested(StrEnum):
    """Which of a dataset's languages are tested."""

    LEARNED = "the languages that there is something to learn from"
    ONE = "English, or else the language with most insertions to learn from"
    OUTSIDE_PART = "languages that are not in the part, though the dataset has something to learn from in them"
    HELD_OUT = "languages that the dataset has nothing to learn from in"


class Plot(StrEnum):
    """What an experiment's plot shows."""

    BARS = "a bar for each variant and slice"
    CURVE = "a line over the number of examples for each group of variants"


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to do it. Without a recipe, `ranker` learns nothing; `{encoder}` in it stands for the encoder.

    `encoder` is used instead of the recipe's, cut down to its lowest `layers` if that is not 0. `examples` is how many
    each stage draws, and so the place on the line `curve` of the plot. `paper` is the method's name in the paper.
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
            raise ValueError(f"the variant {self.label!r} is either a recipe or a ranker")


@dataclass(frozen=True, slots=True)
class Experiment:
    """A question, what the paper found, and what is trained and tested to answer it on other data.

    The other variants are compared with `reference`, or where none is named, with the last that learns. `small` are
    variants for the small budget, if they are others.
    """

    name: str
    title: str
    asks: str
    found: str
    tested: Tested
    reference: str
    variants: tuple[Variant, ...]
    small: tuple[Variant, ...] = ()
    plot: Plot = Plot.BARS
    paper: PaperTable | None = None
    takes_encoders: bool = False  # whether encoders that are named are variants themselves
    is_about_models: bool = False  # whether kinds of models are compared
