"""Ranking a page: our models compared with the paper's recipe, with one encoder, on the same threads, in one run."""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np

from bench.encoders import e5, exported, two_layers
from bench.wikis import wikipedia
from linkspot.encoders.encoder import Encoder, padded
from linkspot.encoders.onnx_encoder import OnnxEncoder
from linkspot.encoders.special_tokens import SpecialTokens
from linkspot.examples.candidates import Candidate, candidates
from linkspot.model.config import ModelConfig, ModelKind
from linkspot.model.cross.scoring import EncoderModel, PageModel
from linkspot.model.dual.dual import Dual, DualReader
from linkspot.model.dual.feature_table import NAMES, PAGE_NAMES
from linkspot.model.dual.head import Head
from linkspot.model.dual.page_view import Floats
from linkspot.model.dual.pca import Pca
from linkspot.model.dual.texts import DualSettings
from linkspot.model.encoder_inputs import EncoderInputMaker
from linkspot.model.inputs import Form, Inputs
from linkspot.model.mlp import Mlp
from linkspot.model.pooling import NOWHERE, PLACE
from linkspot.model.shipped import shipped_model
from linkspot.parsing import parse
from linkspot.records import Article, Entity, Markup, Section
from linkspot.tables.schemas import article_of, section_rows

SIZES = (20, 100, 500, 2_000)
THREADS = 2
_PAPERS_BATCH, _PAPERS_LENGTH = 12, 512
_BATCHES = 3  # measured batches of the paper's recipe, spread over the page; the others are extrapolated
_PASSES = 2  # over these batches; the shorter time of each counts
_SPECIAL = SpecialTokens(first=0, separator=2, padding=1)
_ENOUGH = 4.0  # seconds to measure one method on one size
_TWO = "`dual`, ONNX int8, two layers"
_PADDED = "the paper's recipe as released, padded to 512 tokens"
_DYNAMIC = "the same recipe with dynamic padding"
_SHIPPED = "the model that comes with linkspot"
_PLOT = Path(__file__).parent / "page_speed.svg"


@dataclass(frozen=True)
class Method:
    """One way of ranking a page: its name, and the function that is measured."""

    name: str
    run: Callable[[Entity, Article], object]
    most: int = max(SIZES)  # sentences that it can rank in reasonable time
    has_seen: bool = False  # whether it has ranked the page before it is measured


def measure() -> str:
    """Return a table of every method and size, as multiples of the paper's speed, and draw a plot of it."""
    import torch

    torch.set_num_threads(THREADS)
    entity, pages = question()
    inputs = Inputs.of_folder(e5(), _SPECIAL, ModelConfig(ModelKind.ARTICLE, _SPECIAL).budget)
    encoders = _encoders()
    papers, dynamic = (
        {size: _papers_seconds(encoders["torch fp32"], inputs, entity, pages[size], length) for size in SIZES}
        for length in (_PAPERS_LENGTH, 0)
    )
    lines = [
        "| | " + " | ".join(f"{size:,} sentences" for size in SIZES) + " | 100 → 2,000, against linear |",
        "| --- " + "| ---: " * (len(SIZES) + 1) + "|",
        f"| {_PADDED} | " + " | ".join(f"{papers[size]:,.1f} s" for size in SIZES) + " | |",
        f"| {_DYNAMIC} | " + " | ".join(f"{papers[size] / dynamic[size]:.2f} ×" for size in SIZES) + " | |",
    ]
    speeds: dict[str, dict[int, float]] = {}
    for method in _methods(encoders, inputs):
        seconds = {size: _seconds(method, entity, pages[size]) for size in SIZES if size <= method.most}
        speeds[method.name] = {size: papers[size] / took for size, took in seconds.items()}
        cells = [f"{speeds[method.name][size]:,.0f} ×" if size in seconds else "" for size in SIZES]
        growth = f"{seconds[2_000] / seconds[100] / 20:.2f} ×" if 2_000 in seconds else ""
        lines.append(f"| {method.name} | {' | '.join(cells)} | {growth} |")
    lines += ["", *_against_dynamic(speeds, {size: papers[size] / dynamic[size] for size in SIZES})]
    _draw(speeds)
    ceiling = _ceiling(sum(len(chunk.ids) for chunk in shipped_dual().reader.sequences(entity, pages[100])), speeds)
    return "\n".join([*lines, "", _memory(), "", _NOTE, "", ceiling, "", "![Speed by page length](page_speed.svg)"])


