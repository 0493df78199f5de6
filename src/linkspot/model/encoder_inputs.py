"""Encoder inputs: ranking problems as an encoder reads them, the same in training and serving."""

from collections.abc import Sequence
from dataclasses import dataclass

from linkspot.encoders.tokenizer import Ids
from linkspot.model.config import ModelConfig, ModelKind
from linkspot.model.inputs import Inputs, PageTokens, TargetTokens


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """The tokens start:end of one of an input's sequences."""

    sequence: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class EncoderInput:
    """Sequences for the encoder, and where in them each candidate stands.

    `gold` are the right candidates (none means nowhere), `ignored` are left out of the loss. What is read beside the
    candidates, such as the target alone, stands in the sequences before the first candidate's.
    """

    sequences: tuple[Ids, ...]
    places: tuple[TokenSpan, ...]
    gold: tuple[int, ...] = ()
    ignored: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class EncoderInputMaker:
    """Makes the inputs of one model."""

    inputs: Inputs
    config: ModelConfig

    def of_page(
        self, target: TargetTokens, page: PageTokens, gold: Sequence[int] = (), ignored: frozenset[int] = frozenset()
    ) -> EncoderInput:
        """Return a page with all of its sentences as candidates."""
        if self.config.kind is not ModelKind.ARTICLE:
            numbers = range(len(page.sentences))
            return self.of_candidates(target, page, [(page, number) for number in numbers], gold, ignored)
        chunks = self.inputs.chunks(self.inputs.prefix(target, self.config.form), page)
        places = [TokenSpan(number, *span) for number, chunk in enumerate(chunks) for span in chunk.spans]
        return EncoderInput(tuple(chunk.ids for chunk in chunks), tuple(places), tuple(gold), ignored)

    def of_candidates(
        self,
        target: TargetTokens,
        source: PageTokens,
        candidates: Sequence[tuple[PageTokens, int]],
        gold: Sequence[int] = (),
        ignored: frozenset[int] = frozenset(),
    ) -> EncoderInput:
        """Return single candidates, each by its page and number there; `source` is the page that the link is for."""
        form = self.config.form
        beside: tuple[Ids, ...] = ()
        if self.config.kind is ModelKind.TRIPLE:
            beside = (self.inputs.triple_target(target), self.inputs.triple_source(source))
            texts = [self.inputs.triple_candidate(target, page, number, form) for page, number in candidates]
        else:
            texts = [self.inputs.window(target, page, number, form) for page, number in candidates]
        # A window is read at its first token.
        places = tuple(TokenSpan(len(beside) + number, 0, 1) for number in range(len(texts)))
        return EncoderInput((*beside, *texts), places, tuple(gold), ignored)
