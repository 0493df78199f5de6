"""Histories → rows: the work on each page's revisions that `linkspot insertions` runs in many processes."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pyarrow as pa

from linkspot.corpora.corpus import CorpusSource, revisions_of
from linkspot.engines.engine import Shard
from linkspot.examples.candidates import candidates
from linkspot.insertions.history import Added, judge
from linkspot.insertions.rules import HistoryRules
from linkspot.insertions.snapshot_links import SnapshotTimes, snapshot_links
from linkspot.insertions.windows import HistoryWindow, windows
from linkspot.links.addresses import Naming
from linkspot.parsing import language_of, parse
from linkspot.parsing.markup import markup_kind
from linkspot.pipeline.batches import Batch, CorpusWork, Size, rows_of, shards_of
from linkspot.pipeline.pages import PAGE, page_row
from linkspot.pipeline.repetition import REPEATED, Repetition
from linkspot.records import Page
from linkspot.tables.schemas import NUMBERS, PRECEDENT, REJECTS, SECTIONS, TIME, Row, section_rows

_LARGEST_SHARD = Size(revisions=100, characters=4_000_000)

ADDED_LINK = pa.struct(
    {
        "event": pa.string(),
        "target": pa.string(),
        "target_tail": pa.string(),
        "mention": pa.string(),
        "scenario": pa.string(),
        "section": pa.string(),
        "gold": NUMBERS,
        "before_revision": pa.string(),
        "before_time": TIME,
        "after_revision": pa.string(),
        "after_time": TIME,
        "sections": SECTIONS,
        "context": pa.string(),
        "mention_start": pa.int32(),
        "mention_end": pa.int32(),
    }
)
_LINKED = pa.struct({"event": pa.string(), "target": pa.string(), "target_tail": pa.string()})
_MENTION = pa.struct({"time": TIME, "target": pa.string(), "target_tail": pa.string(), "mention": pa.string()})
#: The fields of a precedent, without its language, which is the language of the page.
WHERE = tuple(field for field in PRECEDENT if field.name != "language")
_LINKED_FROM = pa.struct(
    [
        ("time", TIME),
        ("target", pa.string()),
        ("target_tail", pa.string()),
        *((field.name, field.type) for field in WHERE),
    ]
)
_LEAD = pa.struct({"time": TIME, "lead": pa.string()})
_SNAPSHOT_LINK = pa.struct({"target": pa.string(), "target_tail": pa.string(), "is_later": pa.bool_()})
HISTORY = pa.schema(
    {
        **PAGE,
        "window": pa.int64(),
        "insertions": pa.list_(ADDED_LINK),
        "linked_before": pa.list_(_LINKED),
        "mentions": pa.list_(_MENTION),
        "linked": pa.list_(_LINKED_FROM),
        "leads": pa.list_(_LEAD),
        "snapshot_links": pa.list_(_SNAPSHOT_LINK),
        "rejects": REJECTS,
    }
)


@dataclass(frozen=True, slots=True)
class JudgeHistories(CorpusWork):
    """Finds the links that were added along the histories of corpora, and those that stood at two snapshots."""

    rules: HistoryRules
    times: SnapshotTimes | None = None

    @property
    def schema(self) -> pa.Schema:
        """The schema of the rows: a row for each window of a page's history, and one for the rejects."""
        return HISTORY

    def shards(self, source: CorpusSource) -> Iterator[Shard]:
        """Cut a corpus into windows of histories."""
        corpus = source.open()
        return shards_of(source, corpus, enumerate(windows(revisions_of(corpus))), _size_of, _LARGEST_SHARD)

    def run(self, shard: Shard) -> list[Row]:
        """Return a row for each window, and one for the rejects."""
        batch: Batch[tuple[int, HistoryWindow]] = shard.content
        return rows_of(batch, lambda numbered, rejects: self._row(*numbered, batch.naming, rejects))

    def _row(self, number: int, window: HistoryWindow, naming: Naming, rejects: Counter[str]) -> Row:
        links = snapshot_links(window, naming, self.times) if self.times else ()
        at_snapshots = [{**_target(link.target, naming), "is_later": link.is_later} for link in links]
        return {**_row(number, window, naming, self.rules, rejects), "snapshot_links": at_snapshots}


def _size_of(numbered: tuple[int, HistoryWindow]) -> Size:
    _, window = numbered
    return Size(len(window.own), sum(len(window.revisions[index].page.text) for index in window.own))


def _row(number: int, window: HistoryWindow, naming: Naming, rules: HistoryRules, rejects: Counter[str]) -> Row:
    page = _last_page(window)
    judgement = judge(window, naming, rules)
    rejects.update(judgement.rejects)
    repetition = Repetition(sum(len(window.revisions[index].page.text) for index in window.own))
    events = [
        (f"{page.language}:{page.id or page.title}:{added.after_revision.id}:{index}", added)
        for index, added in enumerate(judgement.added)
        if repetition.has_room(sum(len(section.text) for section in added.before.sections))
    ]
    all_linked = [
        linked for linked in judgement.facts.linked if repetition.has_room(sum(map(len, linked.where.passage)))
    ]
    repeated = len(judgement.added) - len(events) + len(judgement.facts.linked) - len(all_linked)
    rejects.update({REPEATED: repeated} if repeated else {})
    return {
        **page_row(page, naming),
        "window": number,
        "insertions": [_insertion_row(event, added, page, naming) for event, added in events],
        "linked_before": [
            {"event": event, **_target(key, naming)} for event, added in events for key in sorted(added.linked_before)
        ],
        "mentions": [
            {"time": mention.time, "mention": mention.mention, **_target(mention.target, naming)}
            for mention in judgement.facts.mentions
        ],
        "linked": [
            {
                "time": linked.time,
                **_target(linked.target, naming),
                **{field.name: getattr(linked.where, field.name) for field in WHERE},
            }
            for linked in all_linked
        ],
        "leads": [{"time": lead.time, "lead": lead.lead} for lead in judgement.facts.leads],
    }


def _last_page(window: HistoryWindow) -> Page:
    """Return the page, with its title, as the window leaves it (if it was deleted, as it was just before)."""
    revisions = [window.revisions[index] for index in window.own]
    last = next((revision for revision in reversed(revisions) if not revision.is_deletion), revisions[-1]).page
    title = last.title or markup_kind(last.markup).declared_title(last.text)
    if title:  # most pages need not be parsed for it
        return replace(last, title=title, language=language_of(last))
    article = parse(last)
    return replace(last, title=article.title, language=article.language)


def _target(key: str, naming: Naming) -> Row:
    return {"target": key, "target_tail": naming.tail_of_key(key) or None}


def _insertion_row(event: str, added: Added, page: Page, naming: Naming) -> Row:
    link = added.added.link
    candidate = candidates(added.after)[added.added.sentence]
    return {
        "event": event,
        "target": added.added.target,
        "target_tail": naming.target_tail(link.target, page) or None,
        "mention": link.mention,
        "scenario": added.added.scenario.value,
        "section": added.section,
        "gold": list(added.added.gold),
        "before_revision": added.before_revision.id,
        "before_time": added.before_revision.time,
        "after_revision": added.after_revision.id,
        "after_time": added.after_revision.time,
        "sections": section_rows(added.before, lambda target: naming.target_key(target, page)),
        "context": candidate.context,
        "mention_start": link.start - candidate.start,
        "mention_end": link.end - candidate.start,
    }
