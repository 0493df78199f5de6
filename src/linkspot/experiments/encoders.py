"""The encoders that an experiment starts from; those that come from packages are made in the experiment's folder."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from linkspot.experiments.variants import E5, MINILM

#: The layers of the encoders that come from packages, known before they are made.
_LAYERS = {E5: 12, MINILM: 6}


@dataclass(frozen=True, slots=True)
class StartingEncoder:
    """An encoder by its name (of a package, a folder, or an id on the Hugging Face hub), and how many layers to keep.

    0 means all layers.
    """

    name: str
    layers: int = 0

    @property
    def is_made(self) -> bool:
        """Whether it has to be made in the experiment's folder."""
        return self.name in _LAYERS or bool(self.layers)

    @property
    def label(self) -> str:
        """Its name for people."""
        name = Path(self.name).name if Path(self.name).is_dir() else self.name
        return f"{name}, lowest {self.layers} layers" if self.layers else name


@dataclass(frozen=True, slots=True)
class EncoderFolder:
    """The folder that encoders are made in."""

    path: Path

    def location(self, encoder: StartingEncoder) -> str:
        """Return what a recipe calls an encoder: the path of its folder here, or its own name."""
        if not encoder.is_made:
            return encoder.name
        name = Path(encoder.name).name
        return str(self.path / (f"{name}-{encoder.layers}-layers" if encoder.layers else name))

    def layers(self, encoder: StartingEncoder) -> int:
        """Return how many layers an encoder has; 0 if that is not known before it is loaded."""
        if encoder.layers:
            return encoder.layers
        config = Path(encoder.name) / "config.json"
        if config.is_file():
            return int(json.loads(config.read_text(encoding="utf-8")).get("num_hidden_layers", 0))
        return _LAYERS.get(encoder.name, 0)

    def make(self, encoders: Iterable[StartingEncoder]) -> None:
        """Make the encoders that do not exist yet; an error says which encoder is not available."""
        from linkspot.encoders.pretrained import save_pretrained
        from linkspot.encoders.torch_encoder import check_reachable

        for encoder in dict.fromkeys(encoders):
            folder = Path(self.location(encoder))
            if not encoder.is_made:
                check_reachable(encoder.name)
            elif not folder.exists() and encoder.layers:
                full = StartingEncoder(encoder.name)
                self.make([full])
                _save_lowest(self.location(full), encoder.layers, folder)
            elif not folder.exists():
                save_pretrained(encoder.name, folder)


def _save_lowest(name: str, layers: int, out: Path) -> None:
    """Write an encoder that has only the lowest layers of another."""
    from linkspot.encoders.torch_encoder import keep_layers, load_encoder, load_tokenizer, quiet
    from linkspot.files import new_folder

    encoder = load_encoder(name)
    keep_layers(encoder, range(layers))
    with new_folder(out) as folder, quiet():
        encoder.save_pretrained(folder)
        load_tokenizer(name).save_pretrained(folder)
