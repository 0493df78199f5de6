"""What the API is asked: pages, targets and how to answer, checked before any work is done on them."""

from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from linkspot.errors import TooLarge
from linkspot.service.settings import ServiceLimits

# Halves of characters, which JSON can have and UTF-8 cannot, become question marks.
Text = Annotated[str, AfterValidator(lambda text: text.encode(errors="replace").decode())]
_MOST_ID = 2**53  # larger numbers are not the same in every program that reads JSON


class RequestBody(BaseModel):
    """A part of a request: unknown fields are an error, so that a misspelled one is noticed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def check(self, limits: ServiceLimits) -> None:
        """Raise TooLarge if the part is over a limit."""


class PageRequest(RequestBody):
    """The page that gets the link: its markup, or where it is in a wiki that the service may read."""

    text: Text = Field(default="", description="The page's markup. Leave it out for a page of a wiki.")
    markup: Text = Field(default="", description="html, wikitext or markdown; needed with text.")
    title: Text = Field(default="", description="The page's title.")
    language: Text = Field(default="", description="Its language, such as sw; by default what it or the wiki says.")
    wiki: Text = Field(default="", description="The name of a wiki that the service may read.")
    page_id: int = Field(default=0, ge=0, le=_MOST_ID, description="The page's number in the wiki.")
    revision: int = Field(default=0, ge=0, le=_MOST_ID, description="The revision to read; by default the current one.")

    @model_validator(mode="after")
    def _is_one_page(self) -> Self:
        if self.wiki:
            if self.text or self.markup:
                raise ValueError("a page is given by its text or by its wiki, not by both")
            if not (self.title.strip() or self.page_id or self.revision):
                raise ValueError("a page of a wiki needs a title, a page_id or a revision")
        elif not self.text.strip():
            raise ValueError("a page needs its text with its markup, or a wiki and a title")
        elif not self.markup:
            raise ValueError("a page's text needs its markup: html, wikitext or markdown")
        elif self.page_id or self.revision:
            raise ValueError("page_id and revision are for a page of a wiki; name it as wiki")
        return self

    def check(self, limits: ServiceLimits) -> None:
        """Raise TooLarge if the page is over a limit."""
        check_bytes(self.title, limits.title_bytes, "the page's title")
        check_bytes(self.text, limits.body_bytes, "the page")


class TargetRequest(RequestBody):
    """What the link leads to; what is left out is looked up in the page's wiki or its index."""

    title: Text = Field(default="", description="The target's title.")
    lead: Text = Field(default="", description="What the target is about: its first paragraph.")
    mentions: tuple[Text, ...] = Field(default=(), description="Words used for the target.")
    id: Text = Field(default="", description="Its Wikidata id or slug.")
    url: Text = Field(default="", description="The address of the link, in HTML and Markdown.")

    @model_validator(mode="after")
    def _is_named(self) -> Self:
        if not any(name.strip() for name in (self.title, *self.mentions)):
            raise ValueError("a target needs a title or a mention")
        return self

    def check(self, limits: ServiceLimits) -> None:
        """Raise TooLarge if the target is over a limit."""
        check_bytes(self.title, limits.title_bytes, "the target's title")
        check_bytes(self.id, limits.title_bytes, "the target's id")
        check_bytes(self.url, limits.lead_bytes, "the target's address")
        check_bytes(self.lead, limits.lead_bytes, "the target's lead")
        check_number(len(self.mentions), limits.mentions, "the target has", "mentions")
        longest = max(map(len, self.mentions), default=0)
        check_number(longest, limits.mention_characters, "a mention has", "characters")


class AnswerOptions(RequestBody):
    """How to answer."""

    top: int | None = Field(default=None, ge=1, description="The most places; by default the best, at most 5.")
    anyway: bool = Field(default=False, description="Whether to show the best places even if the answer is nowhere.")
    exclude_sections: tuple[Text, ...] = Field(default=(), description="Titles of further sections that get no link.")

    def check(self, limits: ServiceLimits) -> None:
        """Raise TooLarge if more is asked for than the service gives."""
        check_number(self.top or 0, limits.top, "the answer would have", "places")
        check_number(len(self.exclude_sections), limits.targets, "the request has", "sections to exclude")
        for title in self.exclude_sections:
            check_bytes(title, limits.title_bytes, "a section's title")


class SuggestRequest(AnswerOptions):
    """A page and the targets that it should link to, each of which gets an answer of its own."""

    page: PageRequest
    target: TargetRequest | None = Field(default=None, description="The target; or give several as targets.")
    targets: tuple[TargetRequest, ...] = ()
    translations: Annotated[
        tuple[PageRequest, ...], Field(description="The page in other languages: where they link is a hint.")
    ] = ()

    @model_validator(mode="after")
    def _has_a_target(self) -> Self:
        if not self.all_targets:
            raise ValueError("the request names no target; give one as target, or several as targets")
        return self

    @property
    def all_targets(self) -> tuple[TargetRequest, ...]:
        """The targets, in the order of the answers."""
        return (*([self.target] if self.target else []), *self.targets)

    @property
    def options(self) -> AnswerOptions:
        """How to answer."""
        return AnswerOptions(top=self.top, anyway=self.anyway, exclude_sections=self.exclude_sections)

    def check(self, limits: ServiceLimits) -> None:
        """Raise TooLarge if the request is over a limit."""
        super().check(limits)
        check_number(len(self.all_targets), limits.targets, "the request has", "targets")
        check_number(len(self.translations), limits.translations, "the request has", "translations")
        for part in (self.page, *self.all_targets, *self.translations):
            part.check(limits)


class BatchRequest(RequestBody):
    """Several requests at once."""

    requests: tuple[SuggestRequest, ...] = Field(min_length=1)

    def check(self, limits: ServiceLimits) -> None:
        """Raise TooLarge if the batch is over a limit; its requests are checked one by one."""
        answers = sum(len(request.all_targets) for request in self.requests)
        check_number(answers, limits.batch, "the batch asks for", "answers")


def check_bytes(text: str, most: int, what: str) -> None:
    """Raise TooLarge if a text has too many bytes."""
    size = len(text.encode(errors="replace"))
    if size > most:
        raise TooLarge(f"{what} has {size:,} bytes; expected at most {most:,}", f"{what} is too long")


def check_number(number: int, most: int, what: str, unit: str) -> None:
    """Raise TooLarge if there are too many of something."""
    if number > most:
        raise TooLarge(f"{what} {number:,} {unit}; expected at most {most:,}", f"too many {unit}")
