"""The answer to one question: where in this page does a link to this target belong?"""

from dataclasses import dataclass
from html import escape
from typing import Any

from linkspot.answers.notes import NO_LINK, how_sure, page_name, quotation
from linkspot.answers.page_kind import PageKind
from linkspot.links.existing import ExistingLink
from linkspot.records import Article, Entity, Page, Place
from linkspot.text.display import displayed

_FRAME_HEIGHT = 480  # pixels, in a notebook


@dataclass(frozen=True, repr=False)
class Answer:
    """The places for one link in one page, best first, and what the user should know about them.

    In a notebook it shows itself as the page's text, shaded by probability, under the places.

    Attributes:
        page: The page that gets the link.
        article: The same page, parsed.
        entity: The target of the link.
        ranker: The name of the ranker that scored the places.
        places: The best places first; empty if the answer is *nowhere*, or the page has the link already, unless they
            were asked for `anyway`.
        scores: One score for each candidate (sentence) of the page, in the page's order.
        existing: The links to the target that the page has already.
        notes: Sentences for people, the most important first: the link is there already, nothing fits, what kind of
            page it is, the ranker is in doubt, the page's markup cannot link this target.
        nowhere: How likely the link belongs nowhere in the page, or None if the ranker has no probabilities.
        is_nowhere: Whether the answer is *nowhere*.
        kind: What the page mostly is: an article, a stub, a list, a redirect, or empty.
        probabilities: How likely each candidate is the right place, in the page's order, 0 for those that are closed;
            empty if the ranker has no probabilities.
        closed: The numbers of the candidates that take no link, such as those in references and external links.
    """

    page: Page
    article: Article
    entity: Entity
    ranker: str
    places: tuple[Place, ...]
    scores: tuple[float, ...]
    existing: tuple[ExistingLink, ...] = ()
    notes: tuple[str, ...] = ()
    nowhere: float | None = None
    is_nowhere: bool = False
    kind: PageKind = PageKind.ARTICLE
    probabilities: tuple[float, ...] = ()
    closed: frozenset[int] = frozenset()

    def edited(self, place: int = 1, text: str = "") -> str:
        """Return the page's markup with the edit made at one place, 1 for the best.

        Where words are linked, the edit is finished. For `add_to_sentence`, `text` is the whole sentence, rewritten
        with the link in it; for `add_sentence`, the new sentence. Both are in the page's markup. The edited page is
        read again: it has exactly one link more, which leads to the target, and its other text is what it was;
        otherwise a `LinkspotError` says what is wrong.
        """
        from linkspot.answers.page_edit import page_edit

        return page_edit(self, place, text).after

    def diff(self, place: int = 1, text: str = "", path: str = "") -> str:
        """Return the edit of `edited` as a unified diff that `git apply` and `patch -p1` take.

        `path` is the file that it changes, from the folder where it is applied; by default the page's title with the
        ending of its markup.
        """
        from linkspot.answers.page_edit import file_name, page_edit

        return page_edit(self, place, text).diff(path or file_name(self.page))

    def to_dict(self) -> dict[str, Any]:
        """Return the answer in plain dictionaries and lists: the shape of `linkspot suggest --format json`."""
        from linkspot.answers.json_shape import to_dict

        return to_dict(self)

    def to_html(self) -> str:
        """Return the answer as one HTML file that needs no other: the places, and the page shaded by probability."""
        from linkspot.answers.web_page import to_html

        return to_html(self)

    def __repr__(self) -> str:
        lines = [f"<Answer: “{self.entity.names[0]}” in {page_name(self.article)}, ranker {self.ranker}"]
        for rank, place in enumerate(self.places, start=1):
            lines.append(f"  {rank}. {how_sure(place)} {place.action} {place.link or NO_LINK} {quotation(place.text)}")
        return "\n".join(map(displayed, [*lines, *(f"  {note}" for note in self.notes)])) + ">"

    def _repr_html_(self) -> str:
        # In a frame, so that the page's styles and the notebook's do not change one another.
        page = escape(self.to_html())
        return f'<iframe srcdoc="{page}" style="width: 100%; height: {_FRAME_HEIGHT}px; border: 0"></iframe>'
