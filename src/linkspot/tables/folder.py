"""A folder of tables: Parquet files that are whole or not there, and a manifest of how they came about."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from linkspot.errors import UnusableInput
from linkspot.files import is_free, unfinished, writing

MANIFEST = "manifest.json"
_LOCK = ".lock"


@dataclass(frozen=True, slots=True)
class TableFolder:
    """Where one run keeps its tables, each in a folder of its own.

    A run with the same plan goes on where another was stopped; with another plan it is refused.
    """

    path: Path

    @classmethod
    def begin(cls, path: Path, plan: Mapping[str, Any]) -> "TableFolder":
        """Return the folder, made or found with the same plan: what is done, of what, with which settings."""
        folder = cls(path)
        found = folder.manifest().get("plan") if path.exists() else None
        wanted = json.loads(json.dumps(plan))
        if found is None:
            if not is_free(path):
                raise UnusableInput(f"{path} exists and is no folder of tables; choose a new one for the tables")
            with writing(path):
                path.mkdir(parents=True, exist_ok=True)
            folder.record({"plan": wanted})
        elif found != wanted:
            changed = ", ".join(sorted(name for name in {*found, *wanted} if found.get(name) != wanted.get(name)))
            raise UnusableInput(
                f"{path} holds tables made in another way ({changed} differ); choose a new folder, or delete that one"
            )
        return folder

    @classmethod
    def open(cls, path: Path, kind: str) -> "TableFolder":
        """Return a finished folder that the command of this name made."""
        folder = cls(path)
        if folder.made_by != kind:
            raise UnusableInput(f"{path} holds {folder.content}; expected a folder that 'linkspot {kind}' made")
        if not folder.manifest().get("finished"):
            raise UnusableInput(f"{path} is not finished; run the same 'linkspot {kind}' again, it goes on from there")
        return folder

    @property
    def made_by(self) -> str:
        """The command that made the tables, finished or not; nothing where there are none."""
        return str(self.manifest().get("plan", {}).get("command", "")) if self.path.is_dir() else ""

    @property
    def content(self) -> str:
        """What the folder holds, in words."""
        return f"what 'linkspot {self.made_by}' made" if self.made_by else "no tables of linkspot"

    def manifest(self) -> dict[str, Any]:
        """Return what is recorded of the run; nothing where there is no manifest."""
        try:
            found = json.loads((self.path / MANIFEST).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise UnusableInput(f"{self.path / MANIFEST} cannot be read as a manifest; delete the folder") from error
        return found if isinstance(found, dict) else {}

    def record(self, facts: Mapping[str, Any]) -> None:
        """Add facts to the manifest; it is whole at every moment."""
        text = json.dumps({**self.manifest(), **facts}, indent=1, ensure_ascii=False) + "\n"
        with unfinished(self.path / MANIFEST) as path:
            path.write_text(text, encoding="utf-8")

    def table(self, name: str) -> Path:
        """Return the folder of one table."""
        return self.path / name

    def has(self, name: str) -> bool:
        """Return whether a table is there; an unfinished one is not."""
        return self.table(name).exists()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep others from writing here meanwhile; two runs in one folder would spoil each other's files."""
        path = self.path / _LOCK
        lock = FileLock(path)
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise UnusableInput(
                f"another run is writing to {self.path}; wait for it, or choose another folder"
            ) from error
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
            lock.release()

    def clear(self, name: str) -> None:
        """Remove a table that only later ones were made of."""
        shutil.rmtree(self.table(name), ignore_errors=True)
