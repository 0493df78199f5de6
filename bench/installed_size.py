"""How much `pip install linkspot` takes on disk: the project and what it depends on, in an empty environment."""

import os
import subprocess
import sys
import tempfile
import venv
from importlib.metadata import Distribution, distributions
from pathlib import Path

PROJECT = Path(__file__).parent.parent
LIMIT = 350  # MB, with the model that ships
_SMALL = 1.0  # MB; smaller packages share a row


def measure() -> str:
    """Return a table of the megabytes that each installed package takes, the largest first."""
    with tempfile.TemporaryDirectory() as folder:
        sizes = sizes_of(site_packages(install(Path(folder))))
    large = {name: size for name, size in sizes.items() if size >= _SMALL}
    rows = [f"| {name} | {size:.1f} |" for name, size in sorted(large.items(), key=lambda row: -row[1])]
    small = sum(sizes.values()) - sum(large.values())
    return "\n".join(
        [
            "| package | MB |",
            "| --- | ---: |",
            *rows,
            f"| {len(sizes) - len(large)} others | {small:.1f} |",
            f"| **all** (at most {LIMIT}) | **{sum(sizes.values()):.1f}** |",
        ]
    )


def install(folder: Path, requirement: str = str(PROJECT)) -> Path:
    """Make an environment without pip in a folder, install a requirement into it, and return its Python."""
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "--quiet", "install", requirement]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(command, check=True, env=environment)
    return python


def site_packages(python: Path) -> Path:
    """Return the folder that an environment's packages are installed in."""
    (folder,) = python.parent.parent.glob("lib/python*/site-packages")
    return folder


def sizes_of(folder: Path) -> dict[str, float]:
    """Return the megabytes of each package that is installed in a folder, with its scripts and compiled modules."""
    return {package.name: _bytes(package) / 1e6 for package in distributions(path=[str(folder)])}


def _bytes(package: Distribution) -> int:
    paths = (Path(str(file.locate())) for file in package.files or ())
    return sum(path.stat().st_size for path in paths if path.is_file())
