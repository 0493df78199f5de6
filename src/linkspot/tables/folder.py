"""A folder of tables: Parquet files that are complete or absent, and a manifest that says how they were made."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from linkspot.errors import MissingExtra, UnusableInput
from linkspot.files import is_free, unfinished, writing

MANIFEST = "manifest.json"
_LOCK = ".lock"


@dataclass(frozen=True, slots=True)
class TableFolder:
    """The folder of one run, in which each table has its own folder.

    A run with the same plan continues where an earlier one stopped; a run with another plan is refused.
    """

    path: Path

    @classmethod
    def begin(cls, path: Path, plan: Mapping[str, Any]) -> "TableFolder":
        """Return a new folder, or the one of an earlier run with the same plan (what is done, from what, how)."""
        folder = cls(path)
        old_plan = folder.manifest().get("plan") if path.exists() else None
        new_plan = json.loads(json.dumps(plan))
        if old_plan is None:
            if not is_free(path):
                raise UnusableInput(f"{path} exists and is not a folder of tables; choose a new folder for the tables")
            with writing(path):
                path.mkdir(parents=True, exist_ok=True)
            folder.record({"plan": new_plan})
        elif old_plan != new_plan:
            names = {*old_plan, *new_plan}
            changed = ", ".join(sorted(name for name in names if old_plan.get(name) != new_plan.get(name)))
            raise UnusableInput(
                f"{path} holds tables made in another way ({changed} differ); choose a new folder, or delete that one"
            )
        return folder

    @classmethod
    @contextmanager
    def making(cls, path: Path, plan: Mapping[str, Any]) -> Iterator["TableFolder"]:
        """Give the folder to a run, which begins or continues and writes alone; unusable input leaves no new folder."""
        is_new = is_free(path)
        folder = cls.begin(path, plan)
        try:
            with folder.alone():
                yield folder
        except (UnusableInput, MissingExtra):
            if is_new:
                shutil.rmtree(path, ignore_errors=True)
            raise

    @classmethod
    def open(cls, path: Path, kind: str) -> "TableFolder":
        """Return a finished folder that the command of this name made."""
        folder = cls(path)
        if folder.made_by != kind:
            raise UnusableInput(f"{path} holds {folder.content}; expected a folder that 'linkspot {kind}' made")
        if not folder.manifest().get("finished"):
            raise UnusableInput(f"{path} is not finished; run the same 'linkspot {kind}' again to continue")
        return folder

    @property
    def made_by(self) -> str:
        """The command that made the tables, finished or not; empty if there are no tables."""
        return str(self.manifest().get("plan", {}).get("command", "")) if self.path.is_dir() else ""

    @property
    def content(self) -> str:
        """A phrase for messages that says what the folder holds."""
        return f"what 'linkspot {self.made_by}' made" if self.made_by else "no tables of linkspot"

    def manifest(self) -> dict[str, Any]:
        """Return what is recorded about the run; empty if there is no manifest."""
        try:
            facts = json.loads((self.path / MANIFEST).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise UnusableInput(f"{self.path / MANIFEST} cannot be read as a manifest; delete the folder") from error
        return facts if isinstance(facts, dict) else {}

    def record(self, facts: Mapping[str, Any]) -> None:
        """Add facts to the manifest; the file is complete at every moment."""
        text = json.dumps({**self.manifest(), **facts}, indent=1, ensure_ascii=False) + "\n"
        with unfinished(self.path / MANIFEST) as path:
            path.write_text(text, encoding="utf-8")

    def table(self, name: str) -> Path:
        """Return the folder of one table."""
        return self.path / name

    def has(self, name: str) -> bool:
        """Return whether a table is complete."""
        return self.table(name).exists()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other runs from writing here meanwhile; two runs in one folder would break each other's files."""
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
        """Remove a table that was needed only to make others."""
        shutil.rmtree(self.table(name), ignore_errors=True)
