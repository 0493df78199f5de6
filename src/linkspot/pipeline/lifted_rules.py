"""Lifted rules: which option keeps the links that one rule left out, and how many links fell to each rule."""

from collections import Counter
from collections.abc import Mapping

from linkspot.insertions.rejects import RULES, Reject
from linkspot.insertions.rules import Rule

_ALSO = {
    Rule.SURVIVAL: ", or a smaller --survive",
    Rule.MAX_LINKS: ", or a larger --max-links",
    Rule.MAX_PAGES: ", or a larger --max-pages",
}


def counts_by_rule(rejects: Mapping[str, int]) -> Counter[Rule]:
    """Return how many links fell to each rule, given the counts of a manifest."""
    return Counter({rule: count for rule in Rule if (count := _count(rejects, rule))})


def hint(kept: int, rejects: Mapping[str, int]) -> str:
    """Return a sentence that names the option to lift a rule, if that rule left out most of what was found; else "".

    What was found is what was kept and what an option would keep.
    """
    by_rule, unknown = counts_by_rule(rejects), rejects.get(Reject.UNKNOWN_TARGET, 0)
    found = kept + by_rule.total() + unknown
    if 2 * unknown > found:
        return f"{unknown:,} of {found:,} added links lead to pages that the corpora lack; --keep-unknown keeps them"
    for rule, count in by_rule.items():
        if 2 * count > found:
            also = _ALSO.get(rule, "")
            return f"{count:,} of {found:,} added links fall to one rule, {rule}; to keep them: --lift {rule}{also}"
    return ""


def _count(rejects: Mapping[str, int], rule: Rule) -> int:
    return sum(rejects.get(reject, 0) for reject, own in RULES.items() if own is rule)
