"""The link graph: how many pages link to each page, and with which words, as expressions on tables."""

import ibis
from ibis import _

from linkspot.text.mentions import MOST_MENTIONS


def in_degrees(links: ibis.Table) -> ibis.Table:
    """Return `language, key, in_degree`: how many other pages link to a page in their prose.

    Links in navigation boxes, tables and notes do not count: no parser reports them.
    """
    pairs = links.select("language", "source_key", "target_key").distinct()
    return pairs.group_by("language", key=_.target_key).agg(in_degree=_.count())


def mention_counts(links: ibis.Table) -> ibis.Table:
    """Return `language, key, mention, count`: the words that links to a page show, exactly as written."""
    return links.group_by("language", "mention", key=_.target_key).agg(count=_.count())


def best_mentions(counts: ibis.Table, group: tuple[str, ...]) -> ibis.Table:
    """Return for each group of columns its most used mentions, the most used first, as one list `mentions`."""
    window = ibis.window(group_by=group, order_by=[ibis.desc("count"), "mention"])
    ranked = counts.mutate(rank=ibis.row_number().over(window)).filter(_.rank < MOST_MENTIONS)
    # Not every engine collects in order. So the rank is put before the words, and removed once they are sorted. It is
    # one digit as long as there are at most ten mentions.
    numbered = ranked.mutate(numbered=_.rank.cast("string") + _.mention)
    collected = numbered.group_by(*group).agg(numbered=_.numbered.collect())
    return collected.select(*group, mentions=_.numbered.sort().map(lambda words: words.substr(1)))
