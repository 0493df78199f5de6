"""A model's folder: a Hugging Face encoder, and beside it what makes it a linkspot model.

| file | what it holds |
| --- | --- |
| `config.json`, `model.safetensors`, `tokenizer.json` … | the encoder, as transformers saves it, for `AutoModel` too |
| `heads.safetensors` | the small networks that read its vectors |
| `basis.safetensors` | of a dual model: the PCA of its vectors, whose directions the head reads |
| `linkspot.json` | the kind of the model, its budgets and special tokens: a ModelConfig |
| `README.md` | the model card |
"""

import json
import re
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from linkspot.encoders.special_tokens import SpecialTokens
from linkspot.errors import UnusableInput
from linkspot.field_types import checked
from linkspot.files import unfinished
from linkspot.model.inputs import Form, TokenBudget

CONFIG, HEADS, PCA, CARD = "linkspot.json", "heads.safetensors", "basis.safetensors", "README.md"
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


class ModelKind(StrEnum):
    """How a model looks at a page and a target."""

    WINDOW = "window"  # the paper's: target and candidate together, one candidate at a time
    TRIPLE = "triple"  # the paper's appendix: source, candidate and target apart
    ARTICLE = "article"  # target and whole page together
    DUAL = "dual"  # target and page apart, both kept


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """What linkspot has to know about a model beside its weights.

    `extra` holds settings that only one kind of model has.
    """

    kind: ModelKind
    special: SpecialTokens
    budget: TokenBudget = field(default_factory=TokenBudget)
    form: Form = field(default_factory=Form)
    extra: dict[str, Any] = field(default_factory=dict)

    def save(self, folder: Path) -> None:
        """Write the config into a model's folder."""
        with unfinished(folder / CONFIG) as path:
            path.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")

    @classmethod
    def of_folder(cls, folder: Path) -> "ModelConfig":
        """Read the config from a model's folder."""
        path = folder / CONFIG
        if not path.is_file():
            raise UnusableInput(f"{folder} is not a linkspot model: it has no {CONFIG}; `linkspot train` makes one")
        try:
            settings = json.loads(path.read_text(encoding="utf-8"))
            return cls(
                ModelKind(settings["kind"]),
                checked(SpecialTokens(**settings["special"])),
                checked(TokenBudget(**settings["budget"])),
                checked(Form(**settings["form"])),
                dict(settings["extra"]),
            )
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise UnusableInput(f"{path} is not what linkspot writes ({error}); train or export it again") from None


def card_of(folder: Path) -> str:
    """Return the card in a folder as people read it, without its front matter; empty if there is none."""
    path = folder / CARD
    return _FRONT_MATTER.sub("", path.read_text(encoding="utf-8")).strip() if path.is_file() else ""
