"""The nouns of linkspot: frozen records that check themselves when made, and know nothing of files or settings."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from itertools import accumulate

from linkspot.errors import EmptyTarget
from linkspot.field_types import check_room, check_text, check_tuple
from linkspot.ranges import SortedRanges
from linkspot.source_map import SourceMap, Span

_MAJOR_LEVEL = 2  # an h2 and what stands under it make one major section


class Markup(StrEnum):
    """The markups that come with linkspot; plug-ins add others, by their names."""

    HTML = "html"
    WIKITEXT = "wikitext"
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True)
class Page:
    """A page as its corpus keeps it: markup, not yet parsed.

    `entity` names what the page is about in every language (a Wikidata id, a slug); `redirect` is the title that a
    redirect leads to, `redirects` are the other titles that lead here, if the corpus says so.
    """

    title: str
    text: str
    markup: str
    language: str
    id: str = ""
    entity: str = ""
    redirect: str = ""
    redirects: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_text(self.title, "a page's title")
        check_text(self.text, "a page's text")
        check_tuple(self, "redirects", str)


@dataclass(frozen=True, slots=True)
class Revision:
    """A page as it stood from one time on; a corpus without history has one for each page.

    `touched` counts the pages that the same edit changed, if the corpus knows it. `is_deletion` marks the end of a
    page: its text is empty from then on.
    """

    page: Page
    id: str
    time: datetime | None
    touched: int = 1
    is_deletion: bool = False


class LinkKind(StrEnum):
    """Where a link leads."""

    PAGE = "page"
    NAMESPACE = "namespace"  # a category, a help page, a file: the same wiki, but not an article
    INTERWIKI = "interwiki"
    EXTERNAL = "external"


@dataclass(frozen=True, slots=True)
class Link:
    """A link in a section's text: the mention at start:end leads to the target, as the markup spells it."""

    target: str
    mention: str
    start: int
    end: int
    source: Span
    kind: LinkKind = LinkKind.PAGE

    def __post_init__(self) -> None:
        check_room(self.mention, self.start, self.end, "mention")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of one section. Offsets are characters of the section's text; `source` is its range in the markup."""

    text: str
    start: int
    end: int
    source: Span

    def __post_init__(self) -> None:
        check_room(self.text, self.start, self.end, "sentence")


@dataclass(frozen=True)
class Section:
    """A heading and the prose under it, up to the next heading of any level. The lead has no title and level 1."""

    title: str
    level: int
    text: str
    sentences: tuple[Sentence, ...] = ()
    links: tuple[Link, ...] = ()
    source_map: SourceMap = field(default_factory=SourceMap)

    def __post_init__(self) -> None:
        end = 0
        for sentence in self.sentences:
            if sentence.start < end or self.text[sentence.start : sentence.end] != sentence.text:
                raise ValueError(f"sentence {sentence.start}:{sentence.end} is out of order or not in its section")
            end = sentence.end
        for link in self.links:
            if self.text[link.start : link.end] != link.mention:
                raise ValueError(f"link {link.start}:{link.end} does not cover its mention {link.mention!r}")

    def gaps(self) -> list[str]:
        """Return the text before, between and after the sentences; sentences and gaps together rebuild the section."""
        borders = [0, *(b for s in self.sentences for b in (s.start, s.end)), len(self.text)]
        return [self.text[a:b] for a, b in zip(borders[::2], borders[1::2], strict=True)]

    def links_in(self, start: int, end: int) -> list[Link]:
        """Return the links that share a character with this range of the text, in its order."""
        return self._sorted_links.overlapping(start, end)

    @cached_property
    def _sorted_links(self) -> SortedRanges[Link]:
        return SortedRanges(self.links)


@dataclass(frozen=True)
class Article:
    """A parsed page: its sections in reading order, the lead first.

    `markup` is empty where the article does not come from a page, so that it cannot be edited.
    """

    title: str
    language: str
    sections: tuple[Section, ...]
    markup: str = ""
    id: str = ""

    @property
    def lead(self) -> str:
        """The first paragraph of the first section that has prose, without notes above it ("For other uses, see …")."""
        texts = ((section.text, section.source_map) for section in self.sections if section.sentences)
        return next((source_map.first_paragraph(text).cut(text).strip() for text, source_map in texts), "")

    @cached_property
    def sentences(self) -> tuple[tuple[int, Sentence], ...]:
        """Every sentence with the index of its section, in reading order; each is a candidate with this number."""
        return tuple((index, sentence) for index, section in enumerate(self.sections) for sentence in section.sentences)

    @cached_property
    def major_sections(self) -> tuple[int, ...]:
        """For each section, the index of the major section (h2, or the lead) that it belongs to."""
        starts = (index if section.level <= _MAJOR_LEVEL else 0 for index, section in enumerate(self.sections))
        return tuple(accumulate(starts, max))


