"""Features: from a page, an entity and their vectors to the numbers that the table of features names.

All are computed for all sentences of a page at once, from the page and the entity only. Shapes: n sentences, s
sections, H the encoder's dimensions.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from linkspot.model.dual.feature_table import COMPARED, FEATURES, NAMES, PAGE_NAMES
from linkspot.model.dual.page_view import Floats, PageView, around, best_of_sections, mean_of_ranges, path_of
from linkspot.model.dual.pca import Pca
from linkspot.model.dual.precedent_features import precedent_features
from linkspot.model.dual.text_vectors import MeanLengths, PageVectors, TargetVectors
from linkspot.records import Entity
from linkspot.text.bm25 import terms
from linkspot.text.mentions import Exactness, MentionFinder, known_names
from linkspot.text.words import fold, words

_MENTION_SCALE = 20
_SMALL = 1e-3  # so that equal values are not divided by 0


def features(
    page: PageView,
    vectors: PageVectors,
    entity: Entity,
    target: TargetVectors,
    pca: Pca | None = None,
    lengths: MeanLengths | None = None,
) -> Floats:
    """Return the features of every sentence, in the order of `NAMES`: (n, features); without a PCA its axes are 0.

    `lengths` are the page's, if they are already known.
    """
    names = known_names(entity, page.article.language) or entity.names
    columns = (
        page.still
        | _similarities(page, vectors, lengths or MeanLengths.of(page, vectors), target)
        | _mentions(page, names)
        | _shared_words(page, entity, names)
        | _order(page, names)
        | precedent_features(page, vectors, entity.precedents, target.precedents)
    )
    columns["target_mentions"] = np.full(page.size, np.log(len(names)), np.float32)
    columns["target_lead_length"] = np.full(page.size, np.log1p(len(entity.lead)), np.float32)
    plain, compared = (np.stack([columns[name] for name in names], axis=1) for names in (FEATURES, COMPARED))
    axes = pca or Pca.blank(len(target.names))
    directions = (axes.sentence(vectors.sentences), axes.title(vectors.titles)[page.section_of])
    return np.concatenate([plain, _compared(compared, page), *directions], axis=1).astype(np.float32)


def page_features(matrix: Floats) -> Floats:
    """Return what the features of all sentences say about the page, in the order of `PAGE_NAMES`."""
    columns = matrix[:, [NAMES.index(name) for name in COMPARED]]
    last = matrix[0, [NAMES.index(name) for name in PAGE_NAMES[2 * len(COMPARED) :]]]
    return np.concatenate([np.stack([columns.max(0), columns.mean(0)], axis=1).ravel(), last])


def _similarities(
    page: PageView, vectors: PageVectors, lengths: MeanLengths, target: TargetVectors
) -> dict[str, Floats]:
    both = np.stack([target.names, target.lead], axis=1)  # (H, 2)
    own = vectors.sentences @ both  # (n, 2)
    near = around(own, page) / lengths.near
    section = mean_of_ranges(own, page.first, page.last + 1) / lengths.section
    title = (vectors.titles @ both)[page.section_of]
    numbers = np.arange(page.size)
    mean = own.mean(axis=0, keepdims=True) / lengths.page
    columns = {
        "names_page": np.repeat(mean[0, 0], page.size),
        "lead_page": np.repeat(mean[0, 1], page.size),
        "names_before": own[np.maximum(page.first, numbers - 1), 0],
        "names_after": own[np.minimum(page.last, numbers + 1), 0],
    }
    for kind, values in (("similarity", own), ("near", near), ("section", section), ("title", title)):
        columns |= {f"names_{kind}": values[:, 0], f"lead_{kind}": values[:, 1]}
    return columns


def _mentions(page: PageView, names: Sequence[str]) -> dict[str, Floats]:
    finder = MentionFinder(names, page.article.language)
    best, length, is_link = (np.zeros(page.size, np.float32) for _ in range(3))
    for number, (index, sentence) in enumerate(page.article.sentences):
        mentions = finder.find(sentence.text)
        if mentions:
            section, offset = page.article.sections[index], sentence.start
            best[number] = max(mention.exactness for mention in mentions)
            length[number] = max(len(mention.span) for mention in mentions)
            is_link[number] = all(
                section.links_in(offset + mention.span.start, offset + mention.span.end) for mention in mentions
            )
    has = (best > 0).astype(np.float32)
    return {
        "mention_exact": (best >= Exactness.EXACT).astype(np.float32),
        "mention_folded": (best >= Exactness.FOLDED).astype(np.float32),
        "mention_near": has,
        "mention_length": length / (length + _MENTION_SCALE),
        "mention_is_link": is_link,
        "mention_is_first": has * (np.cumsum(has) == 1),
        "mention_around": around(has, page),
        "mentions_in_page": np.full(page.size, np.log1p(has.sum()), np.float32),
    }


def _shared_words(page: PageView, entity: Entity, names: Sequence[str]) -> dict[str, Floats]:
    language = page.article.language
    of_names = frozenset(word for name in names for word in words(name, language))
    idf = {word: page.index.idf(word) for word in of_names}
    total = sum(idf.values()) or 1.0
    shared = np.zeros(page.size, np.float32)
    for link in page.links:
        share = sum(idf[word] for word in link.words & of_names) / total
        shared[link.sentence] = max(shared[link.sentence], share)
    bm25_names = np.array(page.index.scores(terms(" ".join(names), language)), np.float32)
    bm25_lead = np.array(page.index.scores(terms(entity.lead, language)), np.float32)
    in_titles = np.array([len(title & of_names) / max(1, len(of_names)) for title in page.title_words], np.float32)
    return {
        "title_shared": in_titles[page.section_of],
        "bm25_names": np.log1p(bm25_names),
        "bm25_lead": np.log1p(bm25_lead),
        "bm25_near": around(np.log1p(bm25_names + bm25_lead), page),
        **_paths(page, entity),
        "link_words": shared,
        "link_words_near": around(shared, page),
        "link_words_section": mean_of_ranges(shared, page.first, page.last + 1),
    }


def _paths(page: PageView, entity: Entity) -> dict[str, Floats]:
    folder = path_of(entity.id or entity.title)[:-1]
    shared = np.zeros(page.size, np.float32)
    for link in page.links if folder else ():
        share = sum(part in link.path for part in folder) / len(folder)
        shared[link.sentence] = max(shared[link.sentence], share)
    return {
        "link_path": shared,
        "link_path_near": around(shared, page),
        "link_path_section": mean_of_ranges(shared, page.first, page.last + 1),
    }


def _order(page: PageView, names: Sequence[str]) -> dict[str, Floats]:
    """Return where the target belongs in alphabetical lists, and which sentences begin like it."""
    folded = [fold(name, page.article.language) for name in names]
    begins, before, after = (np.zeros(page.size, np.float32) for _ in range(3))
    for number, line in enumerate(page.beginnings):
        begins[number] = max(_shared_beginning(name, line) / len(name) for name in folded)
    for items, end in page.lists:
        lines = [page.beginnings[number] for number in items]
        sortedness = sum(a <= b for a, b in pairwise(lines)) / (len(lines) - 1)
        for name in folded:
            rank = bisect_right(lines, name)
            # An item may have lines of its own below it: the next item comes after the last of them.
            if rank > 0:
                before[items[rank] - 1 if rank < len(items) else end] = sortedness
            if rank < len(items):
                after[items[rank]] = sortedness
    return {"beginning_shared": begins, "order_before": before, "order_after": after}


def _shared_beginning(one: str, other: str) -> int:
    length = min(len(one), len(other)) if one[:1] == other[:1] else 0  # most differ in their first letter
    return next((index for index in range(length) if one[index] != other[index]), length)


def _compared(values: Floats, page: PageView) -> Floats:
    """Return features compared with the page's other sentences, in all ways of `COMPARISONS`.

    (n, k) → (n, k × comparisons), all ways of the first feature first.
    """
    higher = [len(own) - np.searchsorted(np.sort(own), own, side="right") for own in values.T]
    best, best_of_section = values.max(axis=0), best_of_sections(values, page)
    ways = [
        (values - values.mean(axis=0)) / (values.std(axis=0) + _SMALL),
        values - best,
        np.stack(higher, axis=1) / len(values),
        values - best_of_section,
        best_of_section - best,
    ]
    return np.stack(ways, axis=2).reshape(len(values), -1)
