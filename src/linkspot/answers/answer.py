"""The answer to one question: where in this page does a link to this target belong?"""

from dataclasses import dataclass
from html import escape
from typing import Any

from linkspot.answers.notes import NO_LINK, how_sure, page_name, quotation
from linkspot.links.existing import ExistingLink
from linkspot.records import Article, Entity, Page, Place
from linkspot.text.display import displayed

_FRAME_HEIGHT = 480  # pixels, in a notebook


@dataclass(frozen=True, repr=False)
class Answer:
    """The places for one link in one page, best first, and what the user should know about them.

    In a notebook it shows itself as the page's text with the places shaded by score.

    Attributes:
        page: The page that gets the link.
        article: The same page, parsed.
        entity: The target of the link.
        ranker: The name of the ranker that scored the places.
        places: The best places first; empty if the answer is *nowhere*, unless they were asked for `anyway`.
        scores: One score for each candidate (sentence) of the page, in the page's order.
        existing: The links to the target that the page has already.
        notes: Sentences for people: the link is there already, nothing fits, the ranker is in doubt, the page's markup
            cannot link this target.
        nowhere: How likely the link belongs nowhere in the page, or None if the ranker has no probabilities.
        is_nowhere: Whether the answer is *nowhere*.
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

    def to_dict(self) -> dict[str, Any]:
        """Return the answer in plain dictionaries and lists: the shape of `linkspot suggest --format json`."""
        from linkspot.answers.json_shape import to_dict

        return to_dict(self)

    def to_html(self) -> str:
        """Return the answer as one HTML file that needs no other: the page's text with the places shaded by score."""
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
