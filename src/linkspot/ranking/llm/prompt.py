"""The prompt of a pair: the target, two candidates, and the question which of them is the better place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from linkspot.examples.candidates import CONTEXT_SENTENCES, Candidate, candidates
from linkspot.records import Article, Entity
from linkspot.text.mentions import MOST_MENTIONS

_TASK = """\
A link to the page below is to be added to the article {source!r}. Which of two passages is the better place for it? \
The link would go into the sentence between <place> and </place>, or right behind it.

Title: {title}
{about}"""
_PASSAGE = "\nPassage {letter}, {where}:\n{text}\n"
_QUESTION = "\nOutput Passage A or Passage B, and nothing else."
_BEGINNING = "from the beginning of the article"
_ANSWER = re.compile(r"[\W_]*(?:passage[\W_]+)?([AB])[\W_]*", re.IGNORECASE)


class Choice(Enum):
    """Which of two passages a model prefers."""

    A = "A"
    B = "B"
    NEITHER = "neither"  # it said something else


def choice_in(answer: str) -> Choice:
    """Return the choice in the first line of an answer; anything but the name of one passage is nonsense."""
    first, *_ = answer.strip().splitlines() or [""]
    match = _ANSWER.fullmatch(first)
    return Choice[match[1].upper()] if match else Choice.NEITHER


@dataclass(frozen=True, slots=True)
class PairPrompt:
    """How much of the target and of each candidate a prompt shows; lengths are in characters."""

    context_sentences: int = CONTEXT_SENTENCES
    most_of_passage: int = 1500
    most_of_lead: int = 600

    def of(self, entity: Entity, article: Article, numbers: Sequence[int] | None = None) -> "PairTexts":
        """Return the texts of all pairs of an article's candidates, or of those with these numbers."""
        places = candidates(article, self.context_sentences)
        chosen = places if numbers is None else [places[number] for number in numbers]
        return PairTexts(
            _TASK.format(source=article.title, title=entity.names[0], about=self._about(entity)),
            tuple(_where(place) for place in chosen),
            tuple(self._passage(place) for place in chosen),
        )

    def _about(self, entity: Entity) -> str:
        others = entity.names[1 : 1 + MOST_MENTIONS]
        also = f"Also called: {'; '.join(others)}\n" if others else ""
        lead = " ".join(entity.lead.split())
        return also + (f"About: {_beginning(lead, self.most_of_lead)}\n" if lead else "")

    def _passage(self, place: Candidate) -> str:
        text, sentence = place.section.text, place.sentence
        own = _beginning(sentence.text, self.most_of_passage)
        room = (self.most_of_passage - len(own)) // 2
        before, behind = text[place.start : sentence.start], text[sentence.end : place.end]
        return f"{_end(before, room)}<place>{own}</place>{_beginning(behind, room)}"


@dataclass(frozen=True, slots=True)
class PairTexts:
    """The prompts of one target on one page, made of shared parts.

    What all prompts share comes first, then passage A: an endpoint that caches prefixes gains most when all pairs with
    the same A follow one another.
    """

    task: str
    where: tuple[str, ...]
    passages: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.passages)

    def text(self, first: int, second: int) -> str:
        """Return the prompt that shows one candidate as passage A and another as passage B."""
        return self.task + self.passage("A", first) + self.passage("B", second) + _QUESTION

    def passage(self, letter: str, number: int) -> str:
        """Return a candidate's part of a prompt."""
        return _PASSAGE.format(letter=letter, where=self.where[number], text=self.passages[number])

    @property
    def frame(self) -> str:
        """What every prompt has, whatever the pair."""
        return self.task + _QUESTION


def _where(place: Candidate) -> str:
    title = " ".join(place.section.title.split())
    return f"from the section {title!r}" if title else _BEGINNING


def _beginning(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"


def _end(text: str, most: int) -> str:
    return text if len(text) <= most else "…" + text[len(text) - most :]
