"""Scratch folders: temporary folders that do not outlive their process, even one that is killed."""

import atexit
import os
import shutil
import stat
import tempfile
from pathlib import Path

from filelock import FileLock, Timeout

_PREFIX = "linkspot-scratch-"
_LOCK = ".in-use"

_locks: dict[Path, tuple[FileLock, int]] = {}  # of the folders in use, each with the process that made it


def scratch_folder() -> Path:
    """Return a new temporary folder, which is removed at the end of this process.

    A process that is killed cannot tidy up. So every new folder also removes those whose process is gone, which
    is seen by their lock: the system lets go of it whatever ends a process.
    """
    _remove_abandoned(Path(tempfile.gettempdir()))
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        lock = FileLock(folder / _LOCK, thread_local=False)
        try:
            lock.acquire()
        except OSError:  # another process took it for abandoned before it was locked
            continue
        if (folder / _LOCK).exists():
            _locks[folder] = lock, os.getpid()
            return folder
        lock.release()


def remove_scratch(folder: Path) -> None:
    """Remove a scratch folder that is no longer needed; a copy of the process that made it leaves it alone."""
    lock, process = _locks.get(folder, (None, 0))
    if lock is None or process != os.getpid():
        return
    shutil.rmtree(folder, ignore_errors=True)
    del _locks[folder]
    lock.release()


@atexit.register
def remove_all_scratch() -> None:
    """Remove the scratch folders of this process."""
    for folder in list(_locks):
        remove_scratch(folder)


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{_PREFIX}*"):
        if not _is_own(folder):
            continue
        lock = FileLock(folder / _LOCK)
        try:
            lock.acquire(timeout=0)
        except (OSError, Timeout):  # gone, or in use
            continue
        shutil.rmtree(folder, ignore_errors=True)
        lock.release()


def _is_own(folder: Path) -> bool:
    """Tell whether it is a folder that this user's linkspot has made and locked, no link and nothing of others."""
    try:
        facts = folder.lstat()
        return stat.S_ISDIR(facts.st_mode) and _is_of_this_user(facts) and (folder / _LOCK).is_file()
    except OSError:
        return False


def _is_of_this_user(facts: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or facts.st_uid == os.getuid()
