"""Features of precedents: how near each sentence is to where other languages' versions of the page link the target."""

from collections.abc import Sequence

import numpy as np

from linkspot.model.dual.feature_table import FEATURES
from linkspot.model.dual.page_view import Floats, PageView, around
from linkspot.model.dual.text_vectors import PageVectors
from linkspot.records import Precedent

# Where a precedent's link is: the feature, and the field's name in a page and in a precedent.
_PLACES = (
    ("precedent_place", "place_in_page", "place"),
    ("precedent_section_place", "section_place", "section_place"),
    ("precedent_within_section", "place_in_section", "place_in_section"),
)


def precedent_features(
    page: PageView, vectors: PageVectors, precedents: Sequence[Precedent], read: Sequence[PageVectors]
) -> dict[str, Floats]:
    """Return the features of every sentence; `read` are the vectors of the precedents. Without precedents all are 0."""
    if not precedents:
        return {name: np.zeros(page.size, np.float32) for name in FEATURES if name.startswith("precedent")}
    pairs = list(zip(precedents, (passage.sentences for passage in read), strict=True))
    before = [passage[precedent.linked - 1] for precedent, passage in pairs if precedent.linked > 0]
    after = [passage[precedent.linked + 1] for precedent, passage in pairs if precedent.linked + 1 < len(passage)]
    columns = {
        "precedents": np.full(page.size, np.log1p(len(pairs)), np.float32),
        "precedent_sentence": _highest(vectors.sentences, [passage[precedent.linked] for precedent, passage in pairs]),
        "precedent_before": _highest(vectors.sentences, before),
        "precedent_after": _highest(vectors.sentences, after),
        "precedent_near": _highest(around(vectors.sentences, page), [passage.mean(axis=0) for _, passage in pairs]),
        "precedent_title": _highest(vectors.titles, [passage.titles[0] for passage in read])[page.section_of],
    }
    for name, own, theirs in _PLACES:
        columns[name] = _nearness(page.still[own], [getattr(precedent, theirs) for precedent in precedents])
    size = np.full(page.size, np.log(max(1, page.size)), np.float32)
    columns["precedent_size"] = _nearness(size, [float(np.log(precedent.size)) for precedent in precedents])
    return columns


def _highest(vectors: Floats, others: Sequence[Floats]) -> Floats:
    """Return for each vector its highest product with one of the others: (n, H) → (n,)."""
    if not others:
        return np.zeros(len(vectors), np.float32)
    highest: Floats = (vectors @ np.stack(others, axis=1)).max(axis=1)
    return highest


def _nearness(values: Floats, others: Sequence[float]) -> Floats:
    """Return for each value its distance to the nearest of the others, as a negative number: (n,) → (n,)."""
    least: Floats = np.abs(values[:, None] - np.array(others, np.float32)).min(axis=1)
    return -least
