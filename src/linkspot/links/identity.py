"""Identity: which id says what a page is about, and what is told of it to users.

A page of which no corpus, file or user says what it is about has an id of its own, `de:Gift`, that no page in another
language shares: equal titles mean nothing.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

_MOST_LISTED = 5  # languages
# Ids of Wikidata, numbers in a wiki, pages of a language; all others are slugs or the names of files.
_KINDS = tuple(map(re.compile, (r"[QPL]\d+", r"\d+", r"[a-z]{2,8}(?:-[a-z0-9]+)*:.+", r"(?s).*")))


class IdentifiedBy(StrEnum):
    """What says which entity a page is about; the first that says anything is believed."""

    GIVEN = "given"  # in a table of the user
    ENTITIES = "entities"  # a table beside the dump
    CORPUS = "corpus"
    SLUG = "slug"
    PAGE_PROPS = "page_props"
    LANGLINKS = "langlinks"
    TITLE = "title"


def own_id(language: str, key: str) -> str:
    """Return the id of a page that shares no entity with other languages, as far as is known."""
    return f"{language}:{key}"


def local_id(entity: str, language: str, *titles: str) -> str:
    """Return a page's id as its own language knows it: without the language, and empty if it is but the title."""
    identity = entity.removeprefix(own_id(language, ""))
    return "" if identity in titles else identity


def tell_apart(one: str, other: str) -> bool:
    """Return whether two ids say that two pages differ: ids of one kind do, a file's name and a Wikidata id do not."""
    kinds = [next(kind for kind in _KINDS if kind.fullmatch(identity)) for identity in (one, other)]
    return bool(one and other) and one != other and kinds[0] is kinds[1]


def languages_apart(counts: Mapping[str, Mapping[str, int]]) -> tuple[str, ...]:
    """Return the languages that share no ids with others; `counts` are pages by language and what identifies them."""
    apart = (language for language, pages in counts.items() if not set(pages) - {IdentifiedBy.TITLE.value})
    return tuple(sorted(apart)) if len(counts) > 1 else ()


def note_on_languages(counts: Mapping[str, Mapping[str, int]]) -> str:
    """Return why some languages are not joined and what to do, or nothing if all are."""
    apart = languages_apart(counts)
    if not apart:
        return ""
    return (
        f"Pages in {_listed(apart)} are known by their titles alone, so they are not joined with pages in other "
        "languages, and have no precedents there. To join them, put *-page_props.sql.gz or *-langlinks.sql.gz beside "
        "each dump, fetch ids with 'linkspot fetch --ids', or name a table with --entities; then make the tables again"
    )


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_LISTED
    return ", ".join(names[:_MOST_LISTED]) + (f" and {more} more languages" if more > 0 else "")
