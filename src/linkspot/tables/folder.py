"""A folder of tables: Parquet files that are complete or absent, and a manifest that says how they were made."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from linkspot.errors import MissingExtra, UnusableInput
from linkspot.files import unfinished, writing

MANIFEST = "manifest.json"
_LOCK = ".lock"
_LEFT_BY_KILLED_RUNS = frozenset({_LOCK, f".{MANIFEST}.unfinished"})
_RECORDS = ("rankers", "trained", "seconds_of_ranking", "identities")
_ATTEMPTS = 5  # to lock a folder that other runs remove


@dataclass(frozen=True, slots=True)
class TableFolder:
    """The folder of one run, in which each table has its own folder.

    A run with the same plan continues where an earlier one stopped; a run with another plan is refused.
    """

    path: Path

    @classmethod
    def begin(cls, path: Path, plan: Mapping[str, Any]) -> "TableFolder":
        """Return a new folder, or the one of an earlier run with the same plan (what is done, from what, how)."""
        with cls.held(path, plan) as folder:
            return folder

    @classmethod
    @contextmanager
    def making(cls, path: Path, plan: Mapping[str, Any], worth_keeping: str = "") -> Iterator["TableFolder"]:
        """Give the folder to a run, which begins or continues and writes alone.

        Unusable input leaves no new folder, unless the table that makes it worth keeping is complete.
        """
        is_new = False
        try:
            with cls._locked(path, plan) as (folder, is_new):
                try:
                    yield folder
                except (UnusableInput, MissingExtra):
                    is_new = is_new and not (worth_keeping and folder.has(worth_keeping))
                    if is_new:
                        folder._empty()
                    raise
        except (UnusableInput, MissingExtra):
            if is_new:
                with suppress(OSError):  # another run may have begun there meanwhile
                    path.rmdir()
            raise

    @classmethod
    @contextmanager
    def held(cls, path: Path, plan: Mapping[str, Any]) -> Iterator["TableFolder"]:
        """Give the folder to a run, which begins or continues and writes alone."""
        with cls._locked(path, plan) as (folder, _):
            yield folder

    @classmethod
    @contextmanager
    def _locked(cls, path: Path, plan: Mapping[str, Any]) -> Iterator[tuple["TableFolder", bool]]:
        """Give the folder, and whether it is new; the plan is compared and recorded while no other run can."""
        folder = cls(path)
        new_plan = json.loads(json.dumps(plan))
        folder._check_plan(new_plan)  # before anything is written there
        with folder.alone():
            folder._check_plan(new_plan)  # another run may have begun meanwhile
            is_new = "plan" not in folder.manifest()
            folder.record({"plan": new_plan})
            yield folder, is_new

    def _check_plan(self, plan: Mapping[str, Any]) -> None:
        """Refuse a folder that holds something else, or tables made in another way."""
        old_plan = self.manifest().get("plan")
        if old_plan is None:
            if not self._is_free():
                raise UnusableInput(
                    f"{self.path} exists and is not a folder of tables; choose a new folder for the tables"
                )
        elif old_plan != plan:
            names = {*old_plan, *plan}
            changed = ", ".join(sorted(name for name in names if old_plan.get(name) != plan.get(name)))
            raise UnusableInput(
                f"{self.path} holds tables made in another way ({changed} differ); "
                "choose a new folder, or delete that one"
            )

    def _is_free(self) -> bool:
        """Tell whether the path is absent, a folder with nothing but what a killed run leaves, or one just begun.

        The folder is listed once: another run may write or remove its manifest between two looks.
        """
        try:
            names = {file.name for file in self.path.iterdir()}
        except FileNotFoundError:
            return True
        except NotADirectoryError:
            return False
        return MANIFEST in names or names <= _LEFT_BY_KILLED_RUNS

    def _empty(self) -> None:
        """Remove all but the lock, which goes last: whoever holds it may write."""
        for path in self.path.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            elif path.name != _LOCK:
                path.unlink(missing_ok=True)

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
        path = self.path / MANIFEST
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (OSError, ValueError, RecursionError) as error:
            raise UnusableInput(f"{path} cannot be read as a manifest; delete the folder") from error
        if not _is_manifest(facts):
            raise UnusableInput(f"{path} is not a manifest that linkspot wrote; delete the folder")
        return {"rows": {}, "rejects": {}, **facts} if facts.get("finished") else facts

    def record(self, facts: Mapping[str, Any]) -> None:
        """Add facts to the manifest; the file is complete at every moment."""
        known = self.manifest()
        if all(name in known and known[name] == fact for name, fact in facts.items()):
            return
        text = json.dumps({**known, **facts}, indent=1, ensure_ascii=False) + "\n"
        with unfinished(self.path / MANIFEST) as path:
            # The half characters of a path that is not UTF-8 become \\udce9, which is how JSON writes them.
            path.write_text(text, encoding="utf-8", errors="backslashreplace")

    def table(self, name: str) -> Path:
        """Return the folder of one table."""
        return self.path / name

    def has(self, name: str) -> bool:
        """Return whether a table is complete."""
        return self.table(name).exists()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other runs from writing here meanwhile; two runs in one folder would break each other's files."""
        lock = FileLock(self.path / _LOCK)
        if not self._acquire(lock):
            yield
            return
        inode = (self.path / _LOCK).stat().st_ino
        try:
            yield
        finally:
            with suppress(OSError):  # removed with the folder, which another run may have made again
                if (self.path / _LOCK).stat().st_ino == inode:
                    (self.path / _LOCK).unlink()
            lock.release()

    def _acquire(self, lock: FileLock) -> bool:
        """Lock the folder; return False if nothing can be written to it and nothing needs to be."""
        for attempt in range(_ATTEMPTS):
            try:
                self.path.mkdir(parents=True, exist_ok=True)
                lock.acquire(timeout=0)
            except Timeout as error:
                raise UnusableInput(
                    f"another run is writing to {self.path}; wait for it, or choose another folder"
                ) from error
            except OSError as error:
                # Another run may remove the folder right before or after mkdir looks whether it is one.
                is_removed = isinstance(error, FileNotFoundError | FileExistsError) and not self.path.is_file()
                if is_removed and attempt < _ATTEMPTS - 1:
                    continue
                if self.manifest().get("finished"):
                    return False
                with writing(self.path):
                    raise
            else:
                return True
        return False

    def clear(self, name: str) -> None:
        """Remove a table that was needed only to make others."""
        shutil.rmtree(self.table(name), ignore_errors=True)


def _is_manifest(facts: object) -> bool:
    """Tell whether a file's content has the types that a manifest has."""
    return (
        isinstance(facts, dict)
        and isinstance(facts.get("plan", {}), dict)
        and isinstance(facts.get("finished", False), bool)
        and _counts(facts.get("rows", {}))
        and _counts(facts.get("rejects", {}))
        and all(isinstance(facts.get(name, {}), dict) for name in _RECORDS)
        and all(isinstance(fact, dict) for name in ("rankers", "identities") for fact in facts.get(name, {}).values())
    )


def _counts(facts: object) -> bool:
    return isinstance(facts, dict) and all(type(count) is int for count in facts.values())
