"""What stands in an ONNX file, read without running it: a graph that can run for ever is refused.

An ONNX file is one protobuf message. Only its nodes are looked at; weights are skipped by their lengths.
"""

from collections.abc import Iterator
from typing import NamedTuple

from linkspot.errors import UnusableInput

# The numbers of fields in onnx.proto.
_MODEL_GRAPH, _MODEL_FUNCTIONS = 7, 25
_GRAPH_NODE = 1
_NODE_OPERATOR, _NODE_ATTRIBUTE = 4, 5
_ATTRIBUTE_GRAPHS = frozenset({6, 11})  # one graph, or several
_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5
_LONGEST_VARINT = 10  # bytes of 64 bits
_ENDLESS = frozenset({b"If", b"Loop", b"Scan", b"SequenceMap"})  # they run other graphs, as often as they like


class _Field(NamedTuple):
    number: int
    content: memoryview  # of a message, text or list; empty for a number


def check_graph(data: bytes) -> None:
    """Refuse an ONNX file with loops, branches or functions: encoders need none, and a loop may never end."""
    nodes = 0
    for part in _fields(memoryview(data)):
        if part.number == _MODEL_FUNCTIONS:
            raise UnusableInput("its graph defines functions of its own; an encoder has none")
        if part.number == _MODEL_GRAPH:
            nodes += sum(_check_node(field.content) for field in _fields(part.content) if field.number == _GRAPH_NODE)
    if not nodes:
        raise UnusableInput("it has no graph")


def _check_node(node: memoryview) -> int:
    for field in _fields(node):
        if field.number == _NODE_OPERATOR and bytes(field.content) in _ENDLESS:
            raise UnusableInput(f"its graph has the operator {bytes(field.content).decode()}, which may never end")
        if field.number == _NODE_ATTRIBUTE and any(part.number in _ATTRIBUTE_GRAPHS for part in _fields(field.content)):
            raise UnusableInput("an operator of its graph has a graph inside it, which may never end")
    return 1


def _fields(message: memoryview) -> Iterator[_Field]:
    """Yield the fields of a protobuf message."""
    position = 0
    while position < len(message):
        key, position = _varint(message, position)
        kind, length = key & 7, 0
        if kind == _VARINT:
            _, position = _varint(message, position)
        elif kind == _LENGTH:
            length, position = _varint(message, position)
        elif kind in {_EIGHT_BYTES, _FOUR_BYTES}:
            position += 8 if kind == _EIGHT_BYTES else 4
        else:
            raise UnusableInput("it is not an ONNX file")
        if position + length > len(message):
            raise UnusableInput("it is cut off")
        yield _Field(key >> 3, message[position : position + length])
        position += length


def _varint(message: memoryview, position: int) -> tuple[int, int]:
    """Return the number that begins at a position, seven bits in each byte, and where it ends."""
    number = 0
    for count, byte in enumerate(message[position : position + _LONGEST_VARINT]):
        number |= (byte & 0x7F) << (7 * count)
        if byte < 0x80:
            return number, position + count + 1
    raise UnusableInput("it is cut off")
