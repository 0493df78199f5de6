"""Scenarios: what a page lacked just before a link was added, and where the link belonged in it."""

from dataclasses import dataclass

from linkspot.insertions.edit import Edit
from linkspot.insertions.navigation import is_navigation
from linkspot.insertions.rejects import Reject
from linkspot.insertions.repairs import remnants, stood_outside_of_prose
from linkspot.insertions.retargets import led_elsewhere
from linkspot.insertions.translations import was_linked_in_another_language
from linkspot.insertions.versions import PlacedLink, Version
from linkspot.insertions.wording import Wording, wording_before
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


def added_links(before: Version, after: Version) -> dict[str, AddedLink | Reject]:
    """Return for each page that only the later version links to the first such link, or why it does not count."""
    edit = Edit(before, after)
    verdicts: dict[str, AddedLink | Reject] = {}
    for link in after.links:
        if link.key not in before.linked and link.key not in verdicts:
            verdicts[link.key] = _verdict(edit, link)
    return verdicts


def _verdict(edit: Edit, link: PlacedLink) -> AddedLink | Reject:
    if link.key == edit.after.own_key:
        return Reject.TO_ITSELF
    if is_navigation(edit.after, link):
        return Reject.NOT_IN_PROSE
    if not edit.before.article.sentences:
        return Reject.NO_PAGE_BEFORE
    if edit.kept_share < _LEAST_KEPT:
        return Reject.REWRITTEN
    if was_linked_in_another_language(edit, link.key):
        return Reject.RETARGET
    origin = edit.alignment.origins[link.number]
    return _in_new_sentence(edit, link) if origin is None else _in_old_sentence(edit, link, origin)


def _in_old_sentence(edit: Edit, link: PlacedLink, origin: int) -> AddedLink | Reject:
    _, old = edit.before.article.sentences[origin]
    _, new = edit.after.article.sentences[link.number]
    wording = _wording(edit, link, origin)
    if led_elsewhere(edit, link, origin, wording):
        return Reject.RETARGET
    if remnants(edit.before, old.source) > remnants(edit.after, new.source):
        return Reject.REPAIR
    scenario = Scenario.TEXT_PRESENT if _was_unlinked(edit, origin, wording) else Scenario.MISSING_MENTION
    return AddedLink(link.key, link.link, link.number, scenario, (origin,))


def _wording(edit: Edit, link: PlacedLink, origin: int) -> Wording:
    return wording_before(edit.before.readings[origin], edit.after.readings[link.number], edit.after.words_of(link))


def _was_unlinked(edit: Edit, origin: int, wording: Wording) -> bool:
    """Return whether the same words stood in the old sentence without a link."""
    return any(not edit.links_before(origin, words) for words in wording.occurrences)


def _in_new_sentence(edit: Edit, link: PlacedLink) -> AddedLink | Reject:
    if stood_outside_of_prose(edit.before, edit.after, link.number):
        return Reject.OUTSIDE_OF_PROSE
    gap = edit.gap(link.number)
    for old in gap.gone:
        if _was_unlinked(edit, old, _wording(edit, link, old)):
            return _in_old_sentence(edit, link, old)  # little of the old sentence is left, but the link's words are
    if gap.gone and len(gap.gone) >= _MOST_GONE * len(gap.new):
        return Reject.REPLACED
    if edit.is_new_section(edit.new_around(link.number)):
        return _added_with_text(edit, link)
    origin = edit.loose.alignment.origins[link.number]
    return _added_with_text(edit.loose, link) if origin is None else _in_old_sentence(edit, link, origin)


def _added_with_text(edit: Edit, link: PlacedLink) -> AddedLink | Reject:
    gap = edit.gap(link.number)
    new = edit.new_around(link.number)
    gold = () if edit.is_new_section(new) else edit.neighbours(new)
    if not gold:
        section, _ = edit.after.article.sentences[link.number]
        if edit.had_prose(section) or edit.follows_another(section, gap):
            return Reject.NO_PLACE
        return AddedLink(link.key, link.link, link.number, Scenario.MISSING_SECTION, ())
    gone = edit.gone_beside(gap, gold)
    if len(gone) >= len(new):
        return Reject.REPLACED
    if len(gone) <= _MOST_RIGHT:
        gold = tuple(sorted({*gold, *gone}))
    scenario = Scenario.MISSING_SENTENCE if len(new) == 1 else Scenario.MISSING_SPAN
    return AddedLink(link.key, link.link, link.number, scenario, gold)
