"""Encoder → ONNX: a graph that starts from embeddings, a table of the embeddings, and what else serving needs to know.

BERT, RoBERTa, XLM-R, MPNet, DistilBERT, DeBERTa-v2, ModernBERT and T5's encoder are known to work. For every family the
exported graph is compared with torch before anything is kept.
"""

import logging
import os
import shutil
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedModel

from linkspot.encoders import packed
from linkspot.encoders.embedding_table import write_table
from linkspot.encoders.encoder import TokenIds
from linkspot.encoders.export_check import ExportCheck, check_export
from linkspot.encoders.onnx_encoder import EMBEDDINGS, GRAPH, MASK, VECTORS, EncoderFacts, OnnxEncoder
from linkspot.encoders.tokenizer import TOKENIZER
from linkspot.encoders.torch_encoder import TorchEncoder, load_encoder, longest_sequence
from linkspot.encoders.unigram_tokenizer import write_unigram_tokenizer
from linkspot.errors import UnusableInput, first_line
from linkspot.files import new_folder

_OPSET = 17  # the newest that the tracing exporter writes
_FUSED_FAMILIES = frozenset({"bert", "roberta", "xlm-roberta", "camembert", "electra", "mpnet", "distilbert"})
_GOOD = 0.99  # mean cosine; below it int8 has to be more careful
_FAITHFUL = 0.999  # cosine; below it a float32 graph does not compute what torch does
# Files that only torch reads; the heads of a linkspot model are not among them.
_WEIGHTS = ("model*.safetensors", "model*.safetensors.index.json", "pytorch_model*", "*.pt", "*.pth")


def export_encoder(
    model: PreTrainedModel,
    out: Path,
    padding_id: int,
    int8: bool = True,
    embedding_bits: int = 8,
    is_careful: bool = False,
) -> None:
    """Write graph, embeddings and facts of an encoder into a folder; a graph that differs from torch is an error.

    A careful int8 keeps the widest sums in float32: half of the gain in speed, a third of the loss in accuracy.
    """
    family = str(model.config.model_type)
    graph = out / GRAPH
    out.mkdir(parents=True, exist_ok=True)
    with _quietly(), _ready_for_tracing(model):
        _trace(model, graph, family)
        if family in _FUSED_FAMILIES:
            _fuse(graph, model)
    facts = EncoderFacts(int(model.config.hidden_size), longest_sequence(model), padding_id, family, int8)
    facts.save(out)
    weights = _embeddings(model).detach().float().cpu().numpy()
    write_table(weights, 32, out)
    _check_graph(model, out, facts)
    if embedding_bits != 32:
        write_table(weights, embedding_bits, out)
    if int8:
        with _quietly():
            _quantise(graph, is_careful)


def export_folder(
    folder: Path,
    out: Path,
    sequences: Sequence[TokenIds] = (),
    int8: bool = True,
    embedding_bits: int = 8,
    is_packed: bool = False,
) -> ExportCheck:
    """Export a model's folder, without torch's weights, to a new one, and compare both on some sequences.

    The encoder is the folder itself, or its folder `encoder`. Without sequences, tokens are drawn.
    """
    if not folder.is_dir():
        raise UnusableInput(f"there is no folder {folder}; expected one that `linkspot train` or `pretrained` made")
    inner = Path("encoder") if (folder / "encoder").is_dir() else Path()
    with new_folder(out) as made:
        model = load_encoder(folder / inner)
        padding = model.config.pad_token_id or 0
        shutil.copytree(folder, made, ignore=shutil.ignore_patterns(*_WEIGHTS), dirs_exist_ok=True)
        before = TorchEncoder(model, padding)
        samples = [sequence[: before.longest] for sequence in sequences] or _samples(model, padding)
        export_encoder(model, made / inner, padding, int8, embedding_bits)
        check = check_export(before, OnnxEncoder(made / inner), samples)
        if int8 and check.mean < _GOOD:
            export_encoder(model, made / inner, padding, int8, embedding_bits, is_careful=True)
            check = check_export(before, OnnxEncoder(made / inner), samples)
        tokenizer = made / inner / TOKENIZER
        if tokenizer.is_file():
            write_unigram_tokenizer(tokenizer.read_bytes(), tokenizer.parent)
        for path in (made / inner / GRAPH, tokenizer) if is_packed else ():
            if path.is_file():
                packed.pack(path)
        return check


