"""Where one rule leaves most links out, the user hears which option lifts it."""

import pytest

from linkspot.insertions.rejects import RULES, Reject
from linkspot.insertions.rules import Rule
from linkspot.pipeline.lifted_rules import counts_by_rule, hint


def test_a_rule_that_leaves_out_more_than_half_is_named_with_its_option() -> None:
    assert hint(100, {Reject.MANY_LINKS: 8875, Reject.RETARGET: 25}) == (
        "8,875 of 9,000 added links fall to one rule, max-links; "
        "to keep them: --lift max-links, or a larger --max-links"
    )


@pytest.mark.parametrize("reject", RULES)
def test_the_option_that_is_named_lifts_the_rule_behind_the_reason(reject: Reject) -> None:
    assert f"--lift {RULES[reject]}" in hint(1, {reject: 2})


def test_half_is_not_yet_more_than_half() -> None:
    assert hint(3, {Reject.MANY_LINKS: 3}) == ""
    assert hint(3, {Reject.MANY_LINKS: 4}) != ""
    assert hint(0, {}) == ""


def test_what_no_option_keeps_is_not_counted_among_what_was_found() -> None:
    assert hint(1, {Reject.ALREADY_LINKED: 1000, Reject.NOT_IN_PROSE: 1000}) == ""
    assert hint(1, {Reject.ALREADY_LINKED: 1000, Reject.SHORT_LIVED: 3}).startswith("3 of 4 added links")


def test_pages_that_the_corpora_lack_have_an_option_of_their_own() -> None:
    expected = "256 of 385 added links lead to pages that the corpora lack; --keep-unknown keeps them"
    assert hint(129, {Reject.UNKNOWN_TARGET: 256}) == expected


def test_reasons_of_one_rule_are_counted_together() -> None:
    assert counts_by_rule({Reject.TO_ITSELF: 2, Reject.FROM_ITSELF: 3, "a broken line": 9}) == {Rule.SELF_LINK: 5}
