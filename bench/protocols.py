"""How the two protocols of `linkspot insertions` differ on the same histories: counts, scenarios, precision."""

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import pyarrow.dataset as ds

from bench.labels import NO_INSERTION, OF_PAPER, labelled_insertions
from bench.wikis import DATA
from linkspot.insertions.rules import PROTOCOLS, Protocol, Rule
from linkspot.pipeline.lifted_rules import counts_by_rule
from linkspot.records import Scenario

CACHE = Path(__file__).parent / ".cache" / "protocols"  # finished tables are read again, not made again
# A commit of these repositories is a mirroring of the whole wiki, so the number of its pages says nothing.
_MIRRORED = ("--pages", "{lang}/{slug}.md", "--lift", "max-pages")

_ABOUT_PRECISION = """\
Precision on 150 links of six corpora that `python -m bench.label_draw 4` drew from the paper's protocol, one of each
page, labelled by one reader who saw the text before and after, not what linkspot makes of it. *Insertion*: the reader
found a new link in the prose, and not a retarget, a repair, a translation, navigation or a redirect. *Insertions kept*:
how many of the reader's insertions the protocol keeps. The draw looks at the history of each page alone. The command
also knows redirects and pages that moved, so fewer retargets remain."""


@dataclass(frozen=True)
class ComparedCorpus:
    """A corpus, the days of its two snapshots, and the options to read it."""

    name: str
    files: str
    earlier: str
    later: str
    options: tuple[str, ...] = ()

    def folder(self, protocol: Protocol) -> Path:
        """Return where the insertions by a protocol are."""
        return CACHE / f"{self.name.lower()}-{protocol}"

    def period(self, protocol: Protocol) -> tuple[str, ...]:
        """Return the options for the time between the snapshots, which strict rules take as the time of edits."""
        if protocol is Protocol.PAPER:
            return "--protocol", "paper", "--snapshots", self.earlier, self.later
        return "--from", self.earlier, "--to", self.later

    def made(self, protocol: Protocol) -> Path:
        """Find the insertions by a protocol, if they were not found before, and return their folder."""
        out = self.folder(protocol)
        paths = sorted(map(str, DATA.glob(self.files)))
        command = [sys.executable, "-m", "linkspot.cli", "insertions", *paths, "--out", str(out), "--jobs", "1"]
        subprocess.run([*command, *self.period(protocol), *self.options], check=True, stdout=subprocess.DEVNULL)
        return out


CORPORA = (
    ComparedCorpus("OpenTTD", "openttd/*.xz", "2008-01-01", "2019-12-31"),
    ComparedCorpus("cpprefjp", "wikis/cpprefjp.bundle", "2018-01-01", "2025-06-30", _MIRRORED),
    ComparedCorpus("ethereum", "wikis/ethereum.bundle", "2022-01-01", "2025-12-31", _MIRRORED),
    ComparedCorpus("ArchWiki", "wikis/archwiki.bundle", "2016-12-31", "2019-06-30", _MIRRORED),
    ComparedCorpus("MDN", "mdn/mdn.bundle", "2024-07-02", "2026-02-28"),
    ComparedCorpus("FreeCAD", "wikis/freecad.bundle", "2021-12-31", "2024-06-30", _MIRRORED),
)


@dataclass(frozen=True)
class ProtocolRun:
    """The insertions that one protocol finds in one corpus: the scenario of each event, and what it left out."""

    protocol: Protocol
    scenarios: dict[tuple[str, ...], str]
    rejects: dict[str, int]

    @classmethod
    def of(cls, corpus: ComparedCorpus, protocol: Protocol) -> "ProtocolRun":
        """Find the insertions, or read them if they were found before."""
        out = corpus.made(protocol)
        columns = ["language", "source_key", "after_revision", "target_key", "scenario"]
        rows = ds.dataset(out / "insertions", format="parquet").to_table(columns=columns).to_pylist()
        manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
        scenarios = {tuple(row[column] for column in columns[:-1]): row["scenario"] for row in rows}
        return cls(protocol, scenarios, manifest["rejects"])

    @property
    def shares(self) -> dict[Scenario, float]:
        """The share of each scenario."""
        counts = Counter(self.scenarios.values())
        return {scenario: counts[scenario] / max(1, len(self.scenarios)) for scenario in Scenario}

    @property
    def macro_missing(self) -> float:
        """The share of links for which no words were there, as the mean over languages."""
        by_language: dict[str, Counter[bool]] = defaultdict(Counter)
        for (language, *_), scenario in self.scenarios.items():
            by_language[language][scenario != Scenario.TEXT_PRESENT] += 1
        return fmean(counts[True] / counts.total() for counts in by_language.values())


