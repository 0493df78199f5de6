"""Files of a model's folder that may be packed, so that a model fits into a package: `NAME.gz` instead of `NAME`."""

import gzip
import zlib
from pathlib import Path

from linkspot.errors import UnusableInput

_ENDING = ".gz"
_BEST = 9


def packed_form(path: Path) -> Path:
    """Return where a file is when it is packed."""
    return path.with_name(path.name + _ENDING)


def is_there(path: Path) -> bool:
    """Return whether there is such a file, packed or not."""
    return path.is_file() or packed_form(path).is_file()


def read(path: Path) -> bytes:
    """Return what a file holds, packed or not."""
    if path.is_file():
        return path.read_bytes()
    try:
        return gzip.decompress(packed_form(path).read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise UnusableInput(f"{packed_form(path)} cannot be unpacked; export the model again ({error})") from None


def pack(path: Path) -> None:
    """Pack a file; the same file always gives the same bytes."""
    packed_form(path).write_bytes(gzip.compress(path.read_bytes(), _BEST, mtime=0))
    path.unlink()