def _against_dynamic(speeds: dict[str, dict[int, float]], gains: dict[int, float]) -> list[str]:
    """Return the table of what is left of our model's speed against the recipe without needless padding."""
    rows = [
        f"| {name} | " + " | ".join(f"{speed / gains[size]:,.0f} ×" for size, speed in by_size.items()) + " |"
        for name, by_size in speeds.items()
        if name.startswith(_SHIPPED)
    ]
    head = f"| against {_DYNAMIC} | " + " | ".join(f"{size:,} sentences" for size in SIZES) + " |"
    return [head, "| --- " + "| ---: " * len(SIZES) + "|", *rows]


_NOTE = f"""The encoder is multilingual-e5-small, on {THREADS} threads; pages are real sentences of the Ukrainian
Wikipedia. The paper's recipe: torch, float32, a window for each sentence with the target in it, in batches of
{_PAPERS_BATCH}; as released each window is padded to {_PAPERS_LENGTH} tokens, with dynamic padding to the longest of
its batch. {_BATCHES} batches, spread over the page, are measured and the others extrapolated. The shortest of several
runs counts, on both sides, since other programs run on this machine. Only
the model that comes with linkspot has trained heads, which makes no difference to the time."""


def _ceiling(tokens: int, speeds: dict[str, dict[int, float]]) -> str:
    """Say how much of the speed comes from fewer tokens, how much from faster ones, and what the limit is."""
    papers = 100 * _PAPERS_LENGTH
    fewer = papers / tokens
    faster, most = speeds[_SHIPPED][100] / fewer, 4 * fewer
    return f"""For 100 sentences the paper's recipe sends {papers:,} tokens through the encoder, the model that
comes with linkspot {tokens:,}, {fewer:.1f} times fewer, and needs for each, with everything else that it does,
1 / {faster:.1f} of the time: 8 bits instead of 32. A processor handles four times as many 8-bit numbers at once as
32-bit numbers, so {most:.0f} × would be the limit for this encoder if nothing else took time and torch were optimal.
150 × needs an encoder with fewer layers: `fast` keeps two; the paper's recipe has all of them here."""


def question() -> tuple[Entity, dict[int, Article]]:
    """Return a target and real pages of each size, made from sections of articles."""
    sections: list[Section] = []
    count = 0
    for page in wikipedia("uk", 60):
        article = parse(page)
        sections += article.sections
        count += len(article.sentences)
        if count > max(SIZES):
            break
    pages = {size: _cut(sections, size) for size in SIZES}
    target = parse(next(islice(wikipedia("uk", 80), 70, None)))
    return Entity(target.title, target.lead, (target.title,)), pages


def _cut(sections: list[Section], size: int) -> Article:
    """Return an article with so many sentences."""
    kept, left = [], size
    for row in section_rows(Article("", "uk", tuple(sections), Markup.WIKITEXT), str):
        if left <= 0:
            break
        row["sentences"] = row["sentences"][:left]
        left -= len(row["sentences"])
        kept.append(row)
    return article_of("Сторінка", "uk", kept)


def _encoders() -> dict[str, Encoder]:
    from linkspot.encoders.torch_encoder import TorchEncoder, load_encoder

    return {
        "torch fp32": TorchEncoder(load_encoder(e5()), _SPECIAL.padding),
        "ONNX fp32": OnnxEncoder(exported(int8=False), THREADS),
        "ONNX int8": OnnxEncoder(exported(int8=True), THREADS),
    }


def _papers_seconds(encoder: Encoder, inputs: Inputs, entity: Entity, page: Article, length: int) -> float:
    """Return how long the paper's recipe takes for a page, padded to a length or (0) to the longest of each batch."""
    places = candidates(page)
    starts = np.linspace(0, len(places) - _PAPERS_BATCH, _BATCHES).astype(int)
    batches = [places[start : start + _PAPERS_BATCH] for start in dict.fromkeys(starts.tolist())]
    took = [min(_batch_seconds(encoder, inputs, entity, batch, length) for _ in range(_PASSES)) for batch in batches]
    return sum(took) / len(took) / _PAPERS_BATCH * len(page.sentences)


def _batch_seconds(encoder: Encoder, inputs: Inputs, entity: Entity, batch: list[Candidate], length: int) -> float:
    import torch

    model, form = encoder.model, Form(marks=False)  # type: ignore[attr-defined]
    start = time.perf_counter()
    # The recipe tokenises the target again for each window.
    windows = [inputs.window(inputs.target(entity), *inputs.candidate(place), form) for place in batch]
    longest = length or max(map(len, windows))
    ids, mask = padded([*windows, (1,) * longest], _SPECIAL.padding)
    with torch.inference_mode():
        model(input_ids=torch.from_numpy(ids[:-1]), attention_mask=torch.from_numpy(mask[:-1]))
    return time.perf_counter() - start


