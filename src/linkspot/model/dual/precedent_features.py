"""Features of precedents: how near each sentence is to where other languages' versions of the page link the target."""

from collections.abc import Sequence

import numpy as np

from linkspot.model.dual.feature_table import FEATURES
from linkspot.model.dual.page_view import Floats, PageView, around
from linkspot.model.dual.text_vectors import PageVectors
from linkspot.records import Precedent

# What is told of a precedent's place: the feature, and what it is called in a page and in a precedent.
_PLACES = (
    ("precedent_place", "place_in_page", "place"),
    ("precedent_section_place", "section_place", "section_place"),
    ("precedent_within_section", "place_in_section", "place_in_section"),
)


def precedent_features(
    page: PageView, vectors: PageVectors, precedents: Sequence[Precedent], read: Sequence[PageVectors]
) -> dict[str, Floats]:
    """Return them for every sentence of the page; `read` are the vectors of the precedents. Without any, all is 0."""
    if not precedents:
        return {name: np.zeros(page.size, np.float32) for name in FEATURES if name.startswith("precedent")}
    both = list(zip(precedents, (one.sentences for one in read), strict=True))
    before = [passage[one.linked - 1] for one, passage in both if one.linked > 0]
    after = [passage[one.linked + 1] for one, passage in both if one.linked + 1 < len(passage)]
    found = {
        "precedents": np.full(page.size, np.log1p(len(both)), np.float32),
        "precedent_sentence": _highest(vectors.sentences, [passage[one.linked] for one, passage in both]),
        "precedent_before": _highest(vectors.sentences, before),
        "precedent_after": _highest(vectors.sentences, after),
        "precedent_near": _highest(around(vectors.sentences, page), [passage.mean(axis=0) for _, passage in both]),
        "precedent_title": _highest(vectors.titles, [one.titles[0] for one in read])[page.section_of],
    }
    for name, own, theirs in _PLACES:
        found[name] = _nearness(page.still[own], [getattr(one, theirs) for one in precedents])
    size = np.full(page.size, np.log(max(1, page.size)), np.float32)
    found["precedent_size"] = _nearness(size, [float(np.log(one.size)) for one in precedents])
    return found


def _highest(vectors: Floats, others: Sequence[Floats]) -> Floats:
    """Return for each vector its highest product with one of the others: (n, H) → (n,)."""
    if not others:
        return np.zeros(len(vectors), np.float32)
    highest: Floats = (vectors @ np.stack(others, axis=1)).max(axis=1)
    return highest


def _nearness(values: Floats, others: Sequence[float]) -> Floats:
    """Return for each value how far it is from the nearest of the others, less than 0: (n,) → (n,)."""
    least: Floats = np.abs(values[:, None] - np.array(others, np.float32)).min(axis=1)
    return -least
