"""Plug-ins: further rankers, corpora and markups that other installed packages bring as entry points."""

from collections.abc import Callable
from functools import cache
from pkgutil import resolve_name
from typing import Any


@cache
def plug_ins(group: str) -> dict[str, Any]:
    """Return the objects that installed packages register in a group of entry points, by their names."""
    from importlib.metadata import entry_points  # takes a while, and most commands need no plug-in

    return {point.name: point.load() for point in entry_points(group=group)}


def resolved(name: str) -> Any:
    """Return the object that a name like `package.module:Class` stands for; its module is imported only now."""
    return resolve_name(name)


def deferred(name: str) -> Callable[..., Any]:
    """Return a function that calls the one with a name like `package.module:function`, imported at the first call."""

    def call(*arguments: Any, **options: Any) -> Any:
        return resolved(name)(*arguments, **options)

    return call
