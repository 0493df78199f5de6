"""Rejects: why a link that a page did not have before does not count as an insertion."""

from enum import StrEnum

from linkspot.insertions.rules import Rule


class Reject(StrEnum):
    """The reason, as people read it in the count of what was left out."""

    ALREADY_LINKED = "the page linked there already"
    NOT_IN_PROSE = "a link outside of the prose"
    NAVIGATION = "a link in a line of navigation"
    TO_ITSELF = "a link to the page itself"
    RETARGET = "words, or words in their place, that led elsewhere"
    REPAIR = "broken markup that was repaired"
    OUTSIDE_OF_PROSE = "words that stood outside of the prose"
    REPLACED = "a text that was replaced or translated"
    REWRITTEN = "a page that was written anew"
    NO_PLACE = "a section of which no sentence stayed"
    NO_PAGE_BEFORE = "a page without prose, or a redirect, before"
    RESTORED = "a link that had been there a few revisions before"
    SHORT_LIVED = "a link that did not survive"
    LONG_MENTION = "a link with very many words"
    MANY_LINKS = "an edit that added many links"
    TOO_MANY_LINKS = "an edit that added more links than linkspot compares"
    MANY_PAGES = "an edit of many pages"
    # The reasons below need the whole corpus.
    UNKNOWN_TARGET = "an added link to a page that the corpus lacks"
    FROM_ITSELF = "an added link from a page to itself"
    OTHER_NAME = "an added link to a page that was linked by another name"
    SECOND_LINK = "a second added link to the same page"
    NOT_IN_DIFFERENCE = "an added link that is not in the difference of the snapshots"
    NOT_BETWEEN = "an added link of an edit that is not between the snapshots"
    ADDED_AGAIN = "an added link that was added again later"
    NO_ENTITY = "an added link of a page without an entity id"
    NOT_YET = "an added link to a page that did not exist yet"
    NO_LEAD = "an added link to a page without a lead"


#: The rule behind each reason. The other reasons say that nothing was added, or that there is no place to rank.
RULES = {
    Reject.SHORT_LIVED: Rule.SURVIVAL,
    Reject.MANY_LINKS: Rule.MAX_LINKS,
    Reject.MANY_PAGES: Rule.MAX_PAGES,
    Reject.RESTORED: Rule.RESTORED,
    Reject.RETARGET: Rule.RETARGET,
    Reject.REPAIR: Rule.REPAIR,
    Reject.OUTSIDE_OF_PROSE: Rule.MOVED_TEXT,
    Reject.NAVIGATION: Rule.NAVIGATION,
    Reject.REPLACED: Rule.REPLACED,
    Reject.REWRITTEN: Rule.REWRITTEN,
    Reject.NO_PLACE: Rule.NO_PLACE,
    Reject.NOT_YET: Rule.TARGET_EXISTS,
    Reject.TO_ITSELF: Rule.SELF_LINK,
    Reject.FROM_ITSELF: Rule.SELF_LINK,
    Reject.NO_LEAD: Rule.LEAD,
    Reject.NO_ENTITY: Rule.ENTITY_ID,
}
