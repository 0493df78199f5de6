from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.corpora.corpus import open_corpus
from linkspot.corpora.sites.layouts import MDN
from linkspot.insertions.history import Judgement, KnownLead, Mentioned, judge
from linkspot.insertions.rejects import Reject
from linkspot.insertions.rules import HistoryRules
from linkspot.insertions.windows import windows
from linkspot.links.addresses import Naming
from linkspot.records import Markup, Page, Revision, Scenario

LINES = ["Trains need signals.", "A signal keeps trains apart.", "They cost money.", "Nobody knows how much."]
START = datetime(2020, 1, 1, tzinfo=UTC)
PLAIN = "\n\n".join(LINES)
LINKED = PLAIN.replace("A signal", "A [[signal]]")


def _history(*texts: str, markup: Markup = Markup.WIKITEXT) -> list[Revision]:
    return [
        Revision(Page("Train", text, markup, "en", "1"), str(number), START + timedelta(days=number))
        for number, text in enumerate(texts)
    ]


def _judge(
    revisions: Sequence[Revision], rules: HistoryRules | None = None, most: int = 200, naming: Naming | None = None
) -> Judgement:
    """Return what all windows of a history give together."""
    total = Judgement()
    for window in windows(revisions, most):
        part = judge(window, naming or Naming(), rules or HistoryRules())
        total.added.extend(part.added)
        total.rejects.update(part.rejects)
        total.facts.mentions.extend(part.facts.mentions)
        total.facts.linked.extend(part.facts.linked)
        total.facts.leads.extend(part.facts.leads)
    return total


def _rejects(*texts: str) -> dict[str, int]:
    judgement = _judge(_history(*texts))
    assert not judgement.added
    return dict(judgement.rejects)


def test_an_insertion_tells_the_page_before_and_after() -> None:
    before = PLAIN.replace("They cost", "== Price ==\n[[Ticket]]s cost")
    (added,) = _judge(_history(before, before.replace("A signal", "A [[signal]]"))).added
    assert (added.added.scenario, added.added.gold) == (Scenario.TEXT_PRESENT, (1,))
    assert (added.before_revision.id, added.after_revision.id) == ("0", "1")
    assert added.section == ""
    assert added.linked_before == {"Ticket"}
    assert added.before.sentences[1][1].text == added.after.sentences[added.added.sentence][1].text == LINES[1]


def test_the_section_is_that_of_the_place_before_or_the_one_that_came() -> None:
    headed = PLAIN.replace("They cost", "== Price ==\nThey cost")
    renamed = headed.replace("== Price ==", "== Cost ==").replace("cost money", "cost [[money]]")
    (added,) = _judge(_history(headed, renamed)).added
    assert added.section == "Price"
    (added,) = _judge(_history(PLAIN, PLAIN + "\n== See also ==\n* [[Ship]]")).added
    assert (added.added.scenario, added.section) == (Scenario.MISSING_SECTION, "See also")


@pytest.mark.parametrize(
    ("later", "survives"),
    [([], True), ([LINKED], True), ([PLAIN], False), ([LINKED] * 4 + [PLAIN], True), ([LINKED] * 3 + [PLAIN], False)],
)
def test_a_link_survives_in_eight_of_ten_or_that_share(later: list[str], survives: bool) -> None:
    judgement = _judge(_history(PLAIN, LINKED, *later))
    assert len(judgement.added) == survives
    assert judgement.rejects[Reject.SHORT_LIVED] == (not survives)


@pytest.mark.parametrize(("gone", "survives"), [(2, True), (3, False)])
def test_ten_revisions_are_looked_at(gone: int, survives: bool) -> None:
    later = [*([PLAIN] * gone), *([LINKED] * (10 - gone)), *([PLAIN] * 20)]
    history = _history(PLAIN, LINKED, *later)
    assert [added.after_revision.id for added in _judge(history).added] == (["1"] if survives else [])
    assert len(_judge(history, HistoryRules(survive=1)).added) == 1


