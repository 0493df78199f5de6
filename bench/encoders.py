"""The encoder to measure, multilingual-e5-small, for torch and exported: made once, then kept in .cache/."""

from functools import cache
from pathlib import Path

CACHE = Path(__file__).parent / ".cache"


@cache
def e5() -> Path:
    """Return the Hugging Face folder of the encoder."""
    folder = CACHE / "e5-small"
    if not folder.exists():
        from linkspot.encoders.pretrained import save_pretrained

        save_pretrained("e5-small-multilingual", folder)
    return folder


@cache
def exported(int8: bool, embedding_bits: int = 4) -> Path:
    """Return the folder of the exported encoder: int8 with embeddings of so many bits, or float32."""
    folder = CACHE / (f"e5-small-int8-{embedding_bits}" if int8 else "e5-small-onnx")
    if not folder.exists():
        from linkspot.encoders.export import export_folder

        export_folder(e5(), folder, int8=int8, embedding_bits=embedding_bits if int8 else 32)
    return folder


@cache
def trained() -> Path:
    """Return the folder of the exported encoder that the shipped model's head learned from."""
    folder = CACHE / "trained-int8"
    if not folder.exists():
        from linkspot.encoders.export import export_folder

        export_folder(CACHE / "model", folder)  # as `scripts/train` makes it
    return folder


@cache
def similarity() -> Path:
    """Return the folder of the exported encoder with the configuration of the model that comes with linkspot."""
    folder = CACHE / "similarity"
    if not folder.exists():
        from shutil import copytree

        from linkspot.model.config import ModelConfig
        from linkspot.model.shipped import shipped_model

        copytree(exported(int8=True), folder)
        ModelConfig.of_folder(shipped_model()).save(folder)
    return folder


@cache
def two_layers() -> Path:
    """Return the folder of the encoder with only its first and last layer, untrained: enough to measure speed."""
    folder = CACHE / "e5-small-two-layers"
    if not folder.exists():
        from linkspot.encoders.export import export_encoder
        from linkspot.encoders.torch_encoder import keep_layers, load_encoder
        from linkspot.files import new_folder

        model = load_encoder(e5())
        keep_layers(model, (0, model.config.num_hidden_layers - 1))
        with new_folder(folder) as out:
            export_encoder(model, out, model.config.pad_token_id or 0, embedding_bits=4)
    return folder
