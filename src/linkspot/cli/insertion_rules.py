"""What the options of `linkspot insertions` mean: a protocol, rules lifted or added, snapshots."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.cli.values import end_of_day, survival
from linkspot.errors import UnusableInput

if TYPE_CHECKING:
    from linkspot.insertions.rules import HistoryRules, Rule
    from linkspot.pipeline.snapshots import Snapshots


def rules_of(
    protocol: str,
    lift: Iterable[str],
    apply: Iterable[str],
    survive: str = "",
    max_links: int | None = None,
    max_pages: int | None = None,
) -> "HistoryRules":
    """Return a protocol's rules as the options change them; a number that is given applies its rule."""
    from dataclasses import replace

    from linkspot.insertions.rules import PROTOCOLS, Protocol, Rule

    if protocol not in list(Protocol):
        raise UnusableInput(f"{protocol!r} is not a protocol; there are: {', '.join(Protocol)}")
    rules = PROTOCOLS[Protocol(protocol)]
    lifted, applied = ([_rule(name) for name in names] for names in (lift, apply))
    _check_lifted(lifted, {"survive": survive or None, "max-links": max_links, "max-pages": max_pages})
    if survive:
        kept, of = survival(survive)
        rules = replace(rules.applying(Rule.SURVIVAL), survive=kept, survive_of=of)
    if max_links is not None:
        rules = replace(rules.applying(Rule.MAX_LINKS), max_links=max_links)
    if max_pages is not None:
        rules = replace(rules.applying(Rule.MAX_PAGES), max_pages=max_pages)
    both = sorted({*lifted} & {*applied})
    if both:
        raise UnusableInput(f"the rule {both[0]} is both lifted and applied; choose one of --lift and --apply")
    return rules.applying(*applied).lifting(*lifted)


def snapshots_of(values: tuple[str, str] | None, protocol: str) -> "Snapshots | None":
    """Return two snapshots, the folders of indexes or the ends of days; the paper's protocol needs them."""
    from linkspot.insertions.snapshot_links import SnapshotTimes

    if values is None:
        if protocol == "paper":
            raise UnusableInput(
                "--protocol paper compares two snapshots; name them, for example --snapshots 2023-10-01 2023-11-01"
            )
        return None
    if all(Path(value).exists() for value in values):
        return Path(values[0]), Path(values[1])
    earlier, later = map(_day, values)
    if earlier >= later:
        raise UnusableInput(
            f"--snapshots {values[0]} {values[1]}: the first is not before the second; put the earlier one first"
        )
    return SnapshotTimes(earlier, later)


def _check_lifted(lifted: "Iterable[Rule]", numbers: Mapping[str, str | int | None]) -> None:
    """Raise UnusableInput if an option gives a number to a rule that is lifted, which would be ignored."""
    for rule in lifted:
        option = "survive" if rule == "survival" else str(rule)
        if numbers.get(option) is not None:
            raise UnusableInput(
                f"--{option} {numbers[option]} is for the rule {rule}, which --lift {rule} lifts; leave out one of them"
            )


def _day(text: str) -> datetime:
    try:
        return end_of_day(text)
    except UnusableInput:
        raise UnusableInput(
            f"{text!r} is not a snapshot; expected two dates like 2012-12-31, or two folders that 'linkspot index' made"
        ) from None


def _rule(name: str) -> "Rule":
    from linkspot.insertions.rules import Rule

    if name not in list(Rule):
        raise UnusableInput(f"{name!r} is not a rule; there are: {', '.join(Rule)}")
    return Rule(name)