def _methods(encoders: dict[str, Encoder], inputs: Inputs) -> list[Method]:
    methods: list[Method] = []
    for kind in ("article", "dual"):
        for name, encoder in encoders.items():
            most = 100 if name == "torch fp32" else max(SIZES)
            methods.append(Method(f"`{kind}`, {name}", _fresh(encoder, kind, inputs), most))
    two = OnnxEncoder(two_layers(), THREADS)
    return [
        *methods,
        Method(_TWO, _fresh(two, "dual", inputs)),
        Method(f"{_TWO}, the page's vectors kept", _kept(page_model(two, "dual", inputs)), has_seen=True),
        Method(_SHIPPED, lambda entity, page: shipped_dual().scores(entity, page)),
        Method(f"{_SHIPPED}, the page's vectors kept", _kept(shipped_dual()), has_seen=True),
        Method(f"{_SHIPPED}, the page's and the target's kept", shipped_dual().scores, has_seen=True),
    ]


def _fresh(encoder: Encoder, kind: str, inputs: Inputs) -> Callable[[Entity, Article], object]:
    """Return a function that ranks with a model that has never seen the page."""
    return lambda entity, page: page_model(encoder, kind, inputs).scores(entity, page)


def _kept(model: PageModel) -> Callable[[Entity, Article], object]:
    """Return a function that ranks a page that the model knows for a target that it does not know."""
    number = 0

    def run(entity: Entity, page: Article) -> object:
        nonlocal number
        number += 1
        return model.scores(Entity(f"{entity.title} {number}", f"{number} {entity.lead}", entity.mentions), page)

    return run


def page_model(encoder: Encoder, kind: str, inputs: Inputs) -> PageModel:
    """Return a model of a kind with untrained heads."""
    if kind == "dual":
        head = Head(_mlp(len(NAMES)), _mlp(len(PAGE_NAMES)))
        return Dual(DualReader(encoder, inputs, DualSettings(page_prefix="passage: ", target_prefix="query: ")), head)
    config = ModelConfig(ModelKind(kind), _SPECIAL)
    size = encoder.dimensions
    heads: dict[str, Floats] = {}
    for name, vectors in ((PLACE, 2 if kind == "article" else 1), (NOWHERE, 1)):
        heads |= _mlp(size * vectors).tensors(name)
    return EncoderModel(encoder, EncoderInputMaker(inputs, config), heads)


def shipped_dual() -> Dual:
    """Return the model that comes with linkspot, with nothing cached."""
    encoder, inputs, config, head, pca = _shipped_parts()
    return Dual(DualReader(encoder, inputs, DualSettings.of(config.extra), pca=pca), head)


@cache
def _shipped_parts() -> tuple[Encoder, Inputs, ModelConfig, Head, Pca | None]:
    folder = shipped_model()
    config = ModelConfig.of_folder(folder)
    inputs = Inputs.of_folder(folder, config.special, config.budget)
    return OnnxEncoder(folder, THREADS), inputs, config, Head.of_folder(folder), Pca.of_folder(folder)


def _mlp(inputs: int, hidden: int = 192) -> Mlp:
    draw = np.random.default_rng(0)
    shapes = ((hidden, inputs), (hidden,), (1, hidden), (1,))
    return Mlp(*(draw.normal(0, 0.05, shape).astype(np.float32) for shape in shapes))


def _seconds(method: Method, entity: Entity, page: Article) -> float:
    """Return the shortest of as many runs as fit into a few seconds: the others were disturbed."""
    if method.has_seen:
        method.run(entity, page)
    times: list[float] = []
    while not times or (sum(times) < _ENOUGH and len(times) < 30):
        start = time.perf_counter()
        method.run(entity, page)
        times.append(time.perf_counter() - start)
    return min(times)


def _memory() -> str:
    """Return a table of the peak memory of processes that rank a page of each size."""
    lines = ["| peak memory of a process that ranks one page | " + " | ".join(f"{size:,}" for size in SIZES) + " |"]
    lines.append("| --- " + "| ---: " * len(SIZES) + "|")
    for kind, name in (("article", "`article`, ONNX int8"), ("shipped", _SHIPPED)):
        peaks = []
        for size in SIZES:
            command = [sys.executable, "-m", "bench.page_memory", kind, str(size)]
            process = subprocess.run(
                command, check=True, capture_output=True, text=True, cwd=Path(__file__).parent.parent
            )
            peaks.append(f"{int(process.stdout) / 1e6:,.0f} MB")
        lines.append(f"| {name} | {' | '.join(peaks)} |")
    return "\n".join(lines)


def _draw(speeds: dict[str, dict[int, float]]) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    for name, by_size in speeds.items():
        axes.plot(list(by_size), list(by_size.values()), marker="o", label=name.replace("`", ""))
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="sentences of the page",
        ylabel="times as fast as the paper's recipe, padded to 512",
    )
    axes.grid(visible=True, which="both", alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(_PLOT, metadata={"Date": None})
