"""Digests: what tells large files from others without reading all of them."""

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

_SAMPLE, _SAMPLES = 4_096, 64  # bytes of a file, and in how many places


def digest_of(paths: Iterable[Path]) -> str:
    """Return a digest of the names, the sizes and samples of files."""
    digest = blake2b(digest_size=16)
    for path in sorted(paths):
        size = path.stat().st_size
        digest.update(f"{path.name} {size}\n".encode())
        with path.open("rb") as file:
            for number in range(_SAMPLES):
                file.seek(size * number // _SAMPLES)
                digest.update(file.read(_SAMPLE))
    return digest.hexdigest()
