"""The markup of a place's sentence, before and after the edit."""

import re
from dataclasses import dataclass

from linkspot.answers.answer import Answer
from linkspot.records import Action, Place

_LINE_END = re.compile(r"\r?\n|\r")
_EDGE, _NEAR = 24, 60  # characters that a shortened sentence keeps at its ends, and beside the change


@dataclass(frozen=True, slots=True)
class SentenceMarkup:
    """A sentence's markup in three parts: `changed` is what the edit replaces, `link` what stands there afterwards."""

    head: str
    changed: str
    tail: str
    link: str = ""

    @classmethod
    def of(cls, answer: Answer, place: Place) -> "SentenceMarkup":
        """Return the markup of a place's sentence; only where words are linked is the edit finished."""
        page, source = answer.page.text, place.source
        sentence = answer.article.sections[place.section].sentences[place.sentence].source
        start, end = min(sentence.start, source.start), max(sentence.end, source.end)
        link = place.link if place.action is Action.LINK_WORDS else ""
        return cls(page[start : source.start], source.cut(page), page[source.end : end], link)

    @property
    def before(self) -> str:
        """The sentence's markup in the page."""
        return self.head + self.changed + self.tail

    @property
    def after(self) -> str | None:
        """The sentence's markup in the edited page, None if the words of the edit are still to be written."""
        return self.head + self.link + self.tail if self.link else None

    def on_one_line(self) -> "SentenceMarkup":
        """Return it for a line of a terminal: without line ends, and shortened away from the change if it is long."""
        parts = (self.head, self.changed, self.tail, self.link)
        head, changed, tail, link = (_LINE_END.sub(" ", part) for part in parts)
        return SentenceMarkup(_shortened(head, _EDGE, _NEAR), changed, _shortened(tail, _NEAR, _EDGE), link)


def _shortened(text: str, first: int, last: int) -> str:
    """Return a long text without its middle, cut between words where the script has spaces."""
    if len(text) <= first + last + len(" … "):
        return text
    beginning, end = text[:first], text[-last:]
    if " " in beginning[1:]:
        beginning = beginning[: beginning.rindex(" ")]
    if " " in end[:-1]:
        end = end[end.index(" ") + 1 :]
    return f"{beginning.rstrip()} … {end}"
