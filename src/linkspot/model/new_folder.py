"""A folder for a model: made whole or not at all, and never over another."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from linkspot.errors import UnusableInput
from linkspot.tables.folder import is_free, unfinished


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """Give a folder to write to, which gets its own name once all is written; `out` must be new or empty."""
    if not is_free(out):
        raise UnusableInput(f"{out} is there already and not empty; choose another folder, or remove it first")
    with unfinished(out) as folder:
        folder.mkdir()
        try:
            yield folder
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)  # half a model is of no use and takes much room
            raise
