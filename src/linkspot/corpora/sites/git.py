"""Git as a process: the one place that runs it, so that nothing in a stranger's repository runs with it."""

import os
import subprocess
from functools import cache
from typing import IO

from linkspot.errors import MissingExtra, UnreadablePage

NO_PROTOCOL = "none"
FILES_ONLY = "file"
_SETTINGS_FILES = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")

_MOST_MOVED = 1_000  # files that a commit moves and changes; git's own limit

# A repository's own settings can name programs and files. These override them, wherever the settings are included from.
_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    "core.alternateRefsCommand=",
    "core.pager=cat",
    "core.askPass=",
    "credential.helper=",
    f"diff.orderFile={os.devnull}",
    "gc.auto=0",
    "maintenance.auto=false",
    "log.showSignature=false",
    "protocol.allow=never",
    # Of more files that moved in one commit, only those that did not change are followed. Comparing all with all would
    # take hours in a repository that is made for it.
    f"diff.renameLimit={_MOST_MOVED}",
    # This would change what git writes.
    "log.showRoot=true",
)

# Neither the user's settings nor the system's count, and nothing is asked for, fetched or locked. The settings cannot
# override GIT_ALLOW_PROTOCOL: whatever program a remote names, git never connects to it.
_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",  # its messages are compared
}


def start_git(
    *arguments: str,
    stdin: int = subprocess.DEVNULL,
    stderr: int | IO[bytes] = subprocess.PIPE,
    protocols: str = NO_PROTOCOL,
) -> subprocess.Popen[bytes]:
    """Start git so that it runs no program but itself; its answers come through a pipe."""
    trusted = (f"safe.directory={folder}" for folder in _trusted_folders())
    settings = [word for setting in (*_SETTINGS, *trusted) for word in ("-c", setting)]
    environment = _without_git(os.environ) | _ENVIRONMENT | {"GIT_ALLOW_PROTOCOL": protocols}
    return _start(["git", "--no-pager", *settings, *arguments], environment, stdin, stderr)


def pipe_of(stream: IO[bytes] | None) -> IO[bytes]:
    """Return a stream of a process, which has one if a pipe was asked for."""
    if stream is None:
        raise UnreadablePage("git gave no answer")
    return stream


@cache
def _trusted_folders() -> tuple[str, ...]:
    """Return the repositories of other users that the user's own settings trust."""
    kept = {name: value for name, value in os.environ.items() if name in _SETTINGS_FILES}
    folders: list[str] = []
    for scope in ("--system", "--global"):
        command = ["git", "-C", os.sep, "config", scope, "-z", "--get-all", "safe.directory"]
        with _start(command, _without_git(os.environ) | kept) as process:
            answer, _ = process.communicate()
        folders += answer.decode("utf-8", "surrogateescape").split("\0")[:-1]
    return tuple(folders)


def _without_git(environment: "os._Environ[str]") -> dict[str, str]:
    """Return the environment without git's own variables, which lead to other repositories, settings and programs."""
    return {name: value for name, value in environment.items() if not name.startswith("GIT_")}


def _start(
    command: list[str],
    environment: dict[str, str],
    stdin: int = subprocess.DEVNULL,
    stderr: int | IO[bytes] = subprocess.PIPE,
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, env=environment)
    except FileNotFoundError as error:
        raise MissingExtra(
            "git is not installed, which reads histories; install it, or read the folder as it is now: --kind folder"
        ) from error
