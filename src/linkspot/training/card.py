"""The model card: what a model is, what it learned from and how, and what it reached."""

import json
from importlib.metadata import version
from pathlib import Path

from linkspot.files import unfinished
from linkspot.model.config import CARD, card_of
from linkspot.training.recipe import Kept, Recipe
from linkspot.training.training_data import TrainingData
from linkspot.training.validation import ValidationFigures

_USE = """
```python
import linkspot

ranker = linkspot.load("{folder}")
answer = linkspot.suggest(page, entity, ranker=ranker)
```

`transformers.AutoModel.from_pretrained("{folder}")` reads its encoder.
"""

_KEPT = {Kept.BEST: "best state by MRR", Kept.LAST: "last state"}


def write_card(folder: Path, recipe: Recipe, data: TrainingData, figures: ValidationFigures | None) -> None:
    """Write the card of a model into its folder."""
    with unfinished(folder / CARD) as path:
        path.write_text(_card(folder.name, recipe, data, figures), encoding="utf-8")


def _card(name: str, recipe: Recipe, data: TrainingData, figures: ValidationFigures | None) -> str:
    languages = sorted(recipe.languages)
    reached = (
        f"Hits@1 {figures.hits_at_1:.3f}, MRR {figures.mrr:.3f} over {figures.queries:,} insertions of the validation "
        f"split that have a right place. The {_KEPT[recipe.validation.keep]} was kept."
        if figures
        else "Not validated: the data has no insertions of whole pages to validate on. The last state was kept."
    )
    lines = [
        "---",
        "library_name: linkspot",
        f"base_model: {json.dumps(Path(recipe.encoder).name)}",
        f"language: {json.dumps(languages or ['multilingual'])}",
        "---",
        "",
        f"# {name}",
        "",
        f"A linkspot model of the kind `{recipe.model}`: it ranks the places of a page for a link to an entity.",
        _USE.format(folder=name),
        *_encoder(recipe),
        "## Data",
        "",
        *data.description(),
        "",
        "## Validation",
        "",
        reached,
        "",
        "## Recipe",
        "",
        f"Made by linkspot {version('linkspot')} with:",
        "",
        "```json",
        json.dumps({**recipe.plan(), **_names(recipe, data)}, indent=2),
        "```",
        "",
    ]
    return "\n".join(lines)


def _encoder(recipe: Recipe) -> list[str]:
    """Return what the encoder's own card says, where it has one: whose weights these are, and their licence."""
    _heading, _, body = card_of(Path(recipe.encoder)).partition("\n\n")
    sentences = [body.partition("\n\n")[0]] if body else []
    if recipe.distillation.layers:
        layers = ", ".join(map(str, recipe.distillation.layers))
        sentences.append(
            f"Of its layers, counted from 0, these stay: {layers}. They learned to give the vectors of all layers."
        )
    if sentences and recipe.stage:
        sentences.append("For this model it was trained further: see the stages of the recipe below.")
    return ["## Encoder", "", " ".join(sentences), ""] if sentences else []


def _names(recipe: Recipe, data: TrainingData) -> dict[str, str]:
    """Return the names of what was read, without the folders that it was in."""
    return {
        "encoder": Path(recipe.encoder).name,
        "dataset": "" if recipe.published else data.name,
        "published": data.name if recipe.published else "",
        "texts": Path(recipe.texts).name,
    }