def measure(options: list[str] | None = None) -> str:
    """Return the tables; options are the names of the corpora to compare, each after --only."""
    names = {name.lower() for name in options or () if not name.startswith("-")}
    corpora = [corpus for corpus in CORPORA if not names or corpus.name.lower() in names]
    runs = {corpus: [ProtocolRun.of(corpus, protocol) for protocol in Protocol] for corpus in corpora}
    lines = [
        "The links that `linkspot insertions` finds with `--protocol strict` (`--from`, `--to`) and `--protocol paper`",
        "(`--snapshots`) between the same two days. Shares are of the links found; *no words* is all but text present,",
        "over all links and, in brackets, as the mean over languages. The paper's figure for Wikipedia, between two",
        "dumps a month apart, is 60 – 70 % (65 % in its conclusion), over links and over 105 languages. In the last",
        "column, the links that strict rules also find.",
        "",
        *_count_table(runs),
        "",
        "What strict rules leave out in these corpora, by the rule that `--lift` takes:",
        "",
        *_rule_table(runs),
        "",
        *_precision(),
    ]
    return "\n".join(lines)


def _count_table(runs: dict[ComparedCorpus, list[ProtocolRun]]) -> Iterator[str]:
    names = [scenario.replace("_", " ") for scenario in Scenario]
    yield f"| corpus, days | protocol | links | {' | '.join(names)} | no words | found by both |"
    yield f"| --- | --- | ---: |{' ---: |' * len(names)} ---: | ---: |"
    for corpus, (strict, paper) in runs.items():
        common = len(strict.scenarios.keys() & paper.scenarios.keys())
        for run in (strict, paper):
            shares = " | ".join(f"{share:.1%}" for share in run.shares.values())
            missing = 1 - run.shares[Scenario.TEXT_PRESENT]
            yield (
                f"| {corpus.name}, {corpus.earlier} – {corpus.later} | {run.protocol} | {len(run.scenarios):,} "
                f"| {shares} | {missing:.1%} ({run.macro_missing:.1%}) | {common:,} |"
            )


def _rule_table(runs: dict[ComparedCorpus, list[ProtocolRun]]) -> Iterator[str]:
    fallen = {corpus: counts_by_rule(strict.rejects) for corpus, (strict, _) in runs.items()}
    yield f"| rule | {' | '.join(corpus.name for corpus in runs)} |"
    yield f"| --- |{' ---: |' * len(runs)}"
    for rule in Rule:
        if any(counts[rule] for counts in fallen.values()):
            yield f"| `{rule}` | {' | '.join(f'{counts[rule]:,}' for counts in fallen.values())} |"


def _precision() -> Iterator[str]:
    """Yield how often the links of the sample that was drawn from the paper's protocol are what a reader says."""
    yield _ABOUT_PRECISION
    yield ""
    yield "| protocol | kept | insertion | right place | right scenario | insertions kept | no words |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for protocol, rules in PROTOCOLS.items():
        cases = labelled_insertions(rules=rules, samples={OF_PAPER})
        true = [case for case in cases if case.label.scenario != NO_INSERTION]
        kept = [(case, case.insertion.added.scenario) for case in cases if case.insertion is not None]
        right = [case for case, _ in kept if case.label.scenario != NO_INSERTION]
        places, scenarios = (sum(getattr(case, name) for case, _ in kept) for name in ("has_place", "has_scenario"))
        missing = sum(scenario != Scenario.TEXT_PRESENT for _, scenario in kept)
        shares = " | ".join(f"{number / len(kept):.3f}" for number in (len(right), places, scenarios))
        yield f"| {protocol} | {len(kept)} | {shares} | {len(right)} of {len(true)} | {missing / len(kept):.3f} |"
    missing = sum(case.label.scenario != Scenario.TEXT_PRESENT for case in true)
    yield f"| the reader | {len(true)} | | | | | {missing / len(true):.3f} |"
