"""Rejects: why a link that a page did not have before does not count as an insertion."""

from enum import StrEnum


class Reject(StrEnum):
    """The reason, as people read it in the count of what was left out."""

    ALREADY_LINKED = "the page linked there already"
    NOT_IN_PROSE = "a link outside of the prose"
    TO_ITSELF = "a link to the page itself"
    RETARGET = "words, or words in their place, that led elsewhere"
    REPAIR = "broken markup that was mended"
    OUTSIDE_OF_PROSE = "words that stood outside of the prose"
    REPLACED = "a text that was replaced or translated"
    REWRITTEN = "a page that was written anew"
    NO_PLACE = "a section of which no sentence stayed"
    NO_PAGE_BEFORE = "a page without prose, or a redirect, before"
    RESTORED = "a link that had been there a few revisions before"
    SHORT_LIVED = "a link that did not survive"
    MANY_LINKS = "an edit that added many links"
    MANY_PAGES = "an edit of many pages"
