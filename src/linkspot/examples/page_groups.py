"""Page groups: links that stand near each other in one page, so that a model reads the page once for all of them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from linkspot.examples.context_removal import ContextRemoval
from linkspot.examples.cuts import Cut, CutArticle
from linkspot.examples.dataset_reader import ExistingLinks, Key
from linkspot.examples.linked_example import LinkedExample
from linkspot.examples.removal_spots import Removal
from linkspot.records import Article, Entity


@dataclass(frozen=True, slots=True)
class Forgetting:
    """The shares of the targets that a model is shown without their lead, and with their title as the only name."""

    lead: float = 0.0
    mentions: float = 0.0

    def of(self, entity: Entity, draw: Random) -> Entity:
        """Return what is left of a target; a title always is."""
        if draw.random() < self.lead:
            entity = replace(entity, lead="")
        return replace(entity, mentions=()) if entity.title and draw.random() < self.mentions else entity


def page_groups(links: ExistingLinks, most: int, reach: int = 0, seed: int = 0) -> list[tuple[int, ...]]:
    """Return the numbers of all links in groups of one page, at most so many within a reach of so many sentences.

    Without a reach, a group may be of the whole page. Of more links within reach, the seed draws who goes together.
    """
    pages: defaultdict[Key, list[tuple[int, int]]] = defaultdict(list)
    for number in range(len(links)):
        page, sentence = links.place(number)
        pages[page].append((sentence, number))
    groups = []
    for page, places in pages.items():
        draw = Random(f"{seed}/{page}")
        for stretch in _stretches(sorted(places), reach):
            draw.shuffle(stretch)
            groups += [tuple(sorted(stretch[start : start + most])) for start in range(0, len(stretch), most)]
    return groups


def _stretches(places: Sequence[tuple[int, int]], reach: int) -> list[list[int]]:
    """Return the numbers of links by stretches of a page, given each with its sentence, in order."""
    stretches: list[list[int]] = []
    begin = 0
    for sentence, number in places:
        if not stretches or (reach and sentence - begin >= reach):
            stretches.append([])
            begin = sentence
        stretches[-1].append(number)
    return stretches


@dataclass(frozen=True, slots=True)
class TakenLink:
    """A link that was removed from a page, and the numbers of the right candidates in what is left."""

    linked: LinkedExample
    gold: tuple[int, ...]
    removal: Removal


def removed_together(
    linked: Sequence[LinkedExample], removal: ContextRemoval, draw: Random
) -> tuple[Article, list[TakenLink]]:
    """Return the page that is left when the context of several of its links is removed, and where each belongs in it.

    What is removed for one link changes wrong places of the others alike, so that nothing marks the answer. Where two
    removals would touch, the second is a milder one; a link whose own sentence is gone with another's is left out.
    """
    article = linked[0].article
    placed, cuts = [], []
    taken: set[tuple[int, int]] = set()
    for one in draw.sample(linked, len(linked)):
        for kind, cut, touched in _removals(one, article, removal.draw(draw), draw):
            if taken.isdisjoint(touched):
                taken |= touched
                placed.append((one, cut, kind))
                cuts += [cut] if kind is not Removal.NOTHING else []
                break
    page = CutArticle(article, tuple(cuts))
    return page.after, [TakenLink(one, page.seam(cut), kind) for one, cut, kind in placed]


def _removals(
    linked: LinkedExample, article: Article, wanted: Removal, draw: Random
) -> Iterator[tuple[Removal, Cut, set[tuple[int, int]]]]:
    """Yield the wanted removal, then milder ones, if they are possible, each with the sentences that it touches."""
    spot = linked.spot
    for kind in reversed(list(Removal)[1 : list(Removal).index(wanted) + 1]):
        cut = spot.cut(article, kind, draw)
        if cut is not None:
            yield kind, cut, cut.touches(article)
    whole = Cut(spot.section, spot.sentence, spot.sentence, spot.words)  # its seam is the link's own sentence
    yield Removal.NOTHING, whole, whole.touches(article)
