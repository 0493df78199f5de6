"""Context removal for windows: one draw decides what is removed from the right candidate and from every negative."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

from linkspot.errors import UnusableInput
from linkspot.examples.candidates import Candidate, candidate_at, candidates
from linkspot.examples.context_removal import ContextRemoval
from linkspot.examples.cuts import CutArticle
from linkspot.examples.linked_example import LinkedExample
from linkspot.examples.negatives import NEGATIVES, TRIES, Elsewhere, WindowProblem
from linkspot.examples.removal_spots import Removal, RemovalSpot, words_in
from linkspot.records import Article
from linkspot.source_map import Span


@dataclass(frozen=True, slots=True)
class WindowRemoval:
    """What is removed from each candidate of a link, by itself: every window has one removal at most."""

    linked: LinkedExample
    wanted: Removal
    draw: Random

    def treated(self, candidate: Candidate, words: Span) -> Candidate:
        """Return the candidate that is left where these words of its sentence were the link.

        A removal that would leave nothing becomes a milder one. Where sentences were removed, a sentence beside them is
        the candidate.
        """
        page = Article("", self.linked.article.language, (candidate.section,))
        _, cut = RemovalSpot(0, candidate.sentence_index, words).possible_cut(page, self.wanted, self.draw)
        if cut is None:
            return candidate
        after = CutArticle(page, (cut,))
        index = self.draw.choice(after.seam(cut))
        return candidate_at(after.after.sections[0], index, candidate.section_index)

    def negatives(self, drawn: Iterable[Candidate]) -> Iterator[Candidate]:
        """Yield drawn candidates, treated; none names the target, before its treatment or after."""
        finder, length = self.linked.finder, self.linked.word_count
        for candidate in drawn:
            if not finder.find(candidate.context):
                words = words_in(candidate.section, candidate.sentence_index, length, self.draw)
                negative = self.treated(candidate, words)
                if not finder.find(negative.context):
                    yield negative


def removed_windows(
    linked: LinkedExample,
    draw: Random,
    count: int = NEGATIVES,
    *,
    elsewhere: Elsewhere,
    settings: ContextRemoval | None = None,
) -> WindowProblem:
    """Draw a removal for a link, make it at the right place and, likewise, at every negative.

    The negatives come from the page as it was, then from other pages.
    """
    if count < 1:
        raise UnusableInput(f"a window is trained against {count} negatives; expected 1 or more")
    removal = WindowRemoval(linked, (settings or ContextRemoval()).draw(draw), draw)
    page = candidates(linked.article)
    positive = removal.treated(page[linked.sentence], linked.mention)
    others = [candidate for number, candidate in enumerate(page) if number != linked.sentence]
    draw.shuffle(others)
    negatives = list(islice(removal.negatives(others), count))
    missing = count - len(negatives)
    for negative in removal.negatives(elsewhere(draw) for _ in range(TRIES * missing)):
        if len(negatives) < count and negative not in negatives:
            negatives.append(negative)
    sections = list(linked.article.sections)
    sections[positive.section_index] = positive.section
    source = replace(linked.article, sections=tuple(sections))
    return WindowProblem(linked.entity, positive, tuple(negatives), count - len(negatives), source)
