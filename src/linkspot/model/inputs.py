"""Inputs: the only code that turns pages and entities into token ids, for training, serving and export alike.

The paper's input is `[CLS] title mentions [SEP] lead [SEP] section [SEP] text [SEP]`; its triple encoder reads
`[CLS] title [SEP] lead` of the target and of the source, and `[CLS] section [SEP] mentions [SEP] text`. Every part has
a budget of tokens; the text gets what is left, and never loses the candidate's own sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from linkspot.encoders.special_tokens import SpecialTokens
from linkspot.encoders.tokenizer import Ids, TextTokenizer, open_tokenizer
from linkspot.errors import UnusableInput
from linkspot.examples.candidates import CONTEXT_SENTENCES, Candidate
from linkspot.records import Article, Entity
from linkspot.text.mentions import MOST_MENTIONS

_OVERLAP_SHARE = 6  # on each side, the overlap takes at most 1 / 6 of a chunk's tokens
_LETTERS_OF_NOBODY = ("\ue0f1", "\ue0f2")  # for private use, so that no vocabulary has them


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """How many tokens each part may have at most; `longest` is for the whole sequence.

    `overlap` is how many sentences a chunk of a page shows of its neighbours on each side, for context alone.
    """

    longest: int = 512
    title: int = 32
    mentions: int = 64
    lead: int = 128
    section: int = 24
    sentence: int = 160
    overlap: int = 2

    def __post_init__(self) -> None:
        most = self.title + self.mentions + self.lead + self.section + self.sentence + 5
        if min(self.title, self.sentence) < 1 or most > self.longest:
            raise UnusableInput(
                f"the parts of an input may have {most} tokens in all, more than the {self.longest} of a sequence; "
                "make lead, mentions or sentence smaller"
            )


@dataclass(frozen=True, slots=True)
class Form:
    """What an input shows: `knowledge` is the target's mentions and the section's title, `marks` frame the sentence.

    The defaults are the paper's. It does not mark the candidate's sentence, so that all candidates of a short section
    look the same; `marks` is linkspot's own.
    """

    knowledge: bool = True
    marks: bool = False


@dataclass(frozen=True, slots=True)
class TargetTokens:
    """An entity, tokenised once for all pages."""

    title: Ids
    mentions: Ids
    lead: Ids


@dataclass(frozen=True, slots=True)
class PageTokens:
    """An article, tokenised once for all targets: its sentences by their numbers, the section of each, the titles.

    A section without a title has an empty one; `title` is the page's own.
    """

    sentences: tuple[Ids, ...]
    section_of: tuple[int, ...]
    titles: tuple[Ids, ...]
    title: Ids = ()

    def heading(self, number: int) -> Ids:
        """Return the title that a reader sees above a sentence: its section's, or the page's."""
        return self.titles[self.section_of[number]] or self.title

    def context(self, number: int, most: int) -> range:
        """Return the numbers of the sentence and of up to `most` on each side within its section."""
        first = last = number
        while first > 0 and number - first < most and self.section_of[first - 1] == self.section_of[number]:
            first -= 1
        end = len(self.sentences) - 1
        while last < end and last - number < most and self.section_of[last + 1] == self.section_of[number]:
            last += 1
        return range(first, last + 1)

    def stretch(self, numbers: range) -> "PageTokens":
        """Return some sentences that follow one another as a page of their own."""
        return replace(
            self,
            sentences=self.sentences[numbers.start : numbers.stop],
            section_of=self.section_of[numbers.start : numbers.stop],
        )


@dataclass(frozen=True, slots=True)
class Chunk:
    """A sequence that holds a run of a page's sentences.

    `sentences` are the numbers of the sentences that are scored here, `spans` where the tokens of each begin and end;
    its closing separator comes right after them.
    """

    ids: Ids
    sentences: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]


class Inputs:
    """Formats and tokenises for one encoder."""

    def __init__(self, tokenizer: TextTokenizer, special: SpecialTokens, budget: TokenBudget) -> None:
        self._tokenizer = tokenizer
        self.special = special
        self.budget = budget

    @classmethod
    def of_folder(cls, folder: Path, special: SpecialTokens, budget: TokenBudget) -> "Inputs":
        """Read the tokenizer that a model's folder keeps."""
        return cls(open_tokenizer(folder), special, budget)

    def tokens(self, texts: Sequence[str]) -> list[Ids]:
        """Return the ids of each text, without special tokens; a text without tokens becomes one separator."""
        return [ids or (self.special.separator,) for ids in self._tokenizer.ids(texts)]

    def unread(self, texts: Sequence[str]) -> float:
        """Return the share of the texts' tokens that stand for letters that the vocabulary lacks."""
        one, other = self._tokenizer.ids(_LETTERS_OF_NOBODY)
        if one != other:  # it spells strange letters with tokens of their own, such as bytes
            return 0.0
        tokens = [token for ids in self._tokenizer.ids(texts) for token in ids]
        return tokens.count(one[-1]) / max(1, len(tokens))

    def target(self, entity: Entity) -> TargetTokens:
        """Tokenise an entity; of its mentions, the most used first, as many whole ones as the budget has room for."""
        mentions = [name for name in entity.names if name != entity.title][:MOST_MENTIONS]
        title, lead, *others = self.tokens([entity.title or entity.names[0], entity.lead, *mentions])
        taken: list[int] = []
        for mention in others:
            if len(taken) + len(mention) <= self.budget.mentions:
                taken += mention
        return TargetTokens(title[: self.budget.title], tuple(taken), lead[: self.budget.lead] if entity.lead else ())

    def page(self, article: Article, shown: range | None = None) -> PageTokens:
        """Tokenise every sentence and every title of an article, each once; of a stretch, only what is shown."""
        sentences = article.sentences if shown is None else article.sentences[shown.start : shown.stop]
        return self._page(
            [article.title, *(section.title for section in article.sections)],
            [sentence.text for _, sentence in sentences],
            tuple(section for section, _ in sentences),
        )

    def opening(self, article: Article) -> PageTokens:
        """Tokenise only the title and the lead of an article; a page that begins with a heading has no lead."""
        lead = article.sections[0] if article.sections and not article.sections[0].title else None
        texts = [sentence.text for sentence in lead.sentences[: self.budget.lead]] if lead else []
        return self._page([article.title, ""], texts, (0,) * len(texts))

    def candidate(self, candidate: Candidate) -> tuple[PageTokens, int]:
        """Tokenise one candidate as a page of its own; returns that page and the candidate's number in it."""
        texts = [sentence.text for sentence in candidate.section.sentences[candidate.first : candidate.last + 1]]
        page = self._page(["", candidate.section.title], texts, (0,) * len(texts))
        return page, candidate.sentence_index - candidate.first

    def _page(self, titles: list[str], texts: list[str], section_of: tuple[int, ...]) -> PageTokens:
        ids = self.tokens([*titles, *texts])
        title, *others = [
            of_title[: self.budget.section] if text else () for of_title, text in zip(ids, titles, strict=False)
        ]
        sentences = tuple(sentence[: self.budget.sentence] for sentence in ids[len(titles) :])
        return PageTokens(sentences, section_of, tuple(others), title)

    def window(self, target: TargetTokens, page: PageTokens, number: int, form: Form) -> Ids:
        """Return the paper's input for one candidate."""
        start, close = self.prefix(target, form), self.special.separator
        if form.knowledge:
            start = (*start, *page.titles[page.section_of[number]], close)
        return (*start, *self._text(page, number, form, self.budget.longest - len(start) - 1), close)

    def triple_candidate(self, target: TargetTokens, page: PageTokens, number: int, form: Form) -> Ids:
        """Return the triple encoder's input for one candidate: its section, the target's mentions, its text."""
        close = self.special.separator
        start: Ids = (self.special.first,)
        if form.knowledge:
            start = (*start, *page.titles[page.section_of[number]], close, *target.mentions, close)
        return (*start, *self._text(page, number, form, self.budget.longest - len(start)))

    def triple_target(self, target: TargetTokens) -> Ids:
        """Return the triple encoder's input for the target: its title and its lead."""
        return (self.special.first, *target.title, self.special.separator, *target.lead)

    def triple_source(self, page: PageTokens) -> Ids:
        """Return the triple encoder's input for the page: its title and its lead, never what a heading stands above."""
        has_lead = bool(page.titles) and not page.titles[0]
        lead = (
            token
            for sentence, section in zip(page.sentences, page.section_of, strict=True)
            if has_lead and section == 0
            for token in sentence
        )
        return (self.special.first, *page.title, self.special.separator, *islice(lead, self.budget.lead))

    def _text(self, page: PageTokens, number: int, form: Form, room: int) -> list[int]:
        """Return a sentence with as many sentences around it as there is room for."""
        close = self.special.separator
        text: list[int] = []
        for index in _around(page, number, room - (2 if form.marks else 0)):
            is_marked = form.marks and index == number
            text += (close, *page.sentences[index], close) if is_marked else page.sentences[index]
        return text

    def prefix(self, target: TargetTokens, form: Form) -> Ids:
        """Return what every input about this target begins with."""
        mentions = target.mentions if form.knowledge else ()
        close = self.special.separator
        return (self.special.first, *target.title, *mentions, close, *target.lead, close)

    def chunks(self, prefix: Ids, page: PageTokens, longest: int | None = None) -> list[Chunk]:
        """Return the whole page in sequences that begin with the prefix; each sentence is scored in one of them.

        A chunk shows each section's title before its sentences (for the lead the page's), and some sentences of the
        chunks beside it.
        """
        room = min(longest or self.budget.longest, self.budget.longest)
        room = max(room, len(prefix) + self.budget.section + self.budget.sentence + 2) - len(prefix)
        chunks: list[Chunk] = []
        scored = 0
        while scored < len(page.sentences):
            start = scored - self._overlap(page, range(scored - 1, -1, -1), room)
            while (end := _end_of_run(page, start, room)) <= scored:
                start += 1  # long sentences leave no room for the ones before
            is_last = end == len(page.sentences)
            shared = 0 if is_last else self._overlap(page, range(end - 1, scored, -1), room)
            until = end - shared
            chunks.append(self._chunk(prefix, page, range(start, end), range(scored, until)))
            scored = until
        return chunks

    def _overlap(self, page: PageTokens, numbers: range, room: int) -> int:
        """Return how many of these sentences, counted from the border of two chunks, both may show."""
        left = room // _OVERLAP_SHARE
        for count, number in enumerate(numbers[: self.budget.overlap]):
            left -= len(page.sentences[number]) + 1
            if left < 0:
                return count
        return min(self.budget.overlap, len(numbers))

    def _chunk(self, prefix: Ids, page: PageTokens, shown: range, scored: range) -> Chunk:
        ids = list(prefix)
        spans = []
        for number in shown:
            if number == shown.start or page.section_of[number] != page.section_of[number - 1]:
                ids += (*page.heading(number), self.special.separator)
            if number in scored:
                spans.append((len(ids), len(ids) + len(page.sentences[number])))
            ids += (*page.sentences[number], self.special.separator)
        return Chunk(tuple(ids), tuple(scored), tuple(spans))


def _end_of_run(page: PageTokens, start: int, room: int) -> int:
    """Return the number of the first sentence that a run from `start` has no room for; a run has at least one."""
    used = 0
    for number in range(start, len(page.sentences)):
        if number == start or page.section_of[number] != page.section_of[number - 1]:
            used += len(page.heading(number)) + 1
        used += len(page.sentences[number]) + 1
        if used > room and number > start:
            return number
    return len(page.sentences)


def _around(page: PageTokens, number: int, room: int, context: int = CONTEXT_SENTENCES) -> range:
    """Return a sentence and as many whole ones around it as there is room for, the nearest first."""
    near = page.context(number, context)
    first = last = number
    room -= len(page.sentences[number])
    for distance in range(1, context + 1):
        for beside in (number + distance, number - distance):
            is_next = beside in {first - 1, last + 1}
            if beside in near and is_next and len(page.sentences[beside]) <= room:
                room -= len(page.sentences[beside])
                first, last = min(first, beside), max(last, beside)
    return range(first, last + 1)
