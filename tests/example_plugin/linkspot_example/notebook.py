"""A kind of corpus of its own: all notes in one JSON file, by their titles."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from linkspot.corpora.corpus import CorpusKind, CorpusSource
from linkspot.records import Page, Revision


class Notebook:
    """The notes in a file like {"Train": "It stops at a <<red light -> Signal>>."}."""

    layout = None  # links name titles
    capitalises = True

    def __init__(self, path: Path, language: str) -> None:
        self.rejects: Counter[str] = Counter()
        self.share = 0.0
        self._notes = json.loads(path.read_text(encoding="utf-8"))
        self._language = language

    @classmethod
    def of(cls, source: CorpusSource) -> "Notebook":
        """Return the notebook at a source."""
        return cls(source.path, source.language)

    def revisions(self) -> Iterator[Revision]:
        """Yield the notes; an empty one is counted."""
        for number, (title, text) in enumerate(self._notes.items(), start=1):
            self.share = number / len(self._notes)
            if text:
                yield Revision(Page(title, text, "note", self._language, title, title), "", None)
            else:
                self.rejects["an empty note"] += 1


def is_notebook(path: Path) -> bool:
    """Return whether a path is a notebook."""
    return path.suffix == ".notebook"


NOTEBOOK = CorpusKind("a notebook of notes", is_notebook, "linkspot_example.notebook:Notebook")
