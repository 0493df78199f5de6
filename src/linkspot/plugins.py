"""Plug-ins: further rankers, corpora and markups that other installed packages bring as entry points."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name
from typing import Any

from linkspot.errors import UnusableInput, first_line


@dataclass(frozen=True, slots=True)
class PlugIn:
    """An object that another package brings, as `module:Object`; its module is imported when it is loaded."""

    name: str
    target: str
    package: str = ""
    version: str = ""
    summary: str = ""  # of the package, in one line

    def __str__(self) -> str:
        package = f"{self.package} {self.version}"
        return f"{self.summary} ({package})" if self.summary else f"of the package {package}"

    def load(self) -> Any:
        """Import the object."""
        try:
            return resolved(self.target)
        except (ImportError, AttributeError, ValueError) as error:
            raise UnusableInput(
                f"the package {self.package} registers {self.name} as {self.target}, which cannot be imported "
                f"({first_line(error)}); install a version of it that works, or uninstall it"
            ) from error


@cache
def plug_ins(group: str) -> dict[str, PlugIn]:
    """Return what installed packages register in a group of entry points, by name; nothing of it is imported."""
    from importlib.metadata import entry_points  # takes a while, and most commands need no plug-in

    points = entry_points(group=group)
    return {point.name: PlugIn(point.name, point.value, *_package(point.dist)) for point in points}


def resolved(name: str) -> Any:
    """Return the object that a name like `package.module:Class` stands for; its module is imported only now."""
    return resolve_name(name)


def deferred(name: str) -> Callable[..., Any]:
    """Return a function that calls the one with a name like `package.module:function`, imported at the first call."""

    def call(*arguments: Any, **options: Any) -> Any:
        return resolved(name)(*arguments, **options)

    return call


def _package(distribution: Any) -> tuple[str, str, str]:
    if distribution is None:
        return "", "", ""
    return distribution.name, distribution.version, distribution.metadata.get("Summary") or ""
