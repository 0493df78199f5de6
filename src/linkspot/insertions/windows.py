"""Windows: a page's history, however long, cut into pieces that can be judged one by one."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, groupby, islice

from linkspot.records import Revision

LOOK_BACK = 10  # earlier revisions in which a restored link would have stood
LOOK_AHEAD = 10  # later revisions that a link has to survive
MOST_REVISIONS = 200
MOST_CHARACTERS = 8_000_000


@dataclass(frozen=True, slots=True)
class HistoryWindow:
    """Some revisions of one page, the oldest first; those with an index in `own` are judged, the others are context.

    An own revision has at least LOOK_BACK revisions before it and LOOK_AHEAD after it, unless the history has fewer.
    """

    revisions: tuple[Revision, ...]
    own: range


def windows(
    revisions: Iterable[Revision], most_revisions: int = MOST_REVISIONS, most_characters: int = MOST_CHARACTERS
) -> Iterator[HistoryWindow]:
    """Cut the histories of pages, which come one after another, into windows.

    Each revision is in the `own` of exactly one window. A window's own revisions keep within both limits, unless a
    single revision exceeds them.
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
