"""Published inputs: rows of the paper's training files as inputs of the encoder, drawn again each time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from linkspot.examples.candidates import CONTEXT_SENTENCES, Candidate
from linkspot.examples.context_removal import ContextRemoval
from linkspot.examples.published_removal import (
    normalised,
    removed_from_right,
    removed_from_wrong,
    window_section,
)
from linkspot.examples.published_rows import PublishedWindow
from linkspot.examples.published_training import PublishedLink, PublishedTraining
from linkspot.examples.removal_spots import Removal
from linkspot.model.encoder_inputs import EncoderInput, EncoderInputMaker
from linkspot.records import Article


@dataclass(frozen=True)
class PublishedInputs:
    """A right window against wrong ones, for `window` and `triple`.

    Context is removed from rows that say where the mention stands, which are those of existing links.
    """

    links: PublishedTraining
    maker: EncoderInputMaker
    negatives: int
    removal: ContextRemoval | None

    def __len__(self) -> int:
        return len(self.links)

    def encoder_inputs(self, number: int, draw: Random) -> list[EncoderInput]:
        """Return a row as an input, nothing for a broken row."""
        link = self.links[number]
        if link is None:
            return []
        query, inputs = link.query, self.maker.inputs
        windows = self._windows(link, draw)
        candidates = [inputs.candidate(middle_of(window, query.tag)) for window in windows]
        lead = window_section(PublishedWindow(query.source_lead, ""), query.tag)
        source = inputs.opening(Article(query.source_title, query.tag, (lead,), id=query.id))
        return [self.maker.of_candidates(inputs.target(query.entity), source, candidates, gold=(0,))]

    def _windows(self, link: PublishedLink, draw: Random) -> Sequence[PublishedWindow]:
        """Return the right window and some wrong ones as this draw leaves them; twins of the right one are left out."""
        query = link.query
        right = query.windows[query.gold]
        others = [window for number, window in enumerate(query.windows) if number not in query.right]
        wrong = draw.sample(others, min(self.negatives, len(others)))
        removal = self.removal if Removal.MENTION in link.removable else None
        texts = [removed_from_right(link, draw, removal) if removal else normalised(right.text)]
        if removal and removal.decoys is None:
            words = len(link.removable[Removal.MENTION].cut(right.text).split())
            texts += [removed_from_wrong(window.text, query.tag, words, draw, removal) for window in wrong]
        else:
            texts += [normalised(window.text) for window in wrong]
        return [replace(window, text=text) for window, text in zip((right, *wrong), texts, strict=True)]


def middle_of(window: PublishedWindow, language: str) -> Candidate:
    """Return a window as the candidate of its middle sentence, in the context of all others."""
    section = window_section(window, language)
    last = len(section.sentences) - 1
    middle = len(section.sentences) // 2
    return Candidate(0, middle, section, max(0, middle - CONTEXT_SENTENCES), min(last, middle + CONTEXT_SENTENCES))
