"""Nothing about a right candidate tells that an editor touched it: no seam, no missing space, no missing neighbour."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from tests.surface import CHANCE, Row, joints, separability

from linkspot.corpora.corpus import CorpusSource
from linkspot.examples.candidates import Candidate, candidates
from linkspot.insertions.history import Added, judge
from linkspot.insertions.rules import HistoryRules
from linkspot.insertions.windows import windows
from linkspot.links.addresses import Naming
from linkspot.records import Article

REVISIONS = 5_000


@pytest.fixture(scope="module")
def insertions(shared_data: Path) -> list[Added]:
    dump = shared_data / "openttd" / "openttd-en-pages-meta-history.xml.xz"
    corpus = CorpusSource(dump).open()
    found = (judge(w, Naming(), HistoryRules()).added for w in windows(islice(corpus.revisions(), REVISIONS)))
    return [added for of_window in found for added in of_window if added.added.gold]


def _rows(insertions: list[Added], context: Callable[[Candidate, bool], str]) -> Iterator[Row]:
    for number, added in enumerate(insertions):
        article: Article = added.before
        for index, candidate in enumerate(candidates(article)):
            is_gold = index in added.added.gold
            yield number, is_gold, joints(candidate, context(candidate, is_gold))


@pytest.mark.shared_data
def test_no_classifier_tells_right_candidates_by_their_joints(insertions: list[Added]) -> None:
    assert len(insertions) > 100
    assert abs(separability(_rows(insertions, lambda candidate, _: candidate.context)) - 0.5) < CHANCE


@pytest.mark.shared_data
def test_the_classifier_would_tell_them_by_a_seam(insertions: list[Added]) -> None:
    def with_seam(candidate: Candidate, is_gold: bool) -> str:
        """Join the text around an insertion as a careless maker of data would: without a space."""
        end = candidate.sentence.end - candidate.start
        before, behind = candidate.context[:end], candidate.context[end:].lstrip()
        return (before.rstrip(".") + "." + behind[:1].upper() + behind[1:]) if is_gold and behind else candidate.context

    assert separability(_rows(insertions, with_seam)) > 0.7
