"""The store of decisions: one that is acknowledged is there once, whatever happens afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from http import HTTPStatus
from types import TracebackType
from typing import Any

from sqlalchemy import Connection, RowMapping, func, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from linkspot.errors import WrongValue, first_line, without_password
from linkspot.service.decisions.database import open_database
from linkspot.service.decisions.decision import Decision, EditorVerdict, RejectionReason, now
from linkspot.service.decisions.table import DECISIONS, METADATA
from linkspot.service.faults import ServiceFault

_BATCH = 1_000
_PAUSE = 5  # seconds until a client should try again
_NAMES = tuple(field.name for field in fields(Decision))
_COLUMNS = tuple(DECISIONS.c[name] for name in _NAMES)


class NotStored(ServiceFault):
    """The database could not be asked: nothing was acknowledged, and the same request may come again."""

    status = HTTPStatus.SERVICE_UNAVAILABLE
    code = "not_stored"


class DecisionStore:
    """Decisions in a database; several processes and threads may use it at once."""

    def __init__(self, database: str) -> None:
        self._engine = open_database(database)
        with _asking():
            METADATA.create_all(self._engine)

    def __enter__(self) -> "DecisionStore":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def add(self, decision: Decision) -> Decision:
        """Store a decision and return it as it is stored; the same id again stores nothing.

        Raises WrongValue if the id belongs to another decision.
        """
        with _asking():
            try:
                with self._engine.begin() as connection:
                    connection.execute(insert(DECISIONS).values(**asdict(decision)))
            except IntegrityError:
                stored = self._decision(decision.id)
                if stored is None:  # something else is wrong with the row
                    raise
            else:
                return decision
        if _what(stored) != _what(decision):
            raise WrongValue(f"the id {decision.id} belongs to another decision; make a new id for each")
        return stored

    def undo(self, session: str, decision: str) -> bool:
        """Undo one of a session's decisions; returns whether it has such a one. To undo it twice is to undo it."""
        mine = (DECISIONS.c.session == session) & (DECISIONS.c.id == decision)
        with _asking(), self._engine.begin() as connection:
            connection.execute(update(DECISIONS).where(mine, DECISIONS.c.undone.is_(None)).values(undone=now()))
            return connection.execute(select(DECISIONS.c.number).where(mine)).first() is not None

    def count(self) -> int:
        """Return how many decisions are stored and not undone."""
        query = select(func.count()).select_from(DECISIONS).where(DECISIONS.c.undone.is_(None))
        with _asking(), self._engine.connect() as connection:
            return connection.execute(query).scalar_one()

    def __iter__(self) -> Iterator[Decision]:
        """Yield the decisions that are not undone, the oldest first, in bounded memory."""
        last = 0
        while rows := self._after(last):
            yield from map(_read, rows)
            last = rows[-1]["number"]

    def _after(self, number: int) -> list[RowMapping]:
        later = (DECISIONS.c.number > number) & DECISIONS.c.undone.is_(None)
        query = select(DECISIONS.c.number, *_COLUMNS).where(later).order_by(DECISIONS.c.number).limit(_BATCH)
        with _asking(), self._engine.connect() as connection:
            return list(connection.execute(query).mappings())

    def _decision(self, id_: str) -> Decision | None:
        with self._engine.connect() as connection:
            row = _row(connection, id_)
        return None if row is None else _read(row)


@contextmanager
def _asking() -> Iterator[None]:
    """Turn an error of the database into one line without what was stored."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        reason = without_password(first_line(cause))
        raise NotStored(
            f"the database of decisions does not answer ({reason}); nothing was stored, try again"
        ) from error


def _row(connection: Connection, id_: str) -> RowMapping | None:
    return connection.execute(select(*_COLUMNS).where(DECISIONS.c.id == id_)).mappings().first()


def _read(row: RowMapping) -> Decision:
    values: dict[str, Any] = {name: row[name] for name in _NAMES}
    reason = None if row["reason"] is None else RejectionReason(row["reason"])
    return Decision(**(values | {"verdict": EditorVerdict(row["verdict"]), "reason": reason}))


def _what(decision: Decision) -> dict[str, Any]:
    """Return all of a decision but its time: the same request, sent again, may come with another."""
    return {name: value for name, value in asdict(decision).items() if name != "time"}
