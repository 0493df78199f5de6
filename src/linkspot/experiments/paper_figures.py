"""The paper's own figures, as far as linkspot knows them, to compare with ours."""

from dataclasses import dataclass
from enum import StrEnum

SOURCE = (
    "T. Feith, A. Arora, M. Gerlach, D. Paul, R. West: Entity Insertion in Multilingual Linked Corpora: The Case of "
    "Wikipedia. EMNLP 2024, https://aclanthology.org/2024.emnlp-main.1268"
)

#: The heading above the paper's figures: they are never measured on the same data as ours.
GROUP = "the paper, on other data:"


class PaperTable(StrEnum):
    """What a table of the paper is measured on."""

    LANGUAGES = "macro over 20 Wikipedias"
    ENGLISH = "the English Wikipedia"


@dataclass(frozen=True, slots=True)
class PaperFigure:
    """Hits@1 of one of the paper's methods, in its three main slices."""

    overall: float
    present: float
    missing: float

    def __post_init__(self) -> None:
        for value in (self.overall, self.present, self.missing):
            if not 0 <= value <= 1:
                raise ValueError(f"Hits@1 is between 0 and 1, not {value}")


#: Hits@1 by the paper's names of its methods.
FIGURES: dict[PaperTable, dict[str, PaperFigure]] = {
    PaperTable.LANGUAGES: {
        "Random": PaperFigure(0.107, 0.115, 0.103),
        "String Match": PaperFigure(0.459, 0.708, 0.270),
        "BM25": PaperFigure(0.508, 0.799, 0.280),
        "simple fine-tuning": PaperFigure(0.584, 0.883, 0.350),
        "LocEI": PaperFigure(0.672, 0.877, 0.509),
        "xLocEI": PaperFigure(0.726, 0.909, 0.579),
    },
    PaperTable.ENGLISH: {
        "EntQA": PaperFigure(0.099, 0.136, 0.085),
        "GET": PaperFigure(0.391, 0.827, 0.228),
        "GPT-4": PaperFigure(0.370, 0.833, 0.224),
        "LocEI": PaperFigure(0.677, 0.879, 0.602),
    },
}
