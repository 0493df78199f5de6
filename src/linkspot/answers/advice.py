"""What an editor should do at a place: link words that are there, add to the sentence, or add a sentence."""

from collections import Counter
from dataclasses import dataclass, field, replace

from linkspot.answers.link_markup import link_markup
from linkspot.answers.linking_rules import can_be_linked
from linkspot.examples.candidates import Candidate
from linkspot.parsing import parse
from linkspot.parsing.markup import markup_kind
from linkspot.records import Action, Article, Entity, Page, Place
from linkspot.source_map import Span
from linkspot.text.mentions import Exactness, MentionFinder, known_names
from linkspot.text.scripts import has_spaceless
from linkspot.text.words import words as words_of

_HOW = {
    Exactness.EXACT: "word for word",
    Exactness.FOLDED: "with different capitals",
    Exactness.NEAR: "in another form",
}
# These two bounds did best on 378 links that editors of the OpenTTD wiki (en, de, fr) added. Of the links that had no
# words yet, 63 % of those written into a sentence and 82 % of those written as a new sentence get that same advice.
_COMMON = 0.1  # a word in more than this share of a page's sentences says nothing about one of them
_ENOUGH = 2  # words shared with the lead that make a sentence related to the target
_LONGEST_PARTICLE = 3  # letters: "the", "kwa", "для"


@dataclass(slots=True)
class Advice:
    """Turns candidates of one page into places for one entity: it says what to do at each."""

    page: Page
    article: Article
    entity: Entity
    _finder: MentionFinder = field(init=False)
    _in_names: frozenset[str] = field(init=False)
    _in_lead: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        names = known_names(self.entity, self.article.language)
        self._finder = MentionFinder(names, self.article.language)
        common = self._common_words()
        self._in_names = frozenset(self._words(" ".join(names))) - common
        self._in_lead = frozenset(self._words(self.entity.lead)) - common

    def place(self, candidate: Candidate, score: float) -> Place:
        """Return the candidate with what to do there."""
        section, sentence = candidate.section, candidate.sentence
        indices = candidate.section_index, candidate.sentence_index
        is_taken = False
        for mention in self._finder.find(sentence.text):
            words = Span(sentence.start + mention.span.start, sentence.start + mention.span.end)
            source = section.source_map.source_span(words.start, words.end, with_notes=False)
            if can_be_linked(section, words) and self._can_be_written(source):
                link = link_markup(self.article, self.entity, source.cut(self.page.text))
                reason = f"“{mention.name}” is there already, {_HOW[mention.exactness]}"
                return Place(*indices, score, Action.LINK_WORDS, reason, source, link, words, text=sentence.text)
            is_taken = True
        link = link_markup(self.article, self.entity, self.entity.names[0])
        related = "the words for it are part of other markup" if is_taken else self._related(sentence.text)
        if related:
            reason = f"there are no words to link here yet, but {related}"
            return Place(*indices, score, Action.ADD_TO_SENTENCE, reason, sentence.source, link, text=sentence.text)
        after = Span(sentence.source.end, sentence.source.end)
        reason = "nothing here names it; a new sentence fits best after this one"
        return Place(*indices, score, Action.ADD_SENTENCE, reason, after, link, text=sentence.text)

    def _can_be_written(self, source: Span) -> bool:
        """Return whether a link around this markup works, and leaves the rest of the page as it is."""
        page, kind = self.page.text, markup_kind(self.article.markup)
        if any(sign in source.cut(page) for sign in kind.not_in_link):
            return False
        neighbours = page[max(0, source.start - 1) : source.start] + page[source.end : source.end + 1]
        if not any(sign in kind.risky_beside_link for sign in neighbours):
            return True
        # Beside such a sign only a trial shows whether the link works.
        link = link_markup(self.article, self.entity, source.cut(page))
        edited = parse(replace(self.page, text=source.replace(page, link), language=self.article.language))
        return [section.text for section in edited.sections] == [section.text for section in self.article.sections]

    def _related(self, text: str) -> str:
        """Say what the text shares with the target, if it is enough to write the link into it; else nothing."""
        words = list(dict.fromkeys(self._words(text)))
        named = [word for word in words if word in self._in_names]
        if named:
            return f"the sentence mentions {', '.join(named)}"
        shared = [word for word in words if word in self._in_lead]
        long = [word for word in shared if len(word) > _LONGEST_PARTICLE]
        pairs = sum(map(has_spaceless, shared)) / 2  # scripts without spaces have pairs of letters for words
        if len(long) + pairs < _ENOUGH:
            return ""
        if not long:
            return "the sentence says much of what the target's lead says"
        return f"the sentence mentions {', '.join(long)}"

    def _common_words(self) -> frozenset[str]:
        """Return the words that are in so many sentences of this page that they say nothing about one of them."""
        sentences = [set(self._words(sentence.text)) for _, sentence in self.article.sentences]
        counts = Counter(word for sentence in sentences for word in sentence)
        most = max(1.0, _COMMON * len(sentences))
        return frozenset(word for word, count in counts.items() if count > most)

    def _words(self, text: str) -> list[str]:
        return words_of(text, self.article.language)
