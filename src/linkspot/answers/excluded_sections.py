"""Sections that are no place for a link: references, notes, further reading, external links, and what a user names."""

from collections.abc import Collection

from linkspot.answers.page_kind import is_item
from linkspot.records import Article, LinkKind, Section
from linkspot.text.apparatus import apparatus_titles, is_known, plain_title

_MOST = 0.5  # of a section's lines that make it a list of sources
_NEARLY_ALL = 0.8
_FEWEST_LINES = 2  # in a section that is judged by its lines alone


def closed_candidates(article: Article, also: Collection[str] = ()) -> frozenset[int]:
    """Return the numbers of the candidates that are no places: in excluded sections, and in notes above the lead."""
    excluded = excluded_sections(article, also)
    first = next((number for number, section in enumerate(article.sections) if section.sentences), 0)
    lead = article.sections[first]
    note_end = lead.source_map.first_paragraph(lead.text).start
    return frozenset(
        number
        for number, (section, sentence) in enumerate(article.sentences)
        if section in excluded or (section == first and sentence.end <= note_end)
    )


def excluded_sections(article: Article, also: Collection[str] = ()) -> frozenset[int]:
    """Return the numbers of the sections where no link belongs, with all sections below them.

    `also` are further titles that a user or a wiki excludes.
    """
    titles = apparatus_titles(article.language)
    sure = titles.sure | {plain_title(title) for title in also}
    judges_lines = not is_known(article.language)
    excluded: set[int] = set()
    level = 0  # of the excluded section that the next ones may lie below; 0 if there is none
    for number, section in enumerate(article.sections):
        if level and section.level > level:
            excluded.add(number)
            continue
        title = plain_title(section.title)
        is_excluded = number > 0 and (
            title in sure
            or (title in titles.ambiguous and _share_of_sources(section, with_items=True) >= _MOST)
            or (judges_lines and _is_list_of_sources(section))
        )
        level = section.level if is_excluded else 0
        if is_excluded:
            excluded.add(number)
    return frozenset(excluded)


def _is_list_of_sources(section: Section) -> bool:
    lines = section.text.count("\n") + 1
    return lines >= _FEWEST_LINES and _share_of_sources(section, with_items=False) >= _NEARLY_ALL


def _share_of_sources(section: Section, *, with_items: bool) -> float:
    """Return the share of lines that link elsewhere, or that are items of a list, if these count."""
    lines = section.text.splitlines()
    links = iter([link for link in section.links if link.kind is LinkKind.EXTERNAL])
    link, start, sources = next(links, None), 0, 0
    for line in lines:
        end = start + len(line)
        while link is not None and link.end <= start:
            link = next(links, None)
        sources += (link is not None and link.start < end) or (with_items and is_item(line))
        start = end + 1
    return sources / len(lines) if lines else 0.0
