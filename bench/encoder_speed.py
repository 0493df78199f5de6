"""One encoder on the sentences of a real page: torch as in the paper, torch without unneeded padding, ONNX."""

import json
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from bench.encoders import e5, exported
from bench.wikis import SCHOOLS
from linkspot.model.dual.page_view import Floats

SENTENCES = 100
THREADS = 2
ROUNDS = 5
_LONG, _BATCH = 512, 12  # the paper's padding and batches
_SIDES = {
    "torch": "torch fp32, padded to 512, batches of 12",
    "torch-short": "torch fp32, padded to the longest of a batch",
    "onnx": "ONNX fp32",
    "onnx-int8": "ONNX int8",
}


def measure() -> str:
    """Return a table of times, sizes and memory; each side runs in its own process, on the same sentences."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for side, made in (("torch", e5()), ("onnx", exported(int8=False)), ("onnx-int8", exported(int8=True))):
            (folder / side).symlink_to(made)
        tokens = _write_sequences(folder)
        results = {side: _run_alone(side, folder) for side in _SIDES}
        sizes = {side: _megabytes(folder / side.removesuffix("-short")) for side in _SIDES}
        means = {side: np.load(folder / f"{side}.npy") for side in _SIDES}
    first = results["torch"]["seconds"]
    rows = [
        f"| {name} | {first / results[side]['seconds']:.1f} × | {sizes[side]:,.0f} MB "
        f"| {results[side]['megabytes']:,.0f} MB | {_cosines(means['torch'], means[side])} |"
        for side, name in _SIDES.items()
    ]
    return f"""multilingual-e5-small on the first {SENTENCES} sentences of an article of Wikipedia for Schools
({tokens:,} tokens), {THREADS} threads, best of {ROUNDS} rounds (the first side: one). Size: weights and embeddings;
memory: resident after the rounds; cosine of sentence means to the first side, in brackets after subtracting the mean
of all sentences.

| encoder | speed | size | memory | cosine: mean, worst |
| --- | ---: | ---: | ---: | ---: |
{chr(10).join(rows)}
"""


def _write_sequences(folder: Path) -> int:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "torch" / "tokenizer.json"))
    sequences = [tokenizer.encode(f"passage: {text}").ids[:_LONG] for text in read_sentences()]
    (folder / "sequences.json").write_text(json.dumps(sequences), encoding="utf-8")
    return sum(map(len, sequences))


def read_sentences() -> list[str]:
    """Return the first sentences of the first article that has enough of them."""
    from linkspot.parsing import parse
    from linkspot.records import Markup, Page

    with tarfile.open(SCHOOLS) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.name.endswith(".htm") else None
            if file is None:
                continue
            article = parse(Page("", file.read().decode("utf-8", "replace"), Markup.HTML, "en"))
            texts = [sentence.text for section in article.sections for sentence in section.sentences]
            if len(texts) >= SENTENCES:
                return texts[:SENTENCES]
    raise ValueError(f"no article of {SCHOOLS.name} has {SENTENCES} sentences")


def _run_alone(side: str, folder: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.encoder_speed", side, str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


def _side(side: str, folder: Path) -> dict[str, float]:
    """Measure one side in this process, and save its sentence means beside the weights."""
    import psutil

    sequences = json.loads((folder / "sequences.json").read_text(encoding="utf-8"))
    encode = _encoder(side, folder)
    encode(sequences[:3])  # the first run allocates buffers
    best = float("inf")
    for _ in range(1 if side == "torch" else ROUNDS):
        start = time.perf_counter()
        encoded = encode(sequences)
        best = min(best, time.perf_counter() - start)
    np.save(folder / f"{side}.npy", np.stack([vectors.mean(axis=0) for vectors in encoded]))
    return {"seconds": best, "megabytes": psutil.Process().memory_info().rss / 1e6}


def _encoder(side: str, folder: Path) -> Callable[[list[list[int]]], list[Any]]:
    if side.startswith("onnx"):
        from linkspot.encoders.onnx_encoder import OnnxEncoder

        return OnnxEncoder(folder / side, THREADS).encode
    import torch

    from linkspot.encoders.torch_encoder import TorchEncoder, load_encoder

    torch.set_num_threads(THREADS)
    model = load_encoder(folder / "torch")
    if side == "torch-short":
        return TorchEncoder(model, padding_id=1).encode
    return partial(_encode_padded, model.train(False))


def _encode_padded(model: Any, sequences: list[list[int]]) -> list[Any]:
    import torch

    encoded = []
    with torch.inference_mode():
        for start in range(0, len(sequences), _BATCH):
            batch = sequences[start : start + _BATCH]
            ids = torch.tensor([[*sequence, *[1] * (_LONG - len(sequence))] for sequence in batch])
            vectors = model(input_ids=ids, attention_mask=(ids != 1).long()).last_hidden_state.numpy()
            encoded += [row[: len(sequence)] for row, sequence in zip(vectors, batch, strict=True)]
    return encoded


def _cosines(first: Floats, other: Floats) -> str:
    raw, centred = _cosine(first, other), _cosine(first - first.mean(axis=0), other - first.mean(axis=0))
    return f"{raw.mean():.4f}, {raw.min():.4f} ({centred.mean():.3f}, {centred.min():.3f})"


def _cosine(first: Floats, other: Floats) -> Floats:
    cosines: Floats = (first * other).sum(axis=1) / np.linalg.norm(first, axis=1) / np.linalg.norm(other, axis=1)
    return cosines


def _megabytes(folder: Path) -> float:
    names = ("model.safetensors", "encoder.onnx", "embeddings.bin")
    return sum((folder / name).stat().st_size for name in names if (folder / name).exists()) / 1e6


if __name__ == "__main__":
    print(json.dumps(_side(sys.argv[1], Path(sys.argv[2]))))
