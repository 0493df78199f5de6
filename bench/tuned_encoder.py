"""What the encoder of the model that comes with linkspot learned: plain similarity, before and after."""

from pathlib import Path

from bench.declarations import in_languages
from bench.default_head import DATASET
from bench.encoders import similarity
from bench.found import judged, languages, means, slices
from linkspot.examples.builder import Insertions
from linkspot.model.shipped import shipped_model
from linkspot.ranking.embedding import EmbeddingRanker


def measure() -> str:
    """Return how both encoders find the places of validation insertions, and what they know of many languages."""
    encoders = {"multilingual-e5-small": similarity(), "after learning": shipped_model()}
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
    """Return the cells of an encoder."""
    ranker = EmbeddingRanker.of_folder(folder)
    asked = [one for one in Insertions(DATASET, "validation") if one.example.gold]
    scores = [ranker.score(one.example.entity, one.example.article) for one in asked]
    found = judged(asked, scores, [one.example.gold for one in asked])
    groups = ([found], languages(found), *([part] for part in slices(found)))
    return " | ".join("{:.3f} / {:.3f}".format(*means(group)) for group in groups)
