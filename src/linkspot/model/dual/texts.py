"""What a `dual` model reads: the page and the target as sequences of their own, the same in training and serving."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from linkspot.encoders.tokenizer import Ids
from linkspot.field_types import checked
from linkspot.model.encoder_inputs import EncoderInput, TokenSpan
from linkspot.model.inputs import Chunk, Inputs, PageTokens
from linkspot.records import Article, Entity, Precedent, Section, Sentence
from linkspot.source_map import Span
from linkspot.text.mentions import MOST_MENTIONS, known_names


@dataclass(frozen=True, slots=True)
class DualSettings:
    """How texts are read; `chunk` is how many tokens of a page go through the encoder together, 0: a sentence alone.

    The prefixes are what the encoder was trained to see before texts.
    """

    chunk: int = 0
    page_prefix: str = ""
    target_prefix: str = ""

    @classmethod
    def of(cls, extra: dict[str, Any]) -> "DualSettings":
        """Return the settings that a model's config keeps in `extra`."""
        return checked(cls(**{name: extra[name] for name in cls.__slots__ if name in extra}))


class DualTexts:
    """Makes the sequences of pages and targets."""

    def __init__(self, inputs: Inputs, settings: DualSettings) -> None:
        self._inputs, self._settings = inputs, settings
        self._page_prefix, self._target_prefix = (
            (inputs.special.first, *(inputs.tokens([prefix])[0] if prefix else ()))
            for prefix in (settings.page_prefix, settings.target_prefix)
        )

    def sentences(self, article: Article) -> list[Chunk]:
        """Return the page's sentences in order, in context or alone."""
        return self._chunks(self.page(article))

    def page(self, article: Article, shown: range | None = None) -> PageTokens:
        """Tokenise a page, or a stretch of it as a page of its own."""
        return self._inputs.page(article, shown)

    def titles(self, article: Article) -> list[Chunk]:
        """Return the titles of the page's sections, each alone; the lead has the page's title."""
        ids = self._inputs.tokens([section.title or article.title for section in article.sections])
        return [self._alone(self._page_prefix, title[: self._inputs.budget.section]) for title in ids]

    def target(self, entity: Entity, language: str) -> list[Chunk]:
        """Return the entity's names and, if it has one, its lead."""
        names = (known_names(entity, language) or entity.names)[: MOST_MENTIONS + 2]
        budget = self._inputs.budget
        ids = self._inputs.tokens([", ".join(names), *([entity.lead] if entity.lead.strip() else [])])
        most = (budget.title + budget.mentions, budget.lead)
        return [self._alone(self._target_prefix, part[:limit]) for part, limit in zip(ids, most, strict=False)]

    def encoder_input(
        self,
        target: Sequence[Chunk],
        page: PageTokens,
        gold: tuple[int, ...] = (),
        ignored: frozenset[int] = frozenset(),
    ) -> EncoderInput:
        """Return page and target for the encoder to learn from: first the target's names and lead, then the page."""
        beside, chunks = (target[0], target[-1]), self._chunks(page)  # without a lead, the names stand for it
        places = [
            TokenSpan(len(beside) + n, start, end) for n, chunk in enumerate(chunks) for start, end in chunk.spans
        ]
        return EncoderInput(tuple(chunk.ids for chunk in (*beside, *chunks)), tuple(places), gold, ignored)

    def _chunks(self, page: PageTokens) -> list[Chunk]:
        if self._settings.chunk:
            return self._inputs.chunks(self._page_prefix, page, self._settings.chunk)
        return [self._alone(self._page_prefix, ids) for ids in page.sentences]

    def _alone(self, prefix: Ids, ids: Ids) -> Chunk:
        span = (0, len(prefix) + len(ids) + 1)  # the whole sequence, as these encoders were trained
        return Chunk((*prefix, *ids, self._inputs.special.separator), (0,), (span,))


def passage_of(precedent: Precedent) -> Article:
    """Return a precedent's passage as a page of one section, to be read like any other."""
    return plain_page(precedent.section, precedent.passage, precedent.language)


def plain_page(title: str, sentences: Sequence[str], language: str) -> Article:
    """Return a page of one section that has these sentences and no markup."""
    placed = []
    start = 0
    for sentence in sentences:
        placed.append(Sentence(sentence, start, start + len(sentence), _NOWHERE))
        start += len(sentence) + 1
    return Article(title, language, (Section(title, 2, "\n".join(sentences), tuple(placed)),))


_NOWHERE = Span(0, 0)
