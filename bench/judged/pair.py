"""A judged pair: a page, a target, and what a reader says about the right answer."""

import json
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from linkspot.corpora.page_file import read_page
from linkspot.records import Entity, Page

FOLDER = Path(__file__).parent
PAGES = FOLDER / "pages"
PAIRS = FOLDER / "pairs.jsonl"
KEPT = FOLDER / "kept.jsonl"
FRESH = FOLDER / "fresh.jsonl"


class PairClass(StrEnum):
    """How the page stands to the target."""

    WORDS = "words"  # the title or a mention stands there in plain form
    INFLECTED = "inflected"  # it stands there in another form
    PART = "part"  # a part of the name, or other words that name it, stand for it
    ABSENT = "absent"  # no words for it, but it belongs there
    ABSURD = "absurd"  # it has nothing to do with the page
    LINKED = "linked"  # the page links it already
    FRIENDS = "friends"  # other words share a beginning or a form with its title

    @property
    def has_words(self) -> bool:
        """Whether the page has words to link, so that advice to add some is wrong."""
        return self in {PairClass.WORDS, PairClass.INFLECTED, PairClass.PART}


@dataclass(frozen=True, slots=True)
class RightPlace:
    """A sentence where the link is right: a quotation that only this sentence has.

    `words` are the words to link: the best first, then others that are fine as well; none if words are to be added.
    """

    quote: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """A page and a target, with a reader's labels.

    `nowhere` says that no link is a sensible answer. `not_words` are words of the page that do not mean the target.
    `exists` are the words by which the page links it already. `note` says why.
    """

    page: str
    language: str
    pair_class: PairClass
    target: Entity
    right: tuple[RightPlace, ...]
    nowhere: bool
    not_words: tuple[str, ...]
    exists: tuple[str, ...]
    note: str

    def __post_init__(self) -> None:
        if not (self.right or self.nowhere):
            raise ValueError(f"{self.key} has neither a right place nor nowhere; one of them must be right")
        if bool(self.exists) != (self.pair_class is PairClass.LINKED):
            raise ValueError(f"{self.key} is {self.pair_class}, but exists is {self.exists}")

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Pair":
        """Return the pair in a line of the labels."""
        target = record["target"]
        return cls(
            record["page"],
            record["language"],
            PairClass(record["class"]),
            Entity(target["title"], target["lead"], tuple(target.get("mentions", ())), url=target.get("url", "")),
            tuple(RightPlace(place["quote"], tuple(place["words"])) for place in record["right"]),
            record["nowhere"],
            tuple(record["not_words"]),
            tuple(record["exists"]),
            record["note"],
        )

    @property
    def key(self) -> str:
        """What identifies the pair."""
        return f"{self.page}: {self.target.title}"

    def right_place(self, sentence: str) -> RightPlace | None:
        """Return the label of a sentence, if the link is right there."""
        return next((place for place in self.right if place.quote in sentence), None)


def pairs(file: Path = PAIRS) -> list[Pair]:
    """Return the pairs of a file of labels."""
    return [Pair.of(json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


@cache
def page_of(name: str) -> Page:
    """Return one of the pages; its file's name begins with its language. Files of wikitext do not say their title."""
    page = read_page(PAGES / name, language=name.partition("-")[0])
    return replace(page, title=_titles().get(name, page.title), id="")


@cache
def _titles() -> dict[str, str]:
    titles: dict[str, str] = json.loads((FOLDER / "titles.json").read_text(encoding="utf-8"))
    return titles
