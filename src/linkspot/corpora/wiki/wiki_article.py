"""What a live wiki says of its articles and of their versions, besides the text."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from linkspot.corpora.corpus import time_of
from linkspot.corpora.wiki.answer_parts import number, objects, part, text


@dataclass(frozen=True, slots=True)
class WikiRevision:
    """One version of a page, without its text."""

    id: int
    time: datetime | None

    @classmethod
    def of(cls, revision: dict[str, Any]) -> "WikiRevision":
        """Read it from an answer of the API."""
        return cls(number(revision, "revid"), time_of(text(revision, "timestamp")))


@dataclass(frozen=True, slots=True)
class WikiArticle:
    """What a wiki says of an article besides its text; `entity` is its Wikidata id, where the wiki knows one."""

    title: str
    id: int
    revision: WikiRevision
    url: str
    language: str
    entity: str = ""
    redirects: tuple[str, ...] = ()

    @classmethod
    def of(cls, page: dict[str, Any]) -> "WikiArticle":
        """Read it from an answer of the API."""
        revisions = objects(page, "revisions")
        return cls(
            page["title"],
            page["pageid"],
            WikiRevision.of(revisions[0] if revisions else {"revid": page.get("lastrevid")}),
            text(page, "canonicalurl") or text(page, "fullurl"),
            text(page, "pagelanguage"),
            text(part(page, "pageprops"), "wikibase_item"),
            tuple(title for redirect in objects(page, "redirects") if (title := text(redirect, "title"))),
        )
