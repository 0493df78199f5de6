"""Files: writing them so that they are complete or absent, and digests that tell large ones apart."""

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from linkspot.errors import UnusableInput, UnwritableTable

_UNFINISHED = ".unfinished"
_SAMPLE, _SAMPLES = 4_096, 64  # bytes of a sample, and samples of a file


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """Give a temporary path to write to, which gets its final name at the end: the file is complete or absent."""
    temporary = path.with_name(f".{path.name}{_UNFINISHED}")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove(temporary)
        yield temporary
        temporary.replace(path)


def overwrite(path: Path, data: bytes) -> None:
    """Replace what a file holds, at once: whoever reads it sees the old bytes or the new ones. Its mode stays.

    A symbolic link or a file that is write-protected is refused.
    """
    try:
        _replace(path, data, _writable_status(path))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnusableInput(f"{path} cannot be written: {reason}; nothing was changed") from error


def _writable_status(path: Path) -> os.stat_result:
    if path.is_symlink():
        raise OSError(errno.ELOOP, "it is a symbolic link; name the file that it leads to")
    status = path.stat()
    if not status.st_mode & stat.S_IWUSR or not os.access(path, os.W_OK):  # an administrator may write to any file
        raise OSError(errno.EACCES, "it is write-protected")
    return status


def _replace(path: Path, data: bytes, status: os.stat_result) -> None:
    descriptor, name = tempfile.mkstemp(_UNFINISHED, ".", path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        with suppress(PermissionError):  # only the administrator gives files to others
            shutil.chown(temporary, status.st_uid, status.st_gid)
        temporary.chmod(stat.S_IMODE(status.st_mode))
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def is_free(path: Path) -> bool:
    """Return whether a path is absent or an empty folder."""
    return not path.exists() or (path.is_dir() and not any(path.iterdir()))


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an error of the disk into one clear line."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        advice = "; make room" if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG} else ""
        raise UnwritableTable(
            f"{path} cannot be written: {reason}{advice}; what was written is kept, and the same command continues"
        ) from error


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """Give a temporary folder to write to, which becomes `out` at the end; `out` must be new or empty."""
    if not is_free(out):
        raise UnusableInput(f"{out} already exists and is not empty; choose another folder, or delete it first")
    with unfinished(out) as folder:
        folder.mkdir()
        try:
            yield folder
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)  # half a model is useless and takes a lot of space
            raise


def digest_of(paths: Iterable[Path]) -> str:
    """Return a digest of the names, the sizes and samples of the content of files."""
    digest = blake2b(digest_size=16)
    for path in sorted(paths):
        size = path.stat().st_size
        digest.update(f"{path.name} {size}\n".encode())
        with path.open("rb") as file:
            for number in range(_SAMPLES):
                file.seek(size * number // _SAMPLES)
                digest.update(file.read(_SAMPLE))
    return digest.hexdigest()


def read_regular(path: Path, limit: int) -> bytes:
    """Return the bytes of a regular file, at most one more than the limit; a pipe or a device is an OSError."""
    # Opened without waiting, since a pipe that nobody writes to would make it wait for ever.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Not a regular file")
        return file.read(limit + 1)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
