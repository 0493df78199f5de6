"""Redirects: from every name that links use to the page behind it, as expressions on tables."""

import ibis
from ibis import _

_DOUBLINGS = 3  # each doubles the length of the chains that are followed: eight redirects in a row


def addresses(pages: ibis.Table) -> ibis.Table:
    """Return `language, name, key`: a page's own key, its aliases, and the redirects that end at it.

    A chain of redirects is followed to its end; a circle leads nowhere and is left out. If one name stands for several
    pages, the page of that name wins over an alias, and an alias over a redirect.
    """
    articles = pages.filter(_.redirect == "")
    own = articles.select("language", name=_.key, key=_.key, rank=ibis.literal(0))
    aliases = articles.select("language", name=_.aliases.unnest(), key=_.key, rank=ibis.literal(1))
    redirects = redirect_ends(pages).select("language", "name", key=_.end, rank=ibis.literal(2))
    redirects = redirects.semi_join(own.select("language", "name"), ["language", ("key", "name")])
    all_names = own.union(aliases).union(redirects)
    window = ibis.window(group_by=["language", "name"], order_by=["rank", "key"])
    numbered = all_names.mutate(number=ibis.row_number().over(window))
    return numbered.filter(_.number == 0).select("language", "name", "key")


def redirect_ends(pages: ibis.Table) -> ibis.Table:
    """Return `language, name, target, end` of every redirect: where it points, and where the chain of redirects ends.

    The end of a circle is one of its redirects, which is not the key of an article.
    """
    redirects = pages.filter(_.redirect != "").select("language", name=_.key, target=_.redirect, end=_.redirect)
    redirects = redirects.distinct(on=["language", "name"], keep="first")
    for _doubling in range(_DOUBLINGS):
        onward = redirects.select("language", onward=_.name, farther=_.end).view()
        joined = redirects.left_join(onward, ["language", ("end", "onward")]).select(*redirects.columns, "farther")
        redirects = joined.select("language", "name", "target", end=ibis.coalesce(_.farther, _.end))
    return redirects


def unique_tails(pages: ibis.Table) -> ibis.Table:
    """Return `language, tail, key`: the tails (last names) that only one page has, whatever its folder."""
    tails = pages.filter((_.redirect == "") & _.tail.notnull())
    counted = tails.group_by("language", "tail").agg(key=tails.key.min(), pages=tails.count())
    return counted.filter(_.pages == 1).select("language", "tail", "key")


def resolve(links: ibis.Table, names: ibis.Table, tails: ibis.Table) -> ibis.Table:
    """Return the links with the key of the page that `target` leads to, or that `target_tail` alone names.

    The new column `target_key` is null where no page has that name.
    """
    names = names.select("language", "name", exact=_.key)
    tails = tails.select("language", "tail", moved=_.key)
    joined = links.left_join(names, ["language", ("target", "name")]).select(*links.columns, "exact")
    joined = joined.left_join(tails, ["language", ("target_tail", "tail")])
    joined = joined.select(*links.columns, "exact", "moved")
    return joined.select(*links.columns, target_key=ibis.coalesce(_.exact, _.moved))
