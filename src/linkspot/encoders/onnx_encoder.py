"""The exported encoder: onnxruntime runs it, embeddings come from a mapped table, torch is not needed."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkspot.encoders import packed
from linkspot.encoders.batching import encode_in_batches
from linkspot.encoders.embedding_table import EmbeddingTable
from linkspot.encoders.onnx_graph import check_graph
from linkspot.errors import UnusableInput, first_line
from linkspot.field_types import checked
from linkspot.machine import usable_cores

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from linkspot.encoders.encoder import TokenIds, Vectors

GRAPH, FACTS = "encoder.onnx", "encoder.json"
EMBEDDINGS, MASK, VECTORS = "inputs_embeds", "attention_mask", "vectors"  # what goes into the graph, and comes out
# In a batch: what fits into a core's cache. With 1,024, an int8 encoder of 384 dimensions takes 1.3 – 1.6 × the time.
_MOST_TOKENS = 256
# In 8 bits the largest number of a batch sets the scale for all of it. A sequence that is encoded alone always gets
# the same vectors. From 60 tokens on this takes no longer; sequences of 12 tokens take 1.5 × the time.
_ALONE = 1
# Sum and norm in one step are ten times as slow on a CPU as one after the other (onnxruntime 1.31).
SLOW_FUSIONS = ["SkipLayerNormFusion"]


@dataclass(frozen=True, slots=True)
class EncoderFacts:
    """What the graph of an encoder does not say by itself."""

    dimensions: int
    longest: int
    padding: int
    family: str
    int8: bool

    def save(self, folder: Path) -> None:
        """Write the facts beside the graph."""
        (folder / FACTS).write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")

    @classmethod
    def of_folder(cls, folder: Path) -> "EncoderFacts":
        """Read the facts from an exported folder."""
        try:
            return checked(cls(**json.loads((folder / FACTS).read_text(encoding="utf-8"))))
        except (OSError, ValueError, TypeError, RecursionError) as error:
            raise UnusableInput(
                f"{folder} is not an exported encoder: {FACTS} is missing or damaged ({error}); "
                "`linkspot export` writes it"
            ) from None


class OnnxEncoder:
    """Encodes with the graph of an exported folder, on so many threads (by default one for each usable core).

    Each thread runs sequences of its own. Sharing one sequence among threads, as onnxruntime would, is hardly faster
    than one thread; two threads that do not wait for each other do 1.5 to 1.8 times as much.
    """

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        self.facts = EncoderFacts.of_folder(folder)
        self._table = EmbeddingTable(folder)
        self._session = _session(folder / GRAPH)
        self._threads = ThreadPoolExecutor(threads or usable_cores())  # they start when there is work

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self.facts.dimensions

    @property
    def longest(self) -> int:
        """The most tokens that a sequence may have."""
        return self.facts.longest

    def encode(self, sequences: "Sequence[TokenIds]") -> "list[Vectors]":
        """Return for each sequence, in the same order, its vectors: (tokens, dimensions)."""
        most_tokens = _ALONE if self.facts.int8 else _MOST_TOKENS
        each = self._threads.map if len(sequences) > 1 else map
        return encode_in_batches(sequences, self._run, self.facts.padding, self.longest, most_tokens, each)

    def _run(self, ids: "npt.NDArray[np.int64]", mask: "npt.NDArray[np.int64]") -> "Vectors":
        (vectors,) = self._session.run([VECTORS], {EMBEDDINGS: self._table.lookup(ids), MASK: mask})
        return vectors  # type: ignore[no-any-return]


def is_exported(folder: Path) -> bool:
    """Return whether a folder has the graph of an encoder."""
    return packed.is_there(folder / GRAPH)


def _checked_graph(path: Path) -> Path | bytes:
    """Return what onnxruntime reads, after a look at what it would run."""
    data = packed.read(path)
    check_graph(data)
    return path if path.is_file() else data  # onnxruntime maps a file, which takes less memory


def _session(path: Path) -> Any:
    import onnxruntime  # here, so that only commands that run a model import it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # its warnings are about its own optimisations
    options.add_session_config_entry("session.load_model_format", "ONNX")  # what was checked, and no other format
    try:
        return onnxruntime.InferenceSession(
            _checked_graph(path),
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=SLOW_FUSIONS,
        )
    except Exception as error:  # noqa: BLE001 (onnxruntime's errors have no common ancestor of their own)
        raise UnusableInput(f"{path} cannot be run; export the model again ({first_line(error)})") from None
