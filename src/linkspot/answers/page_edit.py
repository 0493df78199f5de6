"""The edit at a place: the link, or the user's own text with the link, is put in, and the page is read again."""

from collections import Counter
from dataclasses import dataclass, replace

from linkspot.answers.answer import Answer
from linkspot.answers.line_position import LinePosition, line_position
from linkspot.answers.notes import ACTIONS
from linkspot.answers.unified_diff import unified_diff
from linkspot.errors import UnwritableEdit, WrongType
from linkspot.links.titles import TitleRules
from linkspot.parsing import parse
from linkspot.parsing.markup import markup_kind
from linkspot.records import Action, Article, Link, Page, Place
from linkspot.source_map import Span
from linkspot.text.scripts import has_spaceless


@dataclass(frozen=True, slots=True)
class PageEdit:
    """A page's markup before and after an edit; `link` is the range of the new link in the edited page."""

    before: str
    after: str
    link: Span

    @property
    def link_markup(self) -> str:
        """The markup of the new link."""
        return self.link.cut(self.after)

    @property
    def position(self) -> LinePosition:
        """The line and the column of the new link in the edited page."""
        return line_position(self.after, self.link.start)

    def diff(self, path: str) -> str:
        """Return the edit as a unified diff of the file at this path."""
        return unified_diff(self.before, self.after, path)


def page_edit(answer: Answer, number: int = 1, text: str = "") -> PageEdit:
    """Return the edit at the place with this number, 1 for the best.

    Raises UnwritableEdit, with a sentence, unless the edited page, read again, has exactly one link more, which leads
    to the target, and its other text is what it was.
    """
    place = _place(answer, number)
    replacement = _replacement(answer, number, place, text)
    edited = place.source.replace(answer.page.text, replacement)
    article = parse(replace(answer.page, text=edited, language=answer.article.language))
    try:
        _check_text(answer.article, article, place)
        link = _new_link(answer, article, place, Span(place.source.start, place.source.start + len(replacement)))
    except UnwritableEdit:
        if place.action is not Action.LINK_WORDS:
            raise
        message = f"the link of place {number} would change more than its words; choose another place"
        raise UnwritableEdit(message) from None
    return PageEdit(answer.page.text, edited, link.source)


def file_name(page: Page) -> str:
    """Return the name of a file for a page that has none: its title, with the ending of its markup."""
    return (page.title or "page").replace("/", "-") + markup_kind(page.markup).endings[0]


def _place(answer: Answer, number: int) -> Place:
    if not isinstance(number, int):
        raise WrongType(f"a place is named by its number, 1 for the best, not by {type(number).__name__}")
    if not answer.places:
        raise UnwritableEdit(" ".join(("there is no place to edit.", *answer.notes[:1])))
    if not 1 <= number <= len(answer.places):
        raise UnwritableEdit(f"there is no place {number}; the answer has {len(answer.places)}, and 1 is the best")
    return answer.places[number - 1]


def _replacement(answer: Answer, number: int, place: Place, text: str) -> str:
    if not isinstance(text, str):
        raise WrongType(f"the text of an edit is a string, not {type(text).__name__}")
    if place.action is Action.LINK_WORDS:
        if text:
            raise UnwritableEdit(f"place {number} links words that are there already; leave the text out")
        return place.link
    if not text.strip():
        what = "that sentence, rewritten" if place.action is Action.ADD_TO_SENTENCE else "a sentence"
        link = f" with {place.link}" if place.link else ""
        raise UnwritableEdit(
            f"place {number} says: {ACTIONS[place.action]}. Only you can write it: give {what}{link}, as --text "
            "(in Python: text=)"
        )
    return text if place.action is Action.ADD_TO_SENTENCE else _spaced(answer.page.text, place, text)


def _spaced(page: str, place: Place, text: str) -> str:
    """Return a new sentence with a space to its neighbours, unless they are written in a script without spaces."""
    space = "" if has_spaceless(text) and has_spaceless(place.text) else " "
    before, after = page[: place.source.start][-1:], page[place.source.end :][:1]
    left = "" if before.isspace() or text[:1].isspace() else space
    right = space if after.isalnum() and not text[-1:].isspace() else ""
    return left + text + right


def _check_text(before: Article, after: Article, place: Place) -> None:
    """Raise UnwritableEdit unless all text around the edit is as it was."""
    sentence = before.sections[place.section].sentences[place.sentence]
    start = sentence.start if place.action is Action.ADD_TO_SENTENCE else sentence.end
    headings = [[(section.title, section.level) for section in article.sections] for article in (before, after)]
    pairs = enumerate(zip(before.sections, after.sections, strict=False))
    is_kept = headings[0] == headings[1] and all(
        old.text == new.text
        or (index == place.section and place.words is None and _surrounds(old.text, start, sentence.end, new.text))
        for index, (old, new) in pairs
    )
    if not is_kept:
        raise UnwritableEdit("the text would change the page around it; write one sentence, and close all markup in it")


def _surrounds(old: str, start: int, end: int, new: str) -> bool:
    """Return whether the new text is the old one with something else between start and end."""
    is_long_enough = len(new) >= start + len(old) - end
    return is_long_enough and new.startswith(old[:start]) and new.endswith(old[end:])


def _new_link(answer: Answer, edited: Article, place: Place, written: Span) -> Link:
    """Return the one link that the edited page has more; raise UnwritableEdit if that is not so."""
    old, new = _links(answer.article), _links(edited)
    counts = [Counter((link.kind, link.target) for link in links) for links in (old, new)]
    name = answer.entity.names[0]
    for _, target in counts[0] - counts[1]:
        raise UnwritableEdit(f"the text drops the link to “{target}” that the sentence has; keep its markup")
    added = list((counts[1] - counts[0]).elements())
    targets = {link.target for link in _links_in(place.link, answer.article)}
    rules = TitleRules(answer.article.language)
    leading = [key for key in added if key[1] in targets or rules.leads_to(key[1], answer.entity)]
    here = [link for link in new if (link.kind, link.target) in leading and written.overlaps(*_ends(link))]
    if not leading or not here:
        advice = f"; write {place.link} in it" if place.link else ""
        raise UnwritableEdit(f"the text has no link to “{name}”{advice}")
    if len(added) > 1:
        others = [target for key, target in added if (key, target) not in leading[:1]] or [name]
        raise UnwritableEdit(f"the text adds more than one link (also to “{others[0]}”); an edit adds one")
    return here[0]


def _links(article: Article) -> list[Link]:
    return [link for section in article.sections for link in section.links]


def _links_in(markup: str, article: Article) -> list[Link]:
    """Return the links of a small piece of markup in the page's markup and language."""
    if not markup:
        return []
    return _links(markup_kind(article.markup).parse(Page("", f"a {markup} b", article.markup, article.language)))


def _ends(link: Link) -> tuple[int, int]:
    return link.source.start, link.source.end
