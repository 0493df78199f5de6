"""Scenarios: what a page lacked just before a link was added, and where the link belonged in it."""

from collections.abc import Container
from dataclasses import dataclass

from linkspot.insertions.edit import Edit
from linkspot.insertions.navigation import is_navigation
from linkspot.insertions.rejects import Reject
from linkspot.insertions.repairs import remnants, stood_outside_of_prose
from linkspot.insertions.retargets import led_elsewhere
from linkspot.insertions.rules import STRICT, HistoryRules, Rule
from linkspot.insertions.translations import was_linked_in_another_language
from linkspot.insertions.versions import PlacedLink, Version
from linkspot.insertions.wording import Wording, may_occur, wording_before
from linkspot.limits import LIMITS
from linkspot.records import Link, Scenario

# An edit that keeps a smaller share of the sentences rewrote the page. Of 2,700 edits of the OpenTTD wiki in 24
# languages, 150 kept less than a tenth (most of them translations) and 2,200 more than nine tenths; only 115 are
# between .1 and .5.
_LEAST_KEPT = 0.5
# If more sentences were removed for each that was added, the text was replaced, not added. In English, 93 % of the
# links in new sentences have a ratio below .4, nearly all of them 0; in the other languages 74 % have 1 (text replaced
# by its translation); none is at .4.
_MOST_GONE = 0.5
_MOST_RIGHT = 2  # removed sentences that count as right places for the text that replaced them


@dataclass(frozen=True, slots=True)
class AddedLink:
    """A link that only the later version has: its scenario, and the right candidates in the earlier version.

    `sentence` is the number of the sentence in the later version that holds the link.
    """

    target: str
    link: Link
    sentence: int
    scenario: Scenario
    gold: tuple[int, ...]


def added_links(
    before: Version, after: Version, keys: Container[str] | None = None, rules: HistoryRules = STRICT
) -> dict[str, AddedLink | Reject]:
    """Return for each page that only the later version links to the first such link, or why it does not count.

    With `keys`, only links to these pages are judged.
    """
    first: dict[str, PlacedLink] = {}
    for link in after.links:
        if link.key not in before.linked and (keys is None or link.key in keys):
            first.setdefault(link.key, link)
    if len(first) > LIMITS.added_links:
        return dict.fromkeys(first, Reject.TOO_MANY_LINKS)
    judge = _Judge(Edit(before, after), rules)
    return {
        key: Reject.LONG_MENTION if len(link.link.mention) > LIMITS.mention_characters else judge.verdict(link)
        for key, link in first.items()
    }


@dataclass(frozen=True, slots=True)
class _Judge:
    """Judges the links of one edit by the rules that apply."""

    edit: Edit
    rules: HistoryRules

    def verdict(self, link: PlacedLink) -> AddedLink | Reject:
        edit, applies = self.edit, self.rules.applies
        if applies(Rule.SELF_LINK) and link.key == edit.after.own_key:
            return Reject.TO_ITSELF
        if applies(Rule.NAVIGATION) and is_navigation(edit.after, link):
            return Reject.NAVIGATION
        if not edit.before.article.sentences:
            return Reject.NO_PAGE_BEFORE
        if applies(Rule.REWRITTEN) and edit.kept_share < _LEAST_KEPT:
            return Reject.REWRITTEN
        if applies(Rule.RETARGET) and was_linked_in_another_language(edit, link.key):
            return Reject.RETARGET
        origin = edit.alignment.origins[link.number]
        return self._in_new_sentence(link) if origin is None else self._in_old_sentence(link, origin)

    def _in_old_sentence(self, link: PlacedLink, origin: int) -> AddedLink | Reject:
        edit = self.edit
        _, old = edit.before.article.sentences[origin]
        _, new = edit.after.article.sentences[link.number]
        wording = _wording(edit, link, origin)
        is_retarget = led_elsewhere(edit, link, origin, wording)
        if is_retarget and self.rules.applies(Rule.RETARGET):
            return Reject.RETARGET
        if self.rules.applies(Rule.REPAIR) and remnants(edit.before, old.source) > remnants(edit.after, new.source):
            return Reject.REPAIR
        had_words = _was_unlinked(edit, origin, wording) or (is_retarget and bool(wording.occurrences))
        scenario = Scenario.TEXT_PRESENT if had_words else Scenario.MISSING_MENTION
        return AddedLink(link.key, link.link, link.number, scenario, (origin,))

    def _in_new_sentence(self, link: PlacedLink) -> AddedLink | Reject:
        edit, applies = self.edit, self.rules.applies
        if applies(Rule.MOVED_TEXT) and stood_outside_of_prose(edit.before, edit.after, link.number):
            return Reject.OUTSIDE_OF_PROSE
        gap = edit.gap(link.number)
        words = edit.after.words_of(link)
        for old in gap.gone:
            if not may_occur(edit.before.readings[old], edit.after.readings[link.number], words):
                continue
            if _was_unlinked(edit, old, _wording(edit, link, old)):
                return self._in_old_sentence(link, old)  # little of the old sentence is left, but the link's words are
        if applies(Rule.REPLACED) and gap.gone and len(gap.gone) >= _MOST_GONE * len(gap.new):
            return Reject.REPLACED
        if edit.is_new_section(edit.new_around(link.number)):
            return self._added_with_text(edit, link)
        origin = edit.loose.alignment.origins[link.number]
        return self._added_with_text(edit.loose, link) if origin is None else self._in_old_sentence(link, origin)

    def _added_with_text(self, edit: Edit, link: PlacedLink) -> AddedLink | Reject:
        gap, new = edit.gap(link.number), edit.new_around(link.number)
        gold = () if edit.is_new_section(new) else edit.neighbours(new)
        if gold:
            gone = edit.gone_beside(gap, gold)
            if self.rules.applies(Rule.REPLACED) and len(gone) >= len(new):
                return Reject.REPLACED
            if len(gone) <= _MOST_RIGHT:
                gold = tuple(sorted({*gold, *gone}))
        else:
            section, _ = edit.after.article.sentences[link.number]
            if self.rules.applies(Rule.NO_PLACE) and (edit.had_prose(section) or edit.follows_another(section, gap)):
                return Reject.NO_PLACE
            gold = edit.sentences_before(section)  # if the text of a section was replaced, it stood where that stood
        if not gold:
            return AddedLink(link.key, link.link, link.number, Scenario.MISSING_SECTION, ())
        scenario = Scenario.MISSING_SENTENCE if len(new) == 1 else Scenario.MISSING_SPAN
        return AddedLink(link.key, link.link, link.number, scenario, gold)


def _wording(edit: Edit, link: PlacedLink, origin: int) -> Wording:
    return wording_before(edit.before.readings[origin], edit.after.readings[link.number], edit.after.words_of(link))


def _was_unlinked(edit: Edit, origin: int, wording: Wording) -> bool:
    """Return whether the same words stood in the old sentence without a link."""
    return any(not edit.links_before(origin, words) for words in wording.occurrences)
