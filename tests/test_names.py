"""What STYLE asks of names and sizes: one class name, one meaning; files that can be read in one go."""

import ast
from collections import defaultdict
from pathlib import Path

import linkspot

PROJECT = Path(__file__).parent.parent
SOURCE = Path(linkspot.__file__).parent
_LONGEST = 300  # lines of a file


def _classes(*folders: Path) -> dict[str, list[str]]:
    """Return for each class name, without the underscore of private ones, where it is defined."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in (path for folder in folders for path in sorted(folder.rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name.lstrip("_")].append(f"{path.relative_to(folders[0].parent.parent)}:{node.lineno}")
    return places


def test_a_class_name_occurs_once_private_ones_included() -> None:
    classes = _classes(SOURCE, PROJECT / "bench") if (PROJECT / "bench").is_dir() else _classes(SOURCE)
    assert {name: places for name, places in classes.items() if len(places) > 1} == {}


def test_every_package_says_what_it_holds() -> None:
    packages = [SOURCE, *(path for path in SOURCE.rglob("*") if path.is_dir() and any(path.glob("*.py")))]
    undocumented = [
        path.name
        for path in packages
        if not (path / "__init__.py").is_file()
        or not ast.get_docstring(ast.parse((path / "__init__.py").read_text(encoding="utf-8")))
    ]
    assert undocumented == []


def test_no_file_is_longer_than_three_hundred_lines() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCE.rglob("*.py")}
    assert {path.name: length for path, length in lengths.items() if length > _LONGEST} == {}
