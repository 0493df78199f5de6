"""The linking rules of wikis: where a link may go."""

from linkspot.records import Section
from linkspot.source_map import Span


def can_be_linked(section: Section, words: Span) -> bool:
    """Return whether these words can become a link: not inside or beside another link, not across other markup.

    A link on another line, in another list item or paragraph, is not beside them.
    """
    start, end = words.start, words.end
    while start > 0 and _is_blank(section.text[start - 1]):
        start -= 1
    while end < len(section.text) and _is_blank(section.text[end]):
        end += 1
    is_free = not any(section.links_in(start - 1, end + 1))  # a link that touches counts
    return is_free and section.source_map.is_balanced(words.start, words.end)


def _is_blank(character: str) -> bool:
    return character != "\n" and character.isspace()
