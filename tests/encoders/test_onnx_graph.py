"""ONNX files of strangers: graphs that never end are refused before onnxruntime sees them."""

import shutil
import time
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from linkspot.encoders import packed
from linkspot.encoders.onnx_encoder import EMBEDDINGS, GRAPH, MASK, VECTORS, OnnxEncoder
from linkspot.encoders.onnx_graph import check_graph
from linkspot.errors import UnusableInput
from linkspot.model.shipped import shipped_model

FLOATS = helper.make_tensor_value_info(EMBEDDINGS, TensorProto.FLOAT, ["n", "t", "h"])
NUMBERS = helper.make_tensor_value_info(MASK, TensorProto.INT64, ["n", "t"])
OUT = helper.make_tensor_value_info(VECTORS, TensorProto.FLOAT, ["n", "t", "h"])
CONSTANTS = [
    helper.make_tensor("trips", TensorProto.INT64, [], [2**62]),
    helper.make_tensor("yes", TensorProto.BOOL, [], [True]),
]


def _model(node: onnx.NodeProto, **further: object) -> onnx.ModelProto:
    graph = helper.make_graph([node], "encoder", [FLOATS, NUMBERS], [OUT], CONSTANTS)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9, **further)


def _endless() -> onnx.ModelProto:
    """A real loop of 2 ** 62 rounds that copies its input."""
    inside = helper.make_graph(
        [helper.make_node("Identity", ["go_on"], ["still"]), helper.make_node("Identity", ["before"], ["after"])],
        "body",
        [
            helper.make_tensor_value_info("round", TensorProto.INT64, []),
            helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("before", TensorProto.FLOAT, ["n", "t", "h"]),
        ],
        [
            helper.make_tensor_value_info("still", TensorProto.BOOL, []),
            helper.make_tensor_value_info("after", TensorProto.FLOAT, ["n", "t", "h"]),
        ],
    )
    return _model(helper.make_node("Loop", ["trips", "yes", EMBEDDINGS], [VECTORS], body=inside))


def _with_function() -> onnx.ModelProto:
    copy = helper.make_node("Identity", ["x"], ["y"])
    function = helper.make_function("own", "Copy", ["x"], ["y"], [copy], [helper.make_opsetid("", 17)])
    model = _model(helper.make_node("Copy", [EMBEDDINGS], [VECTORS], domain="own"))
    model.opset_import.append(helper.make_opsetid("own", 1))
    model.functions.append(function)
    return model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "model"
    shutil.copytree(shipped_model(), path)
    packed.packed_form(path / GRAPH).unlink(missing_ok=True)
    return path


def test_a_loop_that_never_ends_is_refused_before_it_runs(folder: Path) -> None:
    onnx.checker.check_model(_endless())
    (folder / GRAPH).write_bytes(_endless().SerializeToString())
    begun = time.monotonic()
    with pytest.raises(UnusableInput, match=r"cannot be run; .*the operator Loop, which may never end"):
        OnnxEncoder(folder).encode([(0, 5, 2)])
    assert time.monotonic() - begun < 20


def test_a_loop_is_refused_in_a_packed_file_too(folder: Path) -> None:
    (folder / GRAPH).write_bytes(_endless().SerializeToString())
    packed.pack(folder / GRAPH)
    with pytest.raises(UnusableInput, match="the operator Loop"):
        OnnxEncoder(folder)


def test_functions_and_graphs_inside_other_operators_are_refused() -> None:
    with pytest.raises(UnusableInput, match="functions of its own"):
        check_graph(_with_function().SerializeToString())
    hidden = _endless()
    hidden.graph.node[0].op_type = "Unheard"
    with pytest.raises(UnusableInput, match="a graph inside it"):
        check_graph(hidden.SerializeToString())
    hidden.graph.node[0].attribute[0].name = "then_branch"
    with pytest.raises(UnusableInput, match="a graph inside it"):
        check_graph(hidden.SerializeToString())


def test_ordinary_graphs_pass_and_damaged_ones_are_reported() -> None:
    model = _model(helper.make_node("Identity", [EMBEDDINGS], [VECTORS])).SerializeToString()
    check_graph(model)
    check_graph(packed.read(shipped_model() / GRAPH))
    draw = np.random.default_rng(5)
    for length in (0, 1, 17, len(model) // 2, len(model) - 1):
        with pytest.raises(UnusableInput):
            check_graph(model[:length])
    for _ in range(300):
        damaged = bytearray(model)
        damaged[draw.integers(len(model))] = draw.integers(256)
        try:
            check_graph(bytes(damaged))
        except UnusableInput as error:
            assert str(error)  # noqa: PT017 (it may also pass: many bytes are names)
