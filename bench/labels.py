"""How good the found insertions are: judged against some hundreds that were labelled by reading them."""

import csv
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.wikis import DATA
from linkspot.corpora.corpus import CorpusSource
from linkspot.insertions.history import Added, HistoryRules, judge
from linkspot.insertions.windows import windows
from linkspot.links.addresses import Naming
from linkspot.records import Revision, Scenario

LABELS = Path(__file__).parent / "labels.csv"
NO_INSERTION = "none"
#: What is known of each draw. Only the last says how right the insertions are; on the others the code was mended.
SAMPLES = {
    1: "drawn first, mended on since; at its draw .925 of 228 had the right place, .899 the right scenario",
    2: "drawn second, mended on since; at its draw .890 of 200 had the right place, .885 the right scenario",
    3: "drawn after the last mending and never mended on",
}
FRESH = max(SAMPLES)


@dataclass(frozen=True)
class Label:
    """What a reader says of one edit: the scenario (or that it is no insertion) and the right sentences before it.

    `sample` is the draw that the edit came with; see `SAMPLES`.
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
        """What tells it from others in its corpus."""
        return self.page, self.after_revision, self.target


@dataclass(frozen=True)
class Verdict:
    """A label with what was found: nothing if the insertion was passed over."""

    label: Label
    found: Added | None

    @property
    def has_place(self) -> bool:
        """Whether every place that was found is right."""
        if self.found is None:
            return False
        gold = set(self.found.added.gold)
        return self.label.scenario != NO_INSERTION and gold <= self.label.gold and bool(gold) == bool(self.label.gold)

    @property
    def has_scenario(self) -> bool:
        """Whether the scenario that was found is right."""
        return self.found is not None and self.found.added.scenario == self.label.scenario


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


def verdicts(data: Path = DATA) -> list[Verdict]:
    """Return each label with what linkspot finds in the same history."""
    by_corpus: dict[str, list[Label]] = defaultdict(list)
    for label in labels():
        by_corpus[label.corpus].append(label)
    found: list[Verdict] = []
    for corpus, wanted in by_corpus.items():
        events = dict(_found(data / corpus, {label.page for label in wanted}))
        found += [Verdict(label, events.get(label.event)) for label in wanted]
    return found


def _found(path: Path, pages: set[str]) -> Iterator[tuple[tuple[str, str, str], Added]]:
    corpus = CorpusSource(path).open()
    wanted: Iterator[Revision] = (revision for revision in corpus.revisions() if revision.page.id in pages)
    for window in windows(wanted):
        naming = Naming(corpus.layout, corpus.capitalises)
        for added in judge(window, naming, HistoryRules()).added:
            revision = added.after_revision
            yield (revision.page.id, revision.id, added.added.target), added


def measure() -> str:
    """Return a table of precision by the scenario that linkspot found, and one by draw."""
    every = verdicts()
    kept = [verdict for verdict in every if verdict.found is not None]
    fresh = [verdict for verdict in kept if verdict.label.sample == FRESH]
    lines = [
        "Precision of the insertions that linkspot finds, against labels made by reading (`bench/labels.csv`), on the",
        f"sample that was {SAMPLES[FRESH]}:",
        "",
        *_table("scenario found", {**_by_scenario(fresh), "**all**": fresh}),
        "",
        "All samples; each edit was labelled by one reader, who did not know the code:",
        "",
        *_table("sample", {text: [v for v in kept if v.label.sample == n] for n, text in SAMPLES.items()}),
    ]
    corpora = Counter(verdict.label.corpus for verdict in every)
    lines += ["", f"{len(every) - len(kept)} of {len(every)} labelled edits in {len(corpora)} corpora are passed over."]
    return "\n".join(lines)


def _by_scenario(found: list[Verdict]) -> dict[str, list[Verdict]]:
    groups: dict[str, list[Verdict]] = {scenario.value: [] for scenario in Scenario}
    for verdict in found:
        if verdict.found is not None:
            groups[verdict.found.added.scenario.value].append(verdict)
    return groups


def _table(head: str, groups: dict[str, list[Verdict]]) -> Iterator[str]:
    yield f"| {head} | labelled | right place | right scenario |"
    yield "| --- | ---: | ---: | ---: |"
    for name, group in groups.items():
        if group:
            places = sum(verdict.has_place for verdict in group) / len(group)
            scenarios = sum(verdict.has_scenario for verdict in group) / len(group)
            yield f"| {name} | {len(group)} | {places:.3f} | {scenarios:.3f} |"
