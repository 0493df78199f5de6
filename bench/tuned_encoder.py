"""What the encoder of the model that comes with linkspot learned: plain similarity, before and after training."""

from pathlib import Path

from bench.declarations import in_languages
from bench.encoders import similarity
from bench.head_cases import DATASET
from bench.outcomes import languages, means, outcomes, slices
from linkspot.examples.dataset_reader import Insertions
from linkspot.model.shipped import shipped_model
from linkspot.ranking.embedding import EmbeddingRanker


def measure() -> str:
    """Return how well both encoders find the places of validation insertions, and how well they know many languages."""
    encoders = {"multilingual-e5-small": similarity(), "after training": shipped_model()}
    rows = [f"| {name} | {_on_validation(folder)} |" for name, folder in encoders.items()]
    return "\n".join(
        [
            "Hits@1 / MRR of plain similarity on the validation insertions that have a right place:",
            "",
            "| encoder | micro | macro | Present, micro | Missing, micro |",
            "| --- | ---: | ---: | ---: | ---: |",
            *rows,
            "",
            *in_languages(encoders),
        ]
    )


def _on_validation(folder: Path) -> str:
    """Return an encoder's cells of the table."""
    ranker = EmbeddingRanker.of_folder(folder)
    insertions = Insertions(DATASET, "validation")
    results = outcomes(insertions, lambda case: ranker.score(case.example.entity, case.example.article).places)
    groups = ([results], languages(results), *([part] for part in slices(results)))
    return " | ".join("{:.3f} / {:.3f}".format(*means(group)) for group in groups)
