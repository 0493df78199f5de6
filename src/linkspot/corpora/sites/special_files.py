"""Special files of a repository: pipes and devices that git would open, and wait for, while it reads something else."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

_READ_BY_GIT = frozenset({".gitattributes", ".gitignore", ".gitmodules", ".mailmap"})


def special_file(work_tree: Path, git_folders: list[Path]) -> Path | None:
    """Return a pipe, device or socket that git may open: any in its own folders, and its own files in the work tree."""
    own = (file for folder in git_folders for file in _files_below(folder))
    in_tree = (file for file in _files_below(work_tree, leave_out=".git") if file.name in _READ_BY_GIT)
    return next((Path(file.path) for files in (own, in_tree) for file in files if _is_special(file)), None)


def _files_below(folder: Path, leave_out: str = "") -> Iterator["os.DirEntry[str]"]:
    """Yield all files below a folder; links to folders are not followed."""
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if not entry.is_dir(follow_symlinks=False):
                        yield entry
                    elif entry.name != leave_out:
                        waiting.append(entry.path)
        except OSError:  # a folder that cannot be read, which git cannot read either
            continue


def _is_special(file: "os.DirEntry[str]") -> bool:
    try:
        mode = file.stat().st_mode  # of what a link leads to
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
