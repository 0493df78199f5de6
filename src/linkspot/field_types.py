"""The types of a record's fields, checked when it is made: a wrong one gets a sentence instead of a late surprise."""

from dataclasses import fields
from typing import Any, TypeVar

from linkspot.errors import WrongType

_PLAIN = (int, bool, str)
_LARGEST = 1 << 31
_Record = TypeVar("_Record")


def checked(record: _Record) -> _Record:
    """Return a record that was read from a file; raise WrongType if a plain field has a wrong type or size."""
    for field in fields(record):  # type: ignore[arg-type]
        value = getattr(record, field.name)
        if field.type in _PLAIN and type(value) is not field.type:
            wanted = getattr(field.type, "__name__", field.type)
            raise WrongType(f"{field.name} takes {wanted}, not {type(value).__name__}")
        if field.type is int and not 0 <= value < _LARGEST:
            raise WrongType(f"{field.name} is {value}; expected a number from 0 to {_LARGEST - 1}")
    return record


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
