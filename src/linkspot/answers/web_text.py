"""The text of a page on the web page of its answer: every sentence shaded, the places marked, and a map of them all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from linkspot.answers.answer import Answer
from linkspot.answers.notes import how_sure
from linkspot.answers.shades import Shades
from linkspot.records import Action, Place, Section, Sentence
from linkspot.source_map import Span
from linkspot.text.display import html_text

_FIRST_HEADING = 3  # the text stands under an h2
_LAST_HEADING = 6


@dataclass(frozen=True, slots=True)
class WebText:
    """The HTML of a page's text, and of the map with one mark for each sentence."""

    text: str
    map: str

    @classmethod
    def of(cls, answer: Answer, shades: Shades) -> "WebText":
        """Return the text and the map of an answer's page."""
        shown = _shown_sentences(answer, shades)
        texts: list[str] = []
        headings = _heading_levels(answer.article.sections)
        for index, section in enumerate(answer.article.sections):
            is_closed = all(sentence.is_closed for sentence in shown[index]) and bool(shown[index])
            texts.append(_opening(section, headings[index], is_closed=is_closed))
            for gap, sentence in zip(section.gaps(), shown[index], strict=False):
                texts += ["</p><p>" if "\n" in gap else html_text(gap), sentence.text]
            texts.append("</p></div>")
        return cls("".join(texts), "".join(sentence.mark for sentences in shown for sentence in sentences))


@dataclass(frozen=True, slots=True)
class _ShownSentence:
    """The HTML of a sentence, and its mark on the map, which links to it."""

    text: str
    mark: str
    is_closed: bool


def _shown_sentences(answer: Answer, shades: Shades) -> list[list[_ShownSentence]]:
    """Return the sentences of each section."""
    ranked = {(place.section, place.sentence): (rank, place) for rank, place in enumerate(answer.places, start=1)}
    numbers = count()
    shown = []
    for index, section in enumerate(answer.article.sections):
        existing = [Span(one.link.start, one.link.end) for one in answer.existing if one.section == index]
        sentences = []
        for position, sentence in enumerate(section.sentences):
            rank, place = ranked.get((index, position), (0, None))
            number = next(numbers)
            name, is_closed = f"s{number}", number in answer.closed
            css = _classes(shades.levels[number], is_place=place is not None, is_closed=is_closed)
            badge, end = _badge(rank, place)
            text = f"<span id={name}{css}>{badge}{_marked(sentence, _marks(place, existing))}{end}</span>"
            sentences.append(_ShownSentence(text, f"<a href=#{name} tabindex=-1{css}></a>", is_closed))
        shown.append(sentences)
    return shown


def _classes(level: int, *, is_place: bool, is_closed: bool) -> str:
    """Return the class attribute; most sentences have none, so that long pages stay small."""
    names = [f"l{level}"] * (level > 0) + ["p"] * is_place + ["x"] * is_closed
    return f' class="{" ".join(names)}"' if names else ""


def _badge(rank: int, place: Place | None) -> tuple[str, str]:
    """Return what stands before and after a sentence that is a place: a link to its card, and where a new one goes."""
    if place is None:
        return "", ""
    label = f"Place {rank}, {html_text(how_sure(place))}: back to its card"
    badge = f'<a class=badge id=place-{rank} href=#card-{rank} aria-label="{label}">{rank}</a>'
    return badge, "<mark>+</mark>" if place.action is Action.ADD_SENTENCE else ""


def _marks(place: Place | None, existing: Sequence[Span]) -> Iterator[tuple[Span, str]]:
    """Yield what is marked in a section's text, with the opening tag: links to the target, words to link."""
    yield from ((span, "<mark class=old>") for span in existing)
    if place is not None and place.words is not None:
        yield place.words, "<mark>"


def _marked(sentence: Sentence, marks: Iterator[tuple[Span, str]]) -> str:
    parts, end = [], sentence.start
    for span, tag in sorted(marks, key=lambda mark: mark[0].start):
        if end <= span.start and span.end <= sentence.end:
            between = sentence.text[end - sentence.start : span.start - sentence.start]
            words = sentence.text[span.start - sentence.start : span.end - sentence.start]
            parts.append(f"{html_text(between)}{tag}{html_text(words)}</mark>")
            end = span.end
    return "".join([*parts, html_text(sentence.text[end - sentence.start :])])


def _opening(section: Section, heading: int, *, is_closed: bool) -> str:
    note = ' <small lang="en" dir="ltr">takes no link</small>' if is_closed else ""
    title = f"<h{heading}>{html_text(section.title)}{note}</h{heading}>" if section.title else ""
    return f"<div{' class=x' * is_closed}>{title}<p>"


def _heading_levels(sections: Sequence[Section]) -> list[int]:
    """Return the level of each section's heading: they nest as the page's own do, but none is left out."""
    levels, above = [], list[int]()
    for section in sections:
        while above and above[-1] >= section.level:
            above.pop()
        levels.append(min(_FIRST_HEADING + len(above), _LAST_HEADING))
        if section.title:
            above.append(section.level)
    return levels
