"""What an editor should do at a place: link words that are there, add to the sentence, or add a sentence."""

from collections import Counter
from dataclasses import dataclass, field, replace

from linkspot.answers.link_markup import link_markup, named_link
from linkspot.answers.linking_rules import can_be_linked
from linkspot.errors import UnwritableLink
from linkspot.examples.candidates import Candidate
from linkspot.parsing import parse
from linkspot.parsing.markup import markup_kind
from linkspot.records import Action, Article, Entity, Page, Place, Section
from linkspot.source_map import Span
from linkspot.text.mentions import Exactness, Mention, MentionFinder, known_names
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
    """Turns candidates of one page into places for one entity: it says what to do at each.

    If the page's markup cannot link such a title or address, `refusal` says why, and no place has a finished link.
    """

    page: Page
    article: Article
    entity: Entity
    refusal: str = field(init=False, default="")
    _named_link: str = field(init=False, default="")
    _finder: MentionFinder = field(init=False)
    _in_names: frozenset[str] = field(init=False)
    _in_lead: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        try:
            self._named_link = named_link(self.article, self.entity)
        except UnwritableLink as error:
            self.refusal = str(error)
        names = known_names(self.entity, self.article.language)
        self._finder = MentionFinder(names, self.article.language)
        common = self._common_words()
        self._in_names = frozenset(self._words(" ".join(names))) - common
        self._in_lead = frozenset(self._words(self.entity.lead)) - common

    def place(self, candidate: Candidate, score: float) -> Place:
        """Return the candidate with what to do there."""
        section, sentence = candidate.section, candidate.sentence
        indices = candidate.section_index, candidate.sentence_index
        mention = None
        for mention in self._finder.find(sentence.text):
            words = Span(sentence.start + mention.span.start, sentence.start + mention.span.end)
            source = section.source_map.source_span(words.start, words.end, with_notes=False)
            link = self._link_around(source) if can_be_linked(section, words) else ""
            if link:
                reason = f"“{mention.name}” is there already, {_HOW[mention.exactness]}"
                return Place(*indices, score, Action.LINK_WORDS, reason, source, link, words, text=sentence.text)
        return self._place_without_words(candidate, score, mention)

    def _place_without_words(self, candidate: Candidate, score: float, mention: Mention | None) -> Place:
        indices, sentence = (candidate.section_index, candidate.sentence_index), candidate.sentence
        link, source = self._named_link, sentence.source
        place = Place(*indices, score, Action.ADD_TO_SENTENCE, "", source, link, text=sentence.text)
        if mention and self.refusal:
            return replace(place, reason=f"“{mention.name}” is there already, but no link to it can be written")
        related = "the words for it are part of other markup" if mention else self._related(sentence.text)
        if related:
            return replace(place, reason=f"there are no words to link here yet, but {related}")
        reason = "nothing here names it; a new sentence fits best after this one"
        after = Span(sentence.source.end, sentence.source.end)
        return replace(place, action=Action.ADD_SENTENCE, reason=reason, source=after)

    def _link_around(self, source: Span) -> str:
        """Return a link around this markup that works and leaves the rest of the page as it is, or nothing."""
        page, kind = self.page.text, markup_kind(self.article.markup)
        words = source.cut(page)
        if self.refusal or any(sign in words for sign in kind.not_in_link):
            return ""
        try:
            link = link_markup(self.article, self.entity, words)
        except UnwritableLink:  # a target that has no title is linked by these words
            return ""
        neighbours = page[max(0, source.start - 1) : source.start] + page[source.end : source.end + 1]
        is_risky = any(sign in kind.risky_beside_link for sign in neighbours)
        return link if not is_risky or self._works(link, source) else ""

    def _works(self, link: str, source: Span) -> bool:
        """Return whether the edited page, read again, says the same and has one link more."""
        edited = parse(replace(self.page, text=source.replace(self.page.text, link), language=self.article.language))
        has_link = sum(map(_number_of_links, edited.sections)) == sum(map(_number_of_links, self.article.sections)) + 1
        return has_link and list(map(_text, edited.sections)) == list(map(_text, self.article.sections))

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


def _text(section: Section) -> str:
    return section.text


def _number_of_links(section: Section) -> int:
    return len(section.links)