@dataclass(frozen=True, slots=True)
class Precedent:
    """Where another language's version of a page already links the target.

    `passage` holds the sentences around the link, all of its section; `linked` is the number of the one with the link.
    The places run from 0 to 1: through the page, through its sections, and through the section. `section` is the title
    of the section, or of the page for the lead; `size` is how many sentences that page has.
    """

    language: str
    section: str
    passage: tuple[str, ...]
    linked: int
    place: float
    section_place: float
    place_in_section: float
    size: int

    def __post_init__(self) -> None:
        if not 0 <= self.linked < len(self.passage):
            raise ValueError(f"sentence {self.linked} is not in the passage, which has {len(self.passage)}")


@dataclass(frozen=True, slots=True)
class Entity:
    """What a link leads to: the target's title, the words it is known by, its first paragraph, in any language.

    `id` is a slug or a Wikidata id, `url` the address to link to. `precedents` belong to one page and this target: they
    say where that page links the target in other languages. `lead_language` is set if it is not the page's.
    """

    title: str
    lead: str = ""
    mentions: tuple[str, ...] = ()
    id: str = ""
    url: str = ""
    precedents: tuple[Precedent, ...] = ()
    lead_language: str = ""

    def __post_init__(self) -> None:
        check_text(self.title, "an entity's title")
        check_text(self.lead, "an entity's lead")
        check_tuple(self, "mentions", str)
        check_tuple(self, "precedents", Precedent)
        if not any(name.strip() for name in (self.title, *self.mentions)):
            raise EmptyTarget("an entity needs a title or a mention; this one has neither")

    @property
    def names(self) -> tuple[str, ...]:
        """The title and the mentions, each once, in that order."""
        return tuple(dict.fromkeys(name for name in (self.title, *self.mentions) if name.strip()))


class Scenario(StrEnum):
    """What the page lacked just before an editor inserted the link."""

    TEXT_PRESENT = "text_present"
    MISSING_MENTION = "missing_mention"
    MISSING_SENTENCE = "missing_sentence"
    MISSING_SPAN = "missing_span"
    MISSING_SECTION = "missing_section"


@dataclass(frozen=True, slots=True)
class Example:
    """A ranking problem: which candidates of the article are right places for the entity; none means nowhere."""

    entity: Entity
    article: Article
    gold: tuple[int, ...]

    def __post_init__(self) -> None:
        candidates = len(self.article.sentences)
        if list(self.gold) != sorted(set(self.gold)) or any(not 0 <= index < candidates for index in self.gold):
            raise ValueError(f"gold candidates are ordered, distinct and below {candidates}, not {self.gold}")


@dataclass(frozen=True, slots=True)
class Insertion:
    """A link that an editor added: the ranking problem just before the edit, and how the page changed."""

    example: Example
    scenario: Scenario
    before_revision: str
    after_revision: str
    time: datetime

    def __post_init__(self) -> None:
        if bool(self.example.gold) == (self.scenario is Scenario.MISSING_SECTION):
            raise ValueError(f"only {Scenario.MISSING_SECTION} has no gold; {self.scenario} has {self.example.gold}")


class Action(StrEnum):
    """What an editor should do at a place."""

    LINK_WORDS = "link_words"
    ADD_TO_SENTENCE = "add_to_sentence"
    ADD_SENTENCE = "add_sentence"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a page where the link may go: a sentence, its score, and what to do there.

    `text` is the sentence; `section` is the number of its section, `sentence` its own number in the section. `source`
    is the range of the page's markup to replace, `link` the markup of the link, empty if the page's markup cannot link
    this target (a note of the answer says why). `words` is the range of the section's text that becomes the mention, if
    the words are already there. `probability` is how likely this is the right place, if the ranker has probabilities.
    """

    section: int
    sentence: int
    score: float
    action: Action
    reason: str
    source: Span
    link: str = ""
    words: Span | None = None
    probability: float | None = None
    text: str = ""

    def __post_init__(self) -> None:
        if (self.action is Action.LINK_WORDS) != (self.words is not None):
            raise ValueError(f"only {Action.LINK_WORDS} has words to link; {self.action} came with {self.words}")

    def edit(self, page: str, text: str = "") -> str:
        """Return the page's markup with the edit made: the words linked, or your own markup put in.

        For `add_to_sentence`, `text` is the whole sentence, rewritten; for `add_sentence`, what to insert after it.
        """
        if self.action is not Action.LINK_WORDS and not text:
            raise ValueError(f"{self.action} needs a text that you write; pass it as edit(page, text)")
        if not (text or self.link):
            raise ValueError("this place has no link; pass the markup to put in as edit(page, text)")
        return self.source.replace(page, text or self.link)
