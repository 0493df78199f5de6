"""How good the insertions are that linkspot finds, judged by some hundreds of edits that a reader labelled."""

import csv
from collections import Counter, defaultdict
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.wikis import DATA
from linkspot.corpora.corpus import CorpusSource
from linkspot.insertions.history import Added, judge
from linkspot.insertions.rules import STRICT, HistoryRules, Rule
from linkspot.insertions.windows import HistoryWindow, windows
from linkspot.links.addresses import Naming
from linkspot.records import Revision, Scenario

LABELS = Path(__file__).parent / "labels.csv"
NO_INSERTION = "none"
#: What is known about each sample. Only the last two measure the code fairly: it was fixed by looking at the others.
SAMPLES = {
    1: "drawn first, used for fixes since; when drawn, .925 of 228 had the right place, .899 the right scenario",
    2: "drawn second, used for fixes since; when drawn, .890 of 200 had the right place, .885 the right scenario",
    3: "drawn after the last fix and never used for fixes",
    4: "drawn from the links that the paper's protocol keeps, in six corpora, and never used for fixes",
}
FRESH, OF_PAPER = 3, 4


@dataclass(frozen=True)
class Label:
    """A reader's judgement of one edit: the scenario (or that it is no insertion) and the right sentences before it.

    `sample` is the sample that the edit is from; see `SAMPLES`.
    """

    sample: int
    corpus: str
    page: str
    after_revision: str
    target: str
    scenario: str
    gold: frozenset[int]

    @property
    def event(self) -> tuple[str, str, str]:
        """What identifies the edit in its corpus."""
        return self.page, self.after_revision, self.target


@dataclass(frozen=True)
class LabelledInsertion:
    """A label with the insertion that linkspot finds for the same edit, if it finds one."""

    label: Label
    insertion: Added | None

    @property
    def has_place(self) -> bool:
        """Whether all places of the insertion are right."""
        if self.insertion is None:
            return False
        gold = set(self.insertion.added.gold)
        return self.label.scenario != NO_INSERTION and gold <= self.label.gold and bool(gold) == bool(self.label.gold)

    @property
    def has_scenario(self) -> bool:
        """Whether the scenario of the insertion is right."""
        return self.insertion is not None and self.insertion.added.scenario == self.label.scenario


def labels() -> list[Label]:
    """Return all labels."""
    with LABELS.open(encoding="utf-8", newline="") as file:
        return [
            Label(
                int(row["sample"]),
                row["corpus"],
                row["page"],
                row["after_revision"],
                row["target"],
                row["scenario"],
                frozenset(int(number) for number in row["gold"].split()),
            )
            for row in csv.DictReader(file)
        ]


def source_of(corpus: str, data: Path = DATA) -> CorpusSource:
    """Return the corpus that a label names."""
    return CorpusSource(data / corpus, pages="{lang}/{slug}.md" if _is_mirrored(corpus) else "")


def _is_mirrored(corpus: str) -> bool:
    """Return whether each commit of a corpus is a mirroring of a whole wiki."""
    return corpus.startswith("wikis/")


def labelled_insertions(
    data: Path = DATA, rules: HistoryRules = STRICT, samples: Container[int] = SAMPLES, within: str = ""
) -> list[LabelledInsertion]:
    """Return each label of some samples with the insertion that linkspot finds by some rules in the same history.

    Only corpora are read whose path begins with `within`.
    """
    by_corpus: dict[str, list[Label]] = defaultdict(list)
    for label in labels():
        if label.sample in samples and label.corpus.startswith(within):
            by_corpus[label.corpus].append(label)
    labelled: list[LabelledInsertion] = []
    for corpus, own_labels in by_corpus.items():
        own_rules = rules.lifting(Rule.MAX_PAGES) if _is_mirrored(corpus) else rules
        pages = frozenset(label.page for label in own_labels)
        insertions = dict(_insertions(corpus, data, pages, own_rules))
        labelled += [LabelledInsertion(label, insertions.get(label.event)) for label in own_labels]
    return labelled


def _insertions(
    corpus: str, data: Path, pages: frozenset[str], rules: HistoryRules
) -> Iterator[tuple[tuple[str, str, str], Added]]:
    naming, histories = _histories(corpus, data, pages)
    for window in histories:
        for added in judge(window, naming, rules).added:
            revision = added.after_revision
            yield (revision.page.id, revision.id, added.added.target), added


@cache
def _histories(corpus: str, data: Path, pages: frozenset[str]) -> tuple[Naming, list[HistoryWindow]]:
    """Return the histories of some pages; they are read once, since reading takes longer than judging."""
    opened = source_of(corpus, data).open()
    revisions: Iterator[Revision] = (revision for revision in opened.revisions() if revision.page.id in pages)
    return Naming(opened.layout, opened.capitalises), list(windows(revisions))


def measure() -> str:
    """Return a table of precision by the scenario that linkspot finds, and one by sample."""
    labelled = labelled_insertions()
    kept = [case for case in labelled if case.insertion is not None]
    fresh = [case for case in kept if case.label.sample == FRESH]
    lines = [
        "Precision of the insertions that linkspot finds, against labels made by reading (`bench/labels.csv`), on the",
        f"sample that was {SAMPLES[FRESH]}:",
        "",
        *_table("scenario found", {**_by_scenario(fresh), "**all**": fresh}),
        "",
        "All samples; each edit was labelled by one reader, who did not know the code (in the last sample,",
        "who knew it, but not what it says of these edits):",
        "",
        *_table(
            "sample",
            {text: [case for case in kept if case.label.sample == number] for number, text in SAMPLES.items()},
        ),
    ]
    corpora = Counter(case.label.corpus for case in labelled)
    missed = len(labelled) - len(kept)
    lines += ["", f"In {missed} of {len(labelled)} labelled edits in {len(corpora)} corpora, linkspot finds none."]
    return "\n".join(lines)


def _by_scenario(cases: list[LabelledInsertion]) -> dict[str, list[LabelledInsertion]]:
    groups: dict[str, list[LabelledInsertion]] = {scenario.value: [] for scenario in Scenario}
    for case in cases:
        if case.insertion is not None:
            groups[case.insertion.added.scenario.value].append(case)
    return groups


def _table(head: str, groups: dict[str, list[LabelledInsertion]]) -> Iterator[str]:
    yield f"| {head} | labelled | right place | right scenario |"
    yield "| --- | ---: | ---: | ---: |"
    for name, group in groups.items():
        if group:
            places = sum(case.has_place for case in group) / len(group)
            scenarios = sum(case.has_scenario for case in group) / len(group)
            yield f"| {name} | {len(group)} | {places:.3f} | {scenarios:.3f} |"
