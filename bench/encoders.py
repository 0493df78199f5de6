"""The encoder that is measured, multilingual-e5-small, as torch has it and exported: made once, kept beside this."""

from functools import cache
from pathlib import Path

CACHE = Path(__file__).parent / ".cache"


@cache
def e5() -> Path:
    """Return the Hugging Face folder of the encoder."""
    folder = CACHE / "e5-small"
    if not folder.exists():
        from linkspot.model.pretrained import save_pretrained

        save_pretrained("e5-small-multilingual", folder)
    return folder


@cache
def exported(int8: bool, embedding_bits: int = 4) -> Path:
    """Return the exported encoder: int8 with embeddings of so many bits, or float32."""
    folder = CACHE / (f"e5-small-int8-{embedding_bits}" if int8 else "e5-small-onnx")
    if not folder.exists():
        from linkspot.model.export import export_folder

        export_folder(e5(), folder, int8=int8, embedding_bits=embedding_bits if int8 else 32)
    return folder
