"""Windows: a page's history, however long, in pieces that can be judged one by one."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, groupby, islice

from linkspot.records import Revision

LOOK_BACK = 10  # revisions in which a link that comes back would have stood
LOOK_AHEAD = 10  # revisions that a link has to survive
MOST_REVISIONS = 200
MOST_CHARACTERS = 8_000_000


@dataclass(frozen=True, slots=True)
class HistoryWindow:
    """Some revisions of one page, the oldest first: `own` are those to judge, the others stand around them.

    Only a page's first and last revisions have fewer than LOOK_BACK before and LOOK_AHEAD behind them.
    """

    revisions: tuple[Revision, ...]
    own: range


def windows(
    revisions: Iterable[Revision], most_revisions: int = MOST_REVISIONS, most_characters: int = MOST_CHARACTERS
) -> Iterator[HistoryWindow]:
    """Yield the histories of pages that come one after another, each in as many windows as the limits ask for.

    Each revision is the own of exactly one window. A window's own revisions are one, or within both limits.
    """
    for _, history in groupby(revisions, key=lambda revision: revision.page.id or revision.page.title):
        yield from _windows_of_page(_pieces(history, most_revisions, most_characters))


def _pieces(history: Iterable[Revision], most_revisions: int, most_characters: int) -> Iterator[list[Revision]]:
    piece: list[Revision] = []
    characters = 0
    for revision in history:
        length = len(revision.page.text)
        if piece and (len(piece) == most_revisions or characters + length > most_characters):
            yield piece
            piece, characters = [], 0
        piece.append(revision)
        characters += length
    if piece:
        yield piece


def _windows_of_page(pieces: Iterator[list[Revision]]) -> Iterator[HistoryWindow]:
    before: list[Revision] = []
    held: deque[list[Revision]] = deque()
    for piece in pieces:
        held.append(piece)
        while sum(map(len, held)) - len(held[0]) >= LOOK_AHEAD:
            yield _window(before, held)
            before = [*before, *held.popleft()][-LOOK_BACK:]
    while held:
        yield _window(before, held)
        before = [*before, *held.popleft()][-LOOK_BACK:]


def _window(before: list[Revision], held: deque[list[Revision]]) -> HistoryWindow:
    own = range(len(before), len(before) + len(held[0]))
    ahead = islice(chain.from_iterable(islice(held, 1, None)), LOOK_AHEAD)
    return HistoryWindow((*before, *held[0], *ahead), own)
