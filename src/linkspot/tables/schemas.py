"""Schemas: an Arrow type for each record, and how records become rows and rows become records."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from linkspot.records import Article, Link, LinkKind, Precedent, Section, Sentence
from linkspot.source_map import Span

TIME = pa.timestamp("us", tz="UTC")
STRINGS = pa.list_(pa.string())
NUMBERS = pa.list_(pa.int32())

SENTENCE = pa.struct({"start": pa.int32(), "end": pa.int32()})
#: `target` is the key of the page that the link leads to, `start` and `end` are characters of the text around it.
LINK_IN_TEXT = pa.struct({"target": pa.string(), "start": pa.int32(), "end": pa.int32()})
SECTION = pa.struct(
    {
        "title": pa.string(),
        "level": pa.int32(),
        "text": pa.string(),
        "sentences": pa.list_(SENTENCE),
        "links": pa.list_(LINK_IN_TEXT),
    }
)
SECTIONS = pa.list_(SECTION)
PRECEDENT = pa.struct(
    {
        "language": pa.string(),
        "section": pa.string(),
        "passage": STRINGS,
        "linked": pa.int32(),
        "place": pa.float32(),
        "section_place": pa.float32(),
        "place_in_section": pa.float32(),
        "size": pa.int32(),
    }
)
REJECTS = pa.list_(pa.struct({"reason": pa.string(), "count": pa.int64()}))

Row = dict[str, Any]


def section_rows(article: Article, key: Callable[[str], str]) -> list[Row]:
    """Return the article's sections as rows; links lead to page keys, and positions in the markup are left out."""
    return [
        {
            "title": section.title,
            "level": section.level,
            "text": section.text,
            "sentences": [{"start": sentence.start, "end": sentence.end} for sentence in section.sentences],
            "links": [
                {"target": target, "start": link.start, "end": link.end}
                for link in section.links
                if link.kind is LinkKind.PAGE and (target := key(link.target))
            ],
        }
        for section in article.sections
    ]


def article_of(title: str, language: str, sections: Sequence[Mapping[str, Any]]) -> Article:
    """Return the article that rows of sections describe. It cannot be edited, since its markup is not known."""
    return Article(title, language, tuple(_section(row) for row in sections))


def precedent_of(row: Mapping[str, Any]) -> Precedent:
    """Return the precedent that a row describes."""
    return Precedent(**{**row, "passage": tuple(row["passage"])})


def reject_rows(rejects: Mapping[str, int]) -> list[Row]:
    """Return counts by reason as rows."""
    return [{"reason": reason, "count": count} for reason, count in sorted(rejects.items()) if count]


_NO_SOURCE = Span(0, 0)


def _section(row: Mapping[str, Any]) -> Section:
    text = row["text"]
    return Section(
        row["title"],
        row["level"],
        text,
        tuple(Sentence(text[s["start"] : s["end"]], s["start"], s["end"], _NO_SOURCE) for s in row["sentences"]),
        tuple(Link(n["target"], text[n["start"] : n["end"]], n["start"], n["end"], _NO_SOURCE) for n in row["links"]),
    )
