"""Draws edits for a reader to label: python -m bench.label_draw SEED. What linkspot makes of them is not shown."""

import difflib
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from bench.labels import labels, source_of
from bench.wikis import DATA
from linkspot.errors import LinkspotError
from linkspot.insertions.history import Added, judge
from linkspot.insertions.rules import PAPER
from linkspot.insertions.snapshot_links import SnapshotTimes, snapshot_links
from linkspot.insertions.windows import windows
from linkspot.links.addresses import Naming
from linkspot.records import Article, Revision

_AROUND = 2  # lines that are shown on each side of what changed
_MOST = 6  # changed lines on each side of the link
_LONGEST = 160  # characters of a line


@dataclass(frozen=True)
class Draw:
    """How many edits to draw of a corpus, from which share of its pages (one in `pages`), between which days."""

    corpus: str
    number: int
    pages: int
    earlier: str
    later: str

    @property
    def times(self) -> SnapshotTimes:
        """The days as times."""
        first, last = (datetime.fromisoformat(day).replace(tzinfo=UTC) for day in (self.earlier, self.later))
        return SnapshotTimes(first, last)


DRAWS = (
    *(
        Draw(f"openttd/openttd-{language}-pages-meta-history.xml.xz", number, pages, "2008-01-01", "2019-12-31")
        for language, number, pages in (("en", 10, 20), ("fr", 5, 6), ("es", 4, 5), ("ru", 3, 5), ("de", 3, 3))
    ),
    Draw("mdn/mdn.bundle", 25, 50, "2024-07-02", "2026-02-28"),
    Draw("wikis/archwiki.bundle", 25, 60, "2016-12-31", "2019-06-30"),
    Draw("wikis/freecad.bundle", 25, 80, "2021-12-31", "2024-06-30"),
    Draw("wikis/cpprefjp.bundle", 25, 50, "2018-01-01", "2025-06-30"),
    Draw("wikis/ethereum.bundle", 25, 20, "2022-01-01", "2025-12-31"),
)


def drawn(draw: Draw, seed: int, data: Path = DATA) -> list[Added]:
    """Return edits that the paper's protocol keeps: of each page that is drawn one link, never one with a label."""
    corpus = source_of(draw.corpus, data).open()
    naming = Naming(corpus.layout, corpus.capitalises)
    known = {label.event for label in labels()}
    chosen = (revision for revision in corpus.revisions() if _hash(seed, revision.page.id) % draw.pages == 0)
    edits = []
    for page, history in groupby(chosen, key=lambda revision: revision.page.id):
        of_page = [added for added in _of_page(history, naming, draw.times) if _event(added) not in known]
        if of_page:
            edits.append((_hash(seed, page), min(of_page, key=lambda added: _hash(seed, *_event(added)))))
    return [added for _, added in sorted(edits, key=lambda edit: edit[0])[: draw.number]]


def _hash(seed: int, *words: str) -> int:
    return zlib.crc32(" ".join([str(seed), *words]).encode())


def _event(added: Added) -> tuple[str, str, str]:
    return added.after_revision.page.id, added.after_revision.id, added.added.target


def _of_page(history: Iterator[Revision], naming: Naming, times: SnapshotTimes) -> list[Added]:
    """Return the links of one page that the later snapshot has and the earlier one lacks, each where it came last."""
    linked: dict[bool, set[str]] = {False: set(), True: set()}
    last: dict[str, Added] = {}
    try:
        for window in windows(history):
            for link in snapshot_links(window, naming, times):
                linked[link.is_later].add(link.target)
            for added in judge(window, naming, PAPER.between(times.earlier, times.later)).added:
                last[added.added.target] = added
    except LinkspotError:  # a page over a limit
        return []
    return [added for target, added in last.items() if target in linked[True] - linked[False]]


def sheet(number: int, draw: Draw, added: Added) -> str:
    """Return what the reader sees: the changed sentences, those before with their numbers, and the link's markup."""
    index, _ = added.after.sentences[added.added.sentence]
    head = f"#{number} {draw.corpus} | {added.after_revision.page.id} | {added.after_revision.id}"
    words = f"target {added.added.target} | words {added.added.link.mention!r}"
    section = f"section after {added.after.sections[index].title!r}, sections before {len(added.before.sections)}"
    return "\n".join([head, f"{words} | {section}", *_changes(added), *_markup(added), ""])


def _changes(added: Added) -> list[str]:
    """Return the lines around the link of a comparison of the sentences; the link's own line has an arrow."""
    number = added.added.sentence
    before, after = (_lines(article) for article in (added.before, added.after))
    rows: list[str] = []
    at = 0
    for tag, start, end, new_start, new_end in difflib.SequenceMatcher(None, before, after, False).get_opcodes():
        sign = " " if tag == "equal" else "-"
        if tag == "equal" and new_start <= number < new_end:
            at = len(rows) + number - new_start
        rows += [f"{sign}  [{old}] {before[old]}" for old in range(start, end)]
        for new in range(new_start, new_end) if tag != "equal" else ():
            at = len(rows) if new == number else at
            rows.append(f"+  {after[new]}")
    rows[at] = f"{rows[at][0]}>{rows[at][2:]}"
    first, last = at, at
    while first > 0 and rows[first - 1][0] in "+-" and at - first < _MOST:
        first -= 1
    while last + 1 < len(rows) and rows[last + 1][0] in "+-" and last - at < _MOST:
        last += 1
    return [row[:_LONGEST] for row in rows[max(0, first - _AROUND) : last + 1 + _AROUND]]


def _markup(added: Added) -> list[str]:
    """Return the markup of the link's sentence, and of the sentence before that is most like it."""
    _, sentence = added.after.sentences[added.added.sentence]
    olds = [old for _, old in added.before.sentences]
    words = {*sentence.text.split(), *sentence.text}
    closest = max(olds, key=lambda old: (old.text == sentence.text, len(words & {*old.text.split(), *old.text})))
    texts = added.before_revision.page.text, added.after_revision.page.text
    return [
        f"BEFORE {closest.source.cut(texts[0])[:_LONGEST]!r}",
        f"AFTER  {sentence.source.cut(texts[1])[:_LONGEST]!r}",
    ]


def _lines(article: Article) -> list[str]:
    """Return the sentences, each with the title of its section."""
    return [f"<{article.sections[index].title[:30]}> {sentence.text}" for index, sentence in article.sentences]


def main(seed: int) -> None:
    """Print the sheets of all corpora."""
    number = 0
    for draw in DRAWS:
        for added in drawn(draw, seed):
            number += 1
            print(sheet(number, draw, added), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
