"""The desk: where the page's visitors and their decisions are kept."""

import asyncio
import threading
from dataclasses import dataclass, field

from linkspot.service.decisions.decision import Decision
from linkspot.service.decisions.store import DecisionStore
from linkspot.service.page.visitor import Visitors
from linkspot.service.settings import ServiceSettings


@dataclass(slots=True)
class Desk:
    """Visitors, and the store of decisions, which is opened when the first one comes."""

    database: str
    visitors: Visitors
    _store: DecisionStore | None = field(default=None, init=False)
    _opening: threading.Lock = field(default_factory=threading.Lock, init=False)

    @classmethod
    def of(cls, settings: ServiceSettings) -> "Desk":
        """Return the desk of a service."""
        return cls(settings.database, Visitors.of(settings.secret))

    async def store(self, decision: Decision) -> Decision:
        """Store a decision; when this returns it is in the database."""
        return await asyncio.to_thread(lambda: self._opened().add(decision))

    async def undo(self, session: str, decision: str) -> bool:
        """Undo a decision of a session; returns whether there is such a one."""
        return await asyncio.to_thread(lambda: self._opened().undo(session, decision))

    def _opened(self) -> DecisionStore:
        with self._opening:
            if self._store is None:
                self._store = DecisionStore(self.database)
        return self._store
