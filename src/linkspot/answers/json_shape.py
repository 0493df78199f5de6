"""An answer as JSON; docs/json.md describes the shape, and its version changes when the shape does."""

import json
from typing import Any

from linkspot.answers.answer import Answer
from linkspot.answers.line_position import line_position
from linkspot.answers.sentence_markup import SentenceMarkup
from linkspot.examples.candidates import CONTEXT_SENTENCES
from linkspot.records import Place, Section, Sentence
from linkspot.source_map import Span

FORMAT = "linkspot-answer"
VERSION = 1


def to_json(answer: Answer) -> str:
    """Return the answer as indented JSON text."""
    return json.dumps(to_dict(answer), ensure_ascii=False, indent=2)


def to_json_line(answer: Answer) -> str:
    """Return the answer as JSON text on one line."""
    return json.dumps(to_dict(answer), ensure_ascii=False)


def to_dict(answer: Answer) -> dict[str, Any]:
    """Return the answer in plain dictionaries and lists."""
    article, entity = answer.article, answer.entity
    return {
        "format": FORMAT,
        "version": VERSION,
        "page": {
            "title": article.title,
            "language": article.language,
            "markup": str(article.markup),
            "kind": str(answer.kind),
            "characters": len(answer.page.text),
            "sections": [
                {"title": section.title, "level": section.level, "sentences": len(section.sentences)}
                for section in article.sections
            ],
        },
        "target": {"title": entity.title, "id": entity.id, "mentions": list(entity.mentions), "lead": entity.lead},
        "ranker": answer.ranker,
        "nowhere": answer.is_nowhere,
        "nowhere_probability": _rounded(answer.nowhere),
        "notes": list(answer.notes),
        "existing_links": [
            {"section": existing.section, "mention": existing.link.mention, "source": _span(existing.link.source)}
            for existing in answer.existing
        ],
        "precedents": [
            {
                "language": precedent.language,
                "section": precedent.section,
                "sentence": precedent.passage[precedent.linked],
            }
            for precedent in entity.precedents
        ],
        "places": [_place(answer, rank, place) for rank, place in enumerate(answer.places, start=1)],
    }


def _place(answer: Answer, rank: int, place: Place) -> dict[str, Any]:
    section = answer.article.sections[place.section]
    sentence = section.sentences[place.sentence]
    markup = SentenceMarkup.of(answer, place)
    line, column = line_position(answer.page.text, place.source.start)
    around = section.sentences[max(0, place.sentence - CONTEXT_SENTENCES) : place.sentence + CONTEXT_SENTENCES + 1]
    return {
        "rank": rank,
        "score": round(place.score, 6),
        "probability": _rounded(place.probability),
        "action": str(place.action),
        "reason": place.reason,
        "section": {"index": place.section, "title": section.title},
        "sentence": {"index": place.sentence, "text": sentence.text, "source": _span(sentence.source)},
        "context_before": section.text[around[0].start : sentence.start],
        "context_after": section.text[sentence.end : around[-1].end],
        "words": _words(place, section, sentence),
        "line": line,
        "column": column,
        "edit": {
            "source": _span(place.source),
            "link": place.link or None,
            "before": markup.before,
            "after": markup.after,
        },
    }


def _rounded(probability: float | None) -> float | None:
    return None if probability is None else round(probability, 6)


def _words(place: Place, section: Section, sentence: Sentence) -> dict[str, Any] | None:
    if place.words is None:
        return None
    start, end = place.words.start - sentence.start, place.words.end - sentence.start
    return {"text": place.words.cut(section.text), "start": start, "end": end}


def _span(span: Span) -> dict[str, int]:
    return {"start": span.start, "end": span.end}
