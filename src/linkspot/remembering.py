"""Remembering results: like functools.lru_cache, but bounded in bytes, since many keys are texts of strangers."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])


def remembered(entries: int, longest: int) -> Callable[[_Function], _Function]:
    """Remember what a function of one or two texts returned for the `entries` that were asked for last.

    If the texts have more than `longest` characters together, nothing is remembered: a cache that counts only entries
    would keep megabytes for each of them. Further arguments must be small.
    """

    def decorate(function: _Function) -> _Function:
        kept = lru_cache(entries)(function)

        @wraps(function)
        def call(text: str, *others: Any) -> Any:
            length = len(text) + len(others[0]) if others else len(text)
            return (kept if length <= longest else function)(text, *others)

        return call  # type: ignore[return-value]

    return decorate
