"""Compares the rankings of two revisions, number by number: python -m bench.equal_rankings REVISION DATASET.

A change that only moves and renames things must leave every score as it is. Both revisions rank the same test queries
of a dataset that `linkspot dataset` made; the exit code is 1 if any number differs.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow.dataset as ds

PROJECT = Path(__file__).parent.parent
# The last but one is called without-precedents now; every revision knows the older name.
RANKERS = ("random", "string-match", "bm25", "alone:linkspot", "linkspot")


def main() -> int:
    """Rank with both revisions and print how many scores differ."""
    parser = argparse.ArgumentParser(prog="python -m bench.equal_rankings", description=__doc__)
    parser.add_argument("revision", help="what git calls the revision to compare with, for instance HEAD~20")
    parser.add_argument("dataset", type=Path, help="a folder that `linkspot dataset` made")
    parser.add_argument("--limit", type=int, default=30, help="queries of each language (default: 30)")
    parser.add_argument("--out", type=Path, help="keep both rankings in this folder, and use what is there again")
    settings = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        out = settings.out or Path(scratch) / "rankings"
        with checkout(settings.revision) as before:
            rank(before, settings.dataset, settings.limit, out / "before")
        rank(PROJECT, settings.dataset, settings.limit, out / "after")
        differences = sum(compare(out / "before", out / "after", label(ranker)) for ranker in RANKERS)
    return 1 if differences else 0


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """Give a folder with the project as it was at a revision."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "linkspot"
        subprocess.run(["git", "-C", PROJECT, "worktree", "add", "--quiet", "--detach", path, revision], check=True)
        try:
            yield path
        finally:
            subprocess.run(["git", "-C", PROJECT, "worktree", "remove", "--force", path], check=True)


def rank(project: Path, dataset: Path, limit: int, out: Path) -> None:
    """Let one revision's `linkspot evaluate` rank the queries, into a folder."""
    rankers = [word for ranker in RANKERS for word in ("--ranker", f"{label(ranker)}={ranker}")]
    command = [sys.executable, "-m", "linkspot.cli", "evaluate", str(dataset.resolve()), "--out", str(out.resolve())]
    environment = {**os.environ, "PYTHONPATH": str(project / "src")}
    arguments = [*command, "--limit", str(limit), *rankers]
    subprocess.run(arguments, check=True, env=environment, stdout=subprocess.DEVNULL)


def label(ranker: str) -> str:
    """Return the name that a ranker's table gets."""
    return ranker.replace(":", "-")


def compare(before: Path, after: Path, ranker: str) -> int:
    """Print how many of a ranker's numbers differ, and return it."""
    old, new = (_numbers(folder / "rankings" / ranker) for folder in (before, after))
    scores = sum(len(numbers) for numbers in old.values())
    queries, none = old.keys() | new.keys(), np.array([])
    changed = sum(not np.array_equal(old.get(query, none), new.get(query, none), equal_nan=True) for query in queries)
    print(f"{ranker}: {len(old):,} queries, {scores:,} numbers, {changed:,} queries differ")
    return changed


def _numbers(folder: Path) -> dict[int, npt.NDArray[np.float64]]:
    """Return each query's scores, with *nowhere* at the end."""
    rows = ds.dataset(folder, format="parquet").to_table().to_pylist()
    return {row["query"]: np.array([*row["scores"], row["nowhere"]]) for row in rows}


if __name__ == "__main__":
    sys.exit(main())