def test_the_end_of_a_page_says_nothing_of_its_links() -> None:
    *history, last = _history(PLAIN, LINKED, "")
    assert len(_judge([*history, replace(last, is_deletion=True)]).added) == 1
    assert not _judge([*history, last]).added


def test_a_link_that_comes_back_is_restored() -> None:
    other = LINKED.replace("money", "much money")
    assert _rejects(LINKED, PLAIN, other)[Reject.RESTORED] == 1
    assert len(_judge(_history(LINKED, *[PLAIN + f"\n\nLine {n}." for n in range(10)], other)).added) == 1


def test_a_return_to_an_earlier_text_restores_all_of_its_links() -> None:
    full = LINKED.replace("money", "[[money]]") + " See " + " ".join(f"[[Page {number}]]" for number in range(6))
    assert _rejects(full, PLAIN, full) == {Reject.RESTORED: 8}
    assert _rejects(full, "", full) == {Reject.NO_PAGE_BEFORE: 8}


def test_a_link_to_the_page_itself_counts_for_nothing() -> None:
    assert _rejects(PLAIN, PLAIN.replace("keeps trains", "keeps [[train]]s")) == {Reject.TO_ITSELF: 1}


@pytest.mark.parametrize("before", ["", "  \n", "#REDIRECT [[Railway]]", "{{stub}}"])
def test_a_page_that_was_empty_or_a_redirect_is_not_edited_but_written(before: str) -> None:
    assert _rejects(before, LINKED) == {Reject.NO_PAGE_BEFORE: 1}


def test_an_edit_with_many_links_is_left_out() -> None:
    new = " ".join(f"[[Page {number}]]" for number in range(6))
    assert _rejects(PLAIN, f"{PLAIN} See {new}.") == {Reject.MANY_LINKS: 6}
    assert len(_judge(_history(PLAIN, f"{PLAIN} See {new}."), HistoryRules(max_links=6)).added) == 6


def test_an_edit_of_many_pages_is_left_out() -> None:
    first, second = _history(PLAIN, LINKED)
    assert _judge([first, replace(second, touched=6)]).rejects == {Reject.MANY_PAGES: 1}
    assert len(_judge([first, replace(second, touched=5)]).added) == 1


def test_a_second_link_to_a_page_is_distinguished_from_one_outside_of_the_prose() -> None:
    assert _rejects(LINKED, LINKED + "\n\nOne more [[signal]].") == {Reject.ALREADY_LINKED: 1}
    assert _rejects(PLAIN, PLAIN + "\n{{box|[[Signal]]}}") == {Reject.NOT_IN_PROSE: 1}
    boxed = PLAIN + "\n{{box|[[Signal]]}}"
    assert len(_judge(_history(boxed, boxed.replace("A signal", "A [[signal]]"))).added) == 1


def test_a_macro_that_is_written_as_a_link_is_nothing_new() -> None:
    links = ('{{domxref("Window.open")}}', "[Window.open](/en-US/docs/Web/API/Window/open)")
    texts = (f"The {link} method opens a window." for link in links)
    judgement = _judge(_history(*texts, markup=Markup.MARKDOWN), naming=Naming(MDN))
    assert not judgement.added
    assert not judgement.rejects


def test_a_page_that_was_only_moved_is_not_edited() -> None:
    before, after = _history(LINKED, LINKED)
    moved = replace(after, page=replace(after.page, title="Railway"))
    judgement = _judge([before, moved])
    assert not judgement.added
    assert not judgement.rejects


def test_only_edits_of_the_time_that_is_asked_for_count() -> None:
    history = _history(PLAIN, LINKED, LINKED.replace("money", "[[money]]"))
    days = [START + timedelta(days=day) for day in range(3)]
    assert [a.added.target for a in _judge(history, HistoryRules(until=days[1])).added] == ["Signal"]
    assert [a.added.target for a in _judge(history, HistoryRules(since=days[2])).added] == ["Money"]
    assert _judge([replace(r, time=None) for r in history], HistoryRules(since=days[0])).added == []
    assert len(_judge([replace(r, time=None) for r in history]).added) == 2


