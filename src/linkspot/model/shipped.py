"""The trained model that comes with linkspot, as data of this package."""

from pathlib import Path

from linkspot.encoders import packed
from linkspot.encoders.embedding_table import SHAPE, TABLE
from linkspot.encoders.onnx_encoder import FACTS, GRAPH
from linkspot.encoders.tokenizer import TOKENIZER
from linkspot.errors import UnusableInput
from linkspot.model.config import CARD, CONFIG, HEADS, PCA

_FOLDER = Path(__file__).with_name("default")
_FILES = (CARD, CONFIG, HEADS, PCA, GRAPH, FACTS, TABLE, SHAPE, TOKENIZER)


def shipped_model(folder: Path = _FOLDER) -> Path:
    """Return the folder of the model that comes with linkspot, an exported one; a missing file is an error."""
    missing = [name for name in _FILES if not packed.is_there(folder / name)]
    if missing:
        raise UnusableInput(
            f"the model that comes with linkspot is incomplete: {folder} lacks {', '.join(missing)}; "
            "install linkspot again from its wheel, or name another ranker, for instance bm25"
        )
    return folder
