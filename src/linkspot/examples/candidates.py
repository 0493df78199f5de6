"""Candidates: the places that compete for a link. All are made here, right and wrong ones, to train and to serve."""

from dataclasses import dataclass

from linkspot.records import Article, Section, Sentence

CONTEXT_SENTENCES = 5  # on each side; the paper's choice


@dataclass(frozen=True, slots=True)
class Candidate:
    """One sentence of an article, with the sentences around it in its section as context."""

    section_index: int
    sentence_index: int
    section: Section
    first: int
    last: int

    @property
    def sentence(self) -> Sentence:
        """The sentence itself."""
        return self.section.sentences[self.sentence_index]

    @property
    def start(self) -> int:
        """Where the context begins in the section's text."""
        return self.section.sentences[self.first].start

    @property
    def end(self) -> int:
        """Where the context ends in the section's text."""
        return self.section.sentences[self.last].end

    @property
    def context(self) -> str:
        """The section's text from the first to the last sentence of context, exactly as it stands in the page."""
        return self.section.text[self.start : self.end]


def candidate_at(
    section: Section, index: int, section_index: int = 0, context_sentences: int = CONTEXT_SENTENCES
) -> Candidate:
    """Return the candidate of one sentence of a section; its context never leaves the section."""
    last = len(section.sentences) - 1
    return Candidate(
        section_index,
        index,
        section,
        first=max(0, index - context_sentences),
        last=min(last, index + context_sentences),
    )


def candidates(article: Article, context_sentences: int = CONTEXT_SENTENCES) -> list[Candidate]:
    """Return one candidate for each sentence of the article, in reading order."""
    return [
        candidate_at(section, index, section_index, context_sentences)
        for section_index, section in enumerate(article.sections)
        for index in range(len(section.sentences))
    ]
