"""Each rule that leaves added links out can be lifted alone; a protocol is a choice of rules."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from linkspot.insertions.history import Judgement, judge
from linkspot.insertions.rejects import RULES, Reject
from linkspot.insertions.rules import PAPER, PROTOCOLS, STRICT, HistoryRules, Protocol, Rule
from linkspot.insertions.windows import windows
from linkspot.links.addresses import Naming
from linkspot.records import Markup, Page, Revision, Scenario

BEFORE = """Trains need signals. A signal keeps trains apart. They cost money. Nobody knows how much.

== Tunnels ==
A tunnel is dark. Trains go through it. See [[Bridge|bridges]] too.

== Notes ==
* Fog comes in autumn.
* Snow falls in winter.
"""
LINKED = BEFORE.replace("A signal", "A [[signal]]")
SIX_PAGES = BEFORE + "* " + " ".join(f"[[Page {number}]]" for number in range(6)) + "\n"
NEW_PAGE = "Ships swim. Sie kosten viel [[Geld]]. Das ist alles. Mehr gibt es nicht."
NEW_NOTES = BEFORE[: BEFORE.index("* Fog")] + "A [[calendar]] helps here.\n== Weather ==\n* Fog comes in autumn.\n"
IN_TABLE = BEFORE + "\n{|\n| The quick brown fox || jumps\n|}\n"
START = datetime(2020, 1, 1, tzinfo=UTC)


def _history(*texts: str) -> list[Revision]:
    return [
        Revision(Page("Train", text, Markup.WIKITEXT, "en", "1"), str(number), START + timedelta(days=number))
        for number, text in enumerate(texts)
    ]


def _judge(revisions: Sequence[Revision], rules: HistoryRules) -> Judgement:
    (window,) = windows(revisions)
    return judge(window, Naming(), rules)


EDITS = {
    Rule.SURVIVAL: (Reject.SHORT_LIVED, [BEFORE, LINKED, BEFORE], Scenario.TEXT_PRESENT),
    Rule.MAX_LINKS: (Reject.MANY_LINKS, [BEFORE, SIX_PAGES], Scenario.MISSING_SENTENCE),
    Rule.RESTORED: (Reject.RESTORED, [LINKED, BEFORE, LINKED], Scenario.TEXT_PRESENT),
    Rule.RETARGET: (
        Reject.RETARGET,
        [BEFORE, BEFORE.replace("[[Bridge|bridges]]", "[[Viaduct|bridges]]")],
        Scenario.TEXT_PRESENT,
    ),
    Rule.REPAIR: (Reject.REPAIR, [BEFORE.replace("A signal", "A [[signal]"), LINKED], Scenario.TEXT_PRESENT),
    Rule.MOVED_TEXT: (
        Reject.OUTSIDE_OF_PROSE,
        [IN_TABLE, BEFORE + "* The quick brown [[fox]]\n"],
        Scenario.MISSING_SENTENCE,
    ),
    Rule.NAVIGATION: (Reject.NAVIGATION, [BEFORE, BEFORE + "\n[[Fog|Next: fog]] »\n"], Scenario.MISSING_SENTENCE),
    Rule.REPLACED: (
        Reject.REPLACED,
        [BEFORE, BEFORE.replace("They cost money.", "Sie kosten viel [[Geld]].")],
        Scenario.MISSING_SENTENCE,
    ),
    Rule.SELF_LINK: (Reject.TO_ITSELF, [BEFORE, BEFORE.replace("keeps trains", "keeps [[train]]s")], None),
}


@pytest.mark.parametrize("rule", EDITS)
def test_a_link_that_falls_to_one_rule_is_kept_when_that_is_lifted(rule: Rule) -> None:
    reject, texts, scenario = EDITS[rule]
    strict = _judge(_history(*texts), STRICT)
    assert not strict.added
    assert set(strict.rejects) == {reject}
    assert RULES[reject] is rule
    lifted = _judge(_history(*texts), STRICT.lifting(rule))
    assert len(lifted.added) == strict.rejects[reject]
    assert not lifted.rejects
    assert scenario in {None, *(added.added.scenario for added in lifted.added)}
    # A rule alone does the same as among all of them.
    assert _judge(_history(*texts), HistoryRules(applied=frozenset({rule}))).rejects == strict.rejects


def test_an_edit_of_many_pages_counts_when_that_rule_is_lifted() -> None:
    first, second = _history(BEFORE, LINKED)
    mirrored = [first, replace(second, touched=1000)]
    assert _judge(mirrored, STRICT).rejects == {Reject.MANY_PAGES: 1}
    assert len(_judge(mirrored, STRICT.lifting(Rule.MAX_PAGES)).added) == 1


def test_a_page_that_was_written_anew_needs_two_more_rules_lifted_to_tell_places() -> None:
    history = _history(BEFORE, NEW_PAGE)
    assert _judge(history, STRICT).rejects == {Reject.REWRITTEN: 1}
    assert _judge(history, STRICT.lifting(Rule.REWRITTEN)).rejects == {Reject.REPLACED: 1}
    assert _judge(history, STRICT.lifting(Rule.REWRITTEN, Rule.REPLACED)).rejects == {Reject.NO_PLACE: 1}
    (added,) = _judge(history, STRICT.lifting(Rule.REWRITTEN, Rule.REPLACED, Rule.NO_PLACE)).added
    # The text stands where the old text of its section stood, all of which is a right place.
    assert (added.added.scenario, added.added.gold) == (Scenario.MISSING_SPAN, (0, 1, 2, 3))


def test_text_in_a_section_of_which_nothing_stayed_belongs_where_that_stood() -> None:
    history = _history(BEFORE, NEW_NOTES)
    assert _judge(history, STRICT.lifting(Rule.REPLACED)).rejects == {Reject.NO_PLACE: 1}
    (added,) = _judge(history, STRICT.lifting(Rule.REPLACED, Rule.NO_PLACE)).added
    places = [added.before.sentences[number][1].text for number in added.added.gold]
    assert (added.added.scenario, places) == (
        Scenario.MISSING_SENTENCE,
        ["Fog comes in autumn.", "Snow falls in winter."],
    )


def test_the_paper_s_protocol_keeps_all_but_self_links() -> None:
    for rule, (_reject, texts, _scenario) in EDITS.items():
        judgement = _judge(_history(*texts), PAPER)
        assert bool(judgement.added) == (rule is not Rule.SELF_LINK), rule
    assert not _judge(_history("", LINKED), PAPER).added  # there is no page before, so no place to rank
    assert not _judge(_history(BEFORE, BEFORE + "{{box|[[Ship]]}}"), PAPER).added  # outside of the prose


def test_protocols_are_choices_of_the_same_rules() -> None:
    assert STRICT == HistoryRules() == PROTOCOLS[Protocol.STRICT]
    assert set(STRICT.applied) == set(Rule) == set(RULES.values())
    assert PROTOCOLS[Protocol.PAPER] == PAPER
    assert set(PAPER.applied) == {Rule.SELF_LINK, Rule.LEAD, Rule.ENTITY_ID}
    assert [rules.protocol for rules in (STRICT, PAPER, STRICT.lifting(Rule.REPAIR))] == ["strict", "paper", "own"]
    assert STRICT.lifting(Rule.REPAIR).applying(Rule.REPAIR) == STRICT


def test_a_manifest_names_the_rules_in_a_fixed_order() -> None:
    settings = PAPER.between(START, None).settings()
    assert settings["applied"] == ["self-link", "lead", "entity-id"]
    assert (settings["protocol"], settings["since"], settings["until"]) == ("paper", "2020-01-01T00:00:00+00:00", None)


def test_two_periods_leave_what_is_in_both() -> None:
    days = [START + timedelta(days=day) for day in range(4)]
    rules = STRICT.between(days[0], days[2]).between(days[1], days[3])
    assert (rules.since, rules.until) == (days[1], days[2])
    assert STRICT.between(None, None) == STRICT