def test_facts_tell_when_words_and_leads_were_first_seen() -> None:
    late = "Many trains need [[signal]]s.\n\nA [[bank]] lends money.\n\n" + LINKED
    facts = _judge(_history(LINKED, LINKED + " ", late), HistoryRules(since=START + timedelta(days=9))).facts
    assert facts.mentions == [
        Mentioned(START, "Signal", "signal"),
        Mentioned(START + timedelta(days=2), "Signal", "signals"),
        Mentioned(START + timedelta(days=2), "Bank", "bank"),
    ]
    assert facts.leads == [
        KnownLead(START, LINES[0]),
        KnownLead(START + timedelta(days=2), "Many trains need signals."),
    ]


def test_impossible_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="9 of 8 revisions; expected"):
        HistoryRules(survive=9, survive_of=8)


_CHANGES = st.lists(
    st.tuples(st.integers(0, len(LINES) - 1), st.sampled_from(["", "Signal", "Bank", "Fog"])), max_size=45
)


@given(changes=_CHANGES, most=st.integers(1, 12))
def test_the_cut_of_a_history_changes_nothing(changes: list[tuple[int, str]], most: int) -> None:
    targets = [""] * len(LINES)
    texts = [PLAIN]
    for line, target in changes:
        targets[line] = target
        texts.append("\n\n".join(_linked(text, to) for text, to in zip(LINES, targets, strict=True)))
    history = _history(*texts)
    whole, cut = _judge(history, most=1000), _judge(history, most=most)
    assert cut.added == whole.added
    assert cut.rejects == whole.rejects
    assert _first_seen(cut) == _first_seen(whole)
    assert len(whole.added) + whole.rejects.total() == _risen(texts)


def _linked(line: str, target: str) -> str:
    return line.replace(" ", f" [[{target}|here]] ", 1) if target else line


def _first_seen(judgement: Judgement) -> set[tuple[datetime | None, str, str]]:
    seen: dict[tuple[str, str], Mentioned] = {}
    for mention in judgement.facts.mentions:
        seen.setdefault((mention.target, mention.mention), mention)
    return {(mention.time, mention.target, mention.mention) for mention in seen.values()}


def _risen(texts: list[str]) -> int:
    counts = [Counter({name: text.count(f"[[{name}|") for name in ("Signal", "Bank", "Fog")}) for text in texts]
    return sum(new[name] > old[name] for old, new in pairwise(counts) for name in new)


@pytest.mark.shared_data
def test_a_real_wiki_gives_the_same_insertions_however_it_is_cut(shared_data: Path) -> None:
    corpus = open_corpus(shared_data / "openttd" / "openttd-de-pages-meta-history.xml.xz")
    revisions = list(corpus.revisions())
    naming = Naming(corpus.layout, corpus.capitalises)
    whole, cut = (_judge(revisions, most=most, naming=naming) for most in (1000, 7))
    assert cut.added == whole.added
    assert cut.rejects == whole.rejects
    assert _first_seen(cut) == _first_seen(whole)
    assert len(whole.added) > 40
    for added in whole.added:
        assert added.added.target not in added.linked_before
        assert bool(added.added.gold) == (added.added.scenario is not Scenario.MISSING_SECTION)
        sections = {added.before.sentences[number][0] for number in added.added.gold}
        assert all(added.before.sections[section].sentences for section in sections)


def test_a_link_is_noted_from_when_on_and_where_the_page_has_it() -> None:
    facts = _judge(_history(PLAIN, LINKED, LINKED.replace("cost money", "cost [[money]]"))).facts
    assert [(one.time, one.target, one.where.passage[one.where.linked]) for one in facts.linked] == [
        (START + timedelta(days=1), "Signal", LINES[1]),
        (START + timedelta(days=2), "Money", LINES[2]),
    ]
