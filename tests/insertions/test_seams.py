"""Nothing about a right candidate tells that an editor touched it: no seam, no missing space, no missing neighbour."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from linkspot.corpora.corpus import CorpusSource
from linkspot.examples.candidates import Candidate, candidates
from linkspot.insertions.history import Added, HistoryRules, judge
from linkspot.insertions.windows import windows
from linkspot.links.addresses import Naming
from linkspot.records import Article

REVISIONS = 5_000
CHANCE = 0.03  # how far from .5 a classifier without a clue may end

_JOINED = re.compile(r"[.!?][A-Z]")
_WIDE = re.compile(r"[^\S\n]{2}")


def _features(candidate: Candidate, context: str) -> list[float]:
    """What can be seen of a text's joints without reading it."""
    section = candidate.section
    expected = min(len(section.sentences), candidate.sentence_index + 6) - max(0, candidate.sentence_index - 5)
    return [
        len(_JOINED.findall(context)),
        len(_WIDE.findall(context)),
        context != context.strip(),
        expected - (candidate.last - candidate.first + 1),
    ]


@pytest.fixture(scope="module")
def insertions(shared_data: Path) -> list[Added]:
    dump = shared_data / "openttd" / "openttd-en-pages-meta-history.xml.xz"
    corpus = CorpusSource(dump).open()
    found = (judge(w, Naming(), HistoryRules()).added for w in windows(islice(corpus.revisions(), REVISIONS)))
    return [added for of_window in found for added in of_window if added.added.gold]


def _rows(
    insertions: list[Added], context: Callable[[Candidate, bool], str]
) -> Iterator[tuple[int, bool, list[float]]]:
    for number, added in enumerate(insertions):
        article: Article = added.before
        for index, candidate in enumerate(candidates(article)):
            is_gold = index in added.added.gold
            yield number, is_gold, _features(candidate, context(candidate, is_gold))


def _separability(insertions: list[Added], context: Callable[[Candidate, bool], str]) -> float:
    """Train a linear classifier on half of the pages; return how well it orders the other half (area under curve)."""
    numbers, gold, features = zip(*_rows(insertions, context), strict=True)
    x = np.c_[np.array(features, float), np.ones(len(features))]
    y, is_train = np.array(gold), np.array(numbers) % 2 == 0
    weights = np.where(y, 1 / y.mean(), 1 / (1 - y.mean()))[is_train]
    # Least squares with both classes of equal weight: as trivial as a classifier gets.
    root = np.sqrt(weights)[:, None]
    solution, *_ = np.linalg.lstsq(x[is_train] * root, (2.0 * y[is_train] - 1) * root[:, 0], rcond=None)
    scores = np.round(x[~is_train] @ solution, 9)
    right, wrong = scores[y[~is_train]], np.sort(scores[~y[~is_train]])
    below = np.searchsorted(wrong, right, "left")
    ties = np.searchsorted(wrong, right, "right") - below
    return float((below + ties / 2).mean() / len(wrong))


@pytest.mark.shared_data
def test_no_classifier_tells_right_candidates_by_their_joints(insertions: list[Added]) -> None:
    assert len(insertions) > 100
    assert abs(_separability(insertions, lambda candidate, _: candidate.context) - 0.5) < CHANCE


@pytest.mark.shared_data
def test_the_classifier_would_tell_them_by_a_seam(insertions: list[Added]) -> None:
    def with_seam(candidate: Candidate, is_gold: bool) -> str:
        """Join the text around an insertion as a careless maker of data would: without a space."""
        end = candidate.sentence.end - candidate.start
        before, behind = candidate.context[:end], candidate.context[end:].lstrip()
        return (before.rstrip(".") + "." + behind[:1].upper() + behind[1:]) if is_gold and behind else candidate.context

    assert _separability(insertions, with_seam) > 0.7
