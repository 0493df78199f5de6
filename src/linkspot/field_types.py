"""The types of a record's fields, checked when it is made: a wrong one gets a sentence instead of a late surprise."""

from typing import Any

from linkspot.errors import WrongType


def check_text(text: str, what: str) -> None:
    """Raise WrongType if a field that should hold a string does not."""
    if not isinstance(text, str):
        raise WrongType(f"{what} is a string, not {type(text).__name__}")


def check_tuple(record: Any, name: str, kind: type) -> None:
    """Raise WrongType if a field of a record is not a tuple of this type; a list becomes a tuple."""
    values = getattr(record, name)
    if isinstance(values, list):
        values = tuple(values)
        object.__setattr__(record, name, values)  # the record is frozen, but not yet in use
    if isinstance(values, tuple) and all(isinstance(value, kind) for value in values):
        return
    wanted = f"{type(record).__name__}.{name} takes a tuple of {'strings' if kind is str else kind.__name__}"
    if not isinstance(values, tuple):
        advice = f"; write ({values!r},)" if isinstance(values, kind) else ""
        raise WrongType(f"{wanted}, not {type(values).__name__}{advice}")
    wrong = next(value for value in values if not isinstance(value, kind))
    raise WrongType(f"{wanted}; one of these is {type(wrong).__name__}: {wrong!r}")


def check_room(text: str, start: int, end: int, what: str) -> None:
    """Raise ValueError if a text is not as long as the range that it should fill."""
    if not 0 <= start < end or end - start != len(text):
        raise ValueError(f"{what} {start}:{end} has room for {end - start} characters, its text has {len(text)}")
