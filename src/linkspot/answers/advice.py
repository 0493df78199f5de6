"""What an editor should do at a place: link words that are there, add to the sentence, or add a sentence."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace

from linkspot.answers.link_markup import LinkWriter
from linkspot.answers.linking_rules import can_be_linked
from linkspot.answers.meaning import Meaning
from linkspot.answers.source_page import SourcePage
from linkspot.answers.target import Target
from linkspot.errors import UnwritableLink
from linkspot.examples.candidates import Candidate
from linkspot.limits import LIMITS
from linkspot.parsing import parse
from linkspot.parsing.markup import markup_kind
from linkspot.records import Action, Article, Entity, Page, Place, Section
from linkspot.source_map import Span
from linkspot.text.content_words import content_words
from linkspot.text.mentions import Exactness, Forms, Mention, MentionFinder, known_names
from linkspot.text.name_parts import PartFinder
from linkspot.text.scripts import has_spaceless
from linkspot.text.words import words as words_of

_HOW = {
    Exactness.EXACT: "is there already, word for word",
    Exactness.FOLDED: "is there already, with different capitals",
    Exactness.NEAR: "is there already, in another form",
}
# These two bounds did best on 378 links that editors of the OpenTTD wiki (en, de, fr) added. Of the links that had no
# words yet, 63 % of those written into a sentence and 82 % of those written as a new sentence get that same advice.
_COMMON = 0.1  # a word in more than this share of a page's sentences says nothing about one of them
_ENOUGH = 2  # words shared with the lead that make a sentence related to the target
_LONGEST_MACRO = 2_000  # characters
_BRACES = (("{{", "}}"), ("{", "}"))
_PLAIN = re.compile(r"(?=.*[^\W_])(?:[^\W_]|[ ,.’-]|'(?!'))+")  # words that hold no sign of any markup


@dataclass(slots=True)
class Advice:
    """Turns candidates of one page into places for one entity: it says what to do at each.

    If the page's markup cannot link such a title or address, `refusal` says why, and no place has a finished link.
    """

    source: SourcePage
    target: Target
    parts: PartFinder
    page: Page = field(init=False)
    article: Article = field(init=False)
    entity: Entity = field(init=False)
    refusal: str = field(init=False, default="")
    _writer: LinkWriter | None = field(init=False, default=None)
    _named_link: str = field(init=False, default="")
    _finder: MentionFinder = field(init=False)
    _in_names: frozenset[str] = field(init=False)
    _in_lead: frozenset[str] = field(init=False)
    _meaning: Meaning = field(init=False)
    _may_redirect: bool = field(init=False)
    _has_double_brackets: bool = field(init=False)

    def __post_init__(self) -> None:
        self.page, self.article, self.entity = self.source.page, self.source.article, self.target.entity
        try:
            self._writer = LinkWriter.of(self.source, self.target)
            self._named_link = self._writer.named()
        except UnwritableLink as error:
            self.refusal = str(error)
        names = known_names(self.entity, self.article.language)
        self._finder = MentionFinder(names, self.article.language, Forms.KNOWN)
        self._meaning = Meaning(self.entity, self.article.language)
        self._may_redirect = markup_kind(self.article.markup).names_redirect(self.page.text)
        self._has_double_brackets = "[[" in self.page.text
        common = self._common_words()
        self._in_names = frozenset(self._words(" ".join(names))) - common
        self._in_lead = frozenset(self._words(self.entity.lead)) - common

    def place(self, candidate: Candidate, score: float) -> Place:
        """Return the candidate with what to do there."""
        section, sentence = candidate.section, candidate.sentence
        indices = candidate.section_index, candidate.sentence_index
        mention = None
        rereadings = LIMITS.rereadings
        for mention in self._mentions(candidate):
            words = Span(sentence.start + mention.span.start, sentence.start + mention.span.end)
            if not can_be_linked(section, words) or not self._meaning.fits(mention, candidate):
                continue
            source = section.source_map.source_span(words.start, words.end, with_notes=False)
            link = self._link_around(source)
            if link and self._is_risky(link, source):
                rereadings -= 1
                is_tried = rereadings >= 0
                link = link if is_tried and self._works(link, source, candidate.section_index, words) else ""
            if link:
                reason = _reason(mention, words.cut(section.text))
                return Place(*indices, score, Action.LINK_WORDS, reason, source, link, words, text=sentence.text)
        return self._place_without_words(candidate, score, mention)

    def _place_without_words(self, candidate: Candidate, score: float, mention: Mention | None) -> Place:
        indices, sentence = (candidate.section_index, candidate.sentence_index), candidate.sentence
        link, source = self._named_link, sentence.source
        place = Place(*indices, score, Action.ADD_TO_SENTENCE, "", source, link, text=sentence.text)
        if mention and self.refusal:
            return replace(place, reason=f"“{mention.name}” is there already, but no link to it can be written")
        if mention and not self._meaning.fits(mention, candidate):
            reason = f"“{mention.name}” is there, but nothing around it shows that it means this one"
            return replace(place, reason=reason)
        related = "the words for it are part of other markup" if mention else self._related(sentence.text)
        if related:
            return replace(place, reason=f"there are no words to link here yet, but {related}")
        reason = "nothing here names it; a new sentence fits best after this one"
        after = Span(sentence.source.end, sentence.source.end)
        return replace(place, action=Action.ADD_SENTENCE, reason=reason, source=after)

    def _link_around(self, source: Span) -> str:
        """Return the link around this markup, or nothing if there can be none."""
        page, kind = self.page.text, markup_kind(self.article.markup)
        words = source.cut(page)
        if self._writer is None or self.refusal or any(sign in words for sign in kind.not_in_link):
            return ""
        if kind.continues_link(page[source.end : source.end + 1], self.article.language):
            return ""
        try:
            return self._writer.around(words)
        except UnwritableLink:  # a target that has no title is linked by these words
            return ""

    def _is_risky(self, link: str, source: Span) -> bool:
        """Return whether the words, or a sign before or behind them, may give a link there another meaning."""
        page, kind = self.page.text, markup_kind(self.article.markup)
        if self._may_redirect:
            return True
        if "}" in link and self._has_double_brackets:
            return True  # the first macro of a page makes it one of a site that has no links in double brackets
        reach = max(0, source.start - _LONGEST_MACRO), source.start
        if "}" in link and any(page.rfind(a, *reach) > page.rfind(b, *reach) for a, b in _BRACES):
            return True  # the end of a macro would end what begins before it
        before, after = page[max(0, source.start - 1) : source.start], page[source.end : source.end + 1]
        if link.endswith("]") and after in {"(", ":"}:
            return True  # what is a link of a wiki in Markdown would be the words of another: [[x]](y)
        return not _PLAIN.fullmatch(source.cut(page)) or any(sign in kind.risky_beside_link for sign in before + after)

    def _works(self, link: str, source: Span, section: int, words: Span) -> bool:
        """Return whether the edited page, read again, says the same and has one link more, around these words."""
        edited = parse(replace(self.page, text=source.replace(self.page.text, link), language=self.article.language))
        has_link = sum(map(_number_of_links, edited.sections)) == sum(map(_number_of_links, self.article.sections)) + 1
        if not has_link or list(map(_said, edited.sections)) != list(map(_said, self.article.sections)):
            return False
        return any(Span(new.start, new.end) == words for new in edited.sections[section].links)

    def _mentions(self, candidate: Candidate) -> list[Mention]:
        """Return the mentions in a candidate's sentence: of whole names, or else of parts, or else derived words."""
        number = candidate.sentence_index + sum(
            len(section.sentences) for section in self.article.sections[: candidate.section_index]
        )
        text = candidate.sentence.text
        return self._finder.find(text) or self.parts.find(number, text) or self._meaning.derived_words(candidate)

    def _related(self, text: str) -> str:
        """Say what the text shares with the target, if it is enough to write the link into it; else nothing.

        Only words that a reader would recognise are named, as they stand in the text.
        """
        language, words = self.article.language, content_words(text, self.article.language)
        named = [word for word in words if self._in_names.issuperset(words_of(word, language))]
        if named:
            return f"the sentence mentions {', '.join(named)}"
        shared = [word for word in words if self._in_lead.issuperset(words_of(word, language))]
        pairs = sum(map(has_spaceless, self._in_lead.intersection(self._words(text)))) / 2
        spaced = [word for word in shared if not has_spaceless(word)]
        if len(spaced) + pairs < _ENOUGH:  # scripts without spaces have pairs of letters for words
            return ""
        if not shared:
            return "the sentence says much of what the target's lead says"
        return f"the sentence mentions {', '.join(shared)}"

    def _common_words(self) -> frozenset[str]:
        """Return the words that are in so many sentences of this page that they say nothing about one of them."""
        sentences = [set(self._words(sentence.text)) for _, sentence in self.article.sentences]
        counts = Counter(word for sentence in sentences for word in sentence)
        most = max(1.0, _COMMON * len(sentences))
        return frozenset(word for word, count in counts.items() if count > most)

    def _words(self, text: str) -> list[str]:
        return words_of(text, self.article.language)


def _reason(mention: Mention, written: str) -> str:
    if mention.exactness is Exactness.PART:
        return f"“{written}” is a part of “{mention.name}” and may stand for it here"
    if mention.exactness is Exactness.DERIVED:
        return f"“{written}” is derived from “{mention.name}” and may stand for it here"
    return f"“{mention.name}” {_HOW[mention.exactness]}"


def _said(section: Section) -> tuple[str, int, str]:
    return section.title, section.level, section.text


def _number_of_links(section: Section) -> int:
    return len(section.links)
