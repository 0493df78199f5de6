"""Target names: the names that links use for the same page, and how often a page links to it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkspot.tables.mapped_table import MappedTable
from linkspot.tables.schemas import Row

Names = frozenset[str]
Target = tuple[str, str, str]  # corpus, language, key


def target_of(row: Row) -> Target:
    """Return the target of a link, given the link's row."""
    return row["corpus"], row["language"], row["target_key"]


def names_of_targets(links: MappedTable) -> dict[Target, Names]:
    """Return for each target of a table of links its key and the redirects that links use for it."""
    names: defaultdict[Target, set[str]] = defaultdict(set)
    for _, batch in links.batches():
        columns = (batch.column(name).to_pylist() for name in ("corpus", "language", "target_key"))
        targets = list(zip(*columns, strict=True))
        for target in targets:
            names[target].add(target[2])
        in_context = batch.column("context_links")
        owner = pc.list_parent_indices(in_context).to_numpy()
        starts = pc.struct_field(in_context.flatten(), "start").to_numpy()
        is_own = starts == batch.column("mention_start").to_numpy()[owner]
        aliases = pc.struct_field(in_context.flatten(), "target").filter(pa.array(is_own)).to_pylist()
        for link, alias in zip(owner[is_own].tolist(), aliases, strict=True):
            names[targets[link]].add(alias)
    return {target: frozenset(own_names) for target, own_names in names.items()}


def counts_of_links(
    articles: MappedTable, links: Mapping[int, Sequence[tuple[int, Names]]]
) -> Iterator[tuple[int, int]]:
    """Yield for each link its number and how often its article links to the same target, by any of its names.

    `links` has the numbers of links and the names of their targets, by the row of the article.
    """
    for begin, batch in articles.batches():
        for row, linked in enumerate(_targets(batch), begin):
            if row in links:
                counts = Counter(linked)
                for number, names in links[row]:
                    yield number, sum(counts[name] for name in names)


def _targets(batch: pa.RecordBatch) -> Iterator[list[str]]:
    """Yield for each article of a batch the targets of its links, without reading its text."""
    sections = batch.column("sections")
    links = pc.struct_field(sections.flatten(), "links")
    owner = pc.list_parent_indices(sections).to_numpy()[pc.list_parent_indices(links).to_numpy()]
    targets = pc.struct_field(links.flatten(), "target").to_pylist()
    borders = np.searchsorted(owner, np.arange(batch.num_rows + 1)).tolist()
    return (targets[first:last] for first, last in pairwise(borders))
