"""The linking rules of wikis: where a link may go."""

from linkspot.records import Section
from linkspot.source_map import Span


def can_be_linked(section: Section, words: Span) -> bool:
    """Return whether these words can become a link: not inside or beside another link, not across other markup."""
    before, after = section.text[: words.start].rstrip(), section.text[words.end :].lstrip()
    reach = Span(len(before), len(section.text) - len(after))
    is_free = not any(link.start <= reach.end and reach.start <= link.end for link in section.links)
    return is_free and section.source_map.is_balanced(words.start, words.end)