class _FromEmbeddings(torch.nn.Module):
    """The encoder without its vocabulary, with two inputs and one output."""

    def __init__(self, model: PreTrainedModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, embeddings: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """(batch, tokens, width) and (batch, tokens) to (batch, tokens, dimensions)."""
        vectors: torch.Tensor = self.model(inputs_embeds=embeddings, attention_mask=mask).last_hidden_state
        return vectors


def _trace(model: PreTrainedModel, graph: Path, family: str) -> None:
    width = _embeddings(model).shape[1]
    mask = torch.ones(2, 9, dtype=torch.int64)
    mask[1, 6:] = 0  # so that the mask is not traced as one that hides nothing
    axes = {0: "batch", 1: "tokens"}
    try:
        with torch.no_grad():
            # Tracing, not the newer exporter: attention can be fused only in its graphs.
            torch.onnx.export(
                _FromEmbeddings(model),
                (torch.randn(2, 9, width), mask),
                graph,
                input_names=[EMBEDDINGS, MASK],
                output_names=[VECTORS],
                dynamic_axes=dict.fromkeys((EMBEDDINGS, MASK, VECTORS), axes),
                opset_version=_OPSET,
                dynamo=False,
            )
    except (RuntimeError, TypeError, ValueError, torch.onnx.errors.OnnxExporterError) as error:
        raise UnusableInput(f"encoders of the family {family} cannot be exported: {first_line(error)}") from None


def _fuse(graph: Path, model: PreTrainedModel) -> None:
    """Replace the many small steps of attention, GELU and layer norms by one each."""
    from onnxruntime.transformers.fusion_options import FusionOptions
    from onnxruntime.transformers.optimizer import optimize_model

    options = FusionOptions("bert")
    options.enable_skip_layer_norm = False  # see SLOW_FUSIONS
    sizes = {"num_heads": model.config.num_attention_heads, "hidden_size": model.config.hidden_size}
    fused = optimize_model(str(graph), "bert", **sizes, optimization_options=options, opt_level=0)
    fused.save_model_to_file(str(graph))


def _quantise(graph: Path, is_careful: bool) -> None:
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    float32 = graph.with_suffix(".float32")
    graph.replace(float32)
    quantize_dynamic(
        float32,
        graph,
        op_types_to_quantize=["MatMul", "Attention"],
        per_channel=True,
        # 7 bits of weights: processors without VNNI would overflow with 8, and it costs 0.0004 of cosine.
        reduce_range=True,
        weight_type=QuantType.QInt8,
        nodes_to_exclude=_widest(onnx.load(float32).graph) if is_careful else [],
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )
    float32.unlink()


def _widest(graph: Any) -> list[str]:
    """Return the names of products from many numbers to fewer: the ends of feed-forward layers.

    Their inputs have a few numbers far larger than all others; eight bits cannot hold both.
    """
    shapes = {weights.name: list(weights.dims) for weights in graph.initializer}
    products = [node for node in graph.node if node.op_type == "MatMul" and len(shapes.get(node.input[1], ())) == 2]
    return [node.name for node in products if shapes[node.input[1]][0] > shapes[node.input[1]][1]]


def _check_graph(model: PreTrainedModel, out: Path, facts: EncoderFacts) -> None:
    before = TorchEncoder(model, facts.padding)
    try:
        check = check_export(before, OnnxEncoder(out), _samples(model, facts.padding))
    except Exception as error:  # noqa: BLE001 (onnxruntime's errors have no common ancestor of their own)
        raise UnusableInput(f"encoders of the family {facts.family} cannot be exported: {first_line(error)}") from None
    if not check.worst >= _FAITHFUL:
        raise UnusableInput(
            f"encoders of the family {facts.family} cannot be exported: the graph's vectors differ from torch's "
            f"(cosine {check.worst:.3f}, expected at least {_FAITHFUL})"
        )


def _samples(model: PreTrainedModel, padding: int) -> list[list[int]]:
    """Return token ids drawn by a seed, in lengths from one to some hundreds, none of them padding."""
    draw = np.random.default_rng(0)
    tokens = [token for token in range(len(_embeddings(model))) if token != padding]
    longest = longest_sequence(model)
    return [draw.choice(tokens, size=min(length, longest)).tolist() for length in (1, 7, 40, 300)]


def _embeddings(model: PreTrainedModel) -> torch.Tensor:
    """Return the vocabulary's embeddings: (tokens, width)."""
    weights = model.get_input_embeddings().weight
    if not isinstance(weights, torch.Tensor):
        raise UnusableInput(f"a {model.config.model_type} model has no table of embeddings, so it cannot be exported")
    return weights


@contextmanager
def _ready_for_tracing(model: PreTrainedModel) -> Iterator[None]:
    """Let attention be computed in plain steps, without dropout; afterwards all is as before."""
    attention, was_training = model.config._attn_implementation, model.training
    model.set_attn_implementation("eager")
    model.train(False)
    try:
        yield
    finally:
        model.set_attn_implementation(attention)
        model.train(was_training)


@contextmanager
def _quietly() -> Iterator[None]:
    """Suppress the warnings of tracer and optimiser; the result is compared with torch anyway."""
    level = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings(), _without_output():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)


@contextmanager
def _without_output() -> Iterator[None]:
    """Let nothing reach standard output: a tracer that fails prints the whole graph, from C++."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
