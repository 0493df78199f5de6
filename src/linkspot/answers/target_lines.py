"""A file of targets: a title or a JSON object on each line; a broken line is counted and left out."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from linkspot.door import check_entity
from linkspot.errors import EmptyTarget, TooLarge, UnusableInput, WrongType
from linkspot.records import Entity

_LONGEST = 2_000_000  # bytes of a line: the longest lead and all names, in which JSON may write each byte as six
_BYTE_ORDER_MARK = "\ufeff"


class TargetLines:
    """The targets in a file, read while you iterate; `rejects` counts broken lines by what is wrong with them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rejects: Counter[str] = Counter()
        self._first: dict[str, int] = {}

    def __iter__(self) -> Iterator[Entity]:
        for number, line in enumerate(self._lines(), start=1):
            try:
                entity = _entity(line)
            except _BrokenLine as error:
                self.rejects[str(error)] += 1
                self._first.setdefault(str(error), number)
            else:
                if entity is not None:
                    yield entity

    def complaint(self) -> str:
        """Say which lines were left out and why; nothing if none was."""
        if not self.rejects:
            return ""
        count = self.rejects.total()
        reasons = (
            f"{reason} (line {self._first[reason]}{f' and {times - 1:,} more' if times > 1 else ''})"
            for reason, times in self.rejects.most_common()
        )
        return f"{self.path}: {count:,} line{'s' * (count > 1)} left out: {', '.join(reasons)}"

    def _lines(self) -> Iterator[bytes]:
        """Yield the lines; one that is too long comes cut, so that it is never held as a whole."""
        try:
            with self.path.open("rb") as file:
                while line := file.readline(_LONGEST + 1):
                    rest = line
                    while len(rest) > _LONGEST and not rest.endswith(b"\n"):
                        rest = file.readline(_LONGEST + 1)
                    yield line
        except OSError as error:
            raise UnusableInput(f"{self.path} cannot be read: {(error.strerror or str(error)).lower()}") from error


class _BrokenLine(Exception):
    """A line that is not a target; the message counts it."""


def _entity(line: bytes) -> Entity | None:
    """Return the target on a line, None for an empty line."""
    if len(line) > _LONGEST:
        raise _BrokenLine("a line that is too long")
    try:
        text = line.decode("utf-8").removeprefix(_BYTE_ORDER_MARK).strip()
    except UnicodeDecodeError:
        raise _BrokenLine("a line that is not UTF-8") from None
    if not text:
        return None
    try:
        entity = _described(text) if text.startswith("{") else Entity(text)
        check_entity(entity)
    except EmptyTarget:
        raise _BrokenLine("a target without a title or a mention") from None
    except TooLarge as error:
        raise _BrokenLine(error.reason) from None
    except WrongType as error:
        raise _BrokenLine(str(error)) from None
    return entity


def _described(text: str) -> Entity:
    try:
        record: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError):
        raise _BrokenLine("a line that is not JSON") from None
    title, lead, identity, url = (record.get(name) or "" for name in ("title", "lead", "id", "url"))
    mentions = record.get("mentions") or []
    if not isinstance(mentions, list) or not all(isinstance(one, str) for one in (title, lead, identity, url)):
        raise _BrokenLine("a target whose title, lead, id or url is not a string, or whose mentions are not a list")
    return Entity(title.strip(), lead.strip(), tuple(mentions), identity, url)
