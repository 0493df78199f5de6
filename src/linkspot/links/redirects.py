"""Redirects: from every name that links use to the page that it leads to, as expressions on tables."""

import ibis
from ibis import _

_DOUBLINGS = 3  # each doubles the length of the chains that are followed: eight redirects in a row


def addresses(pages: ibis.Table) -> ibis.Table:
    """Return `language, name, key`: a page's own key, its aliases, and the redirects that end at it.

    A chain of redirects is followed to its end; one that runs in a circle leads nowhere and is left out. Where one name
    stands for several pages, the page of that name comes first, then an alias, then a redirect.
    """
    articles = pages.filter(_.redirect == "")
    own = articles.select("language", name=_.key, key=_.key, rank=ibis.literal(0))
    aliases = articles.select("language", name=_.aliases.unnest(), key=_.key, rank=ibis.literal(1))
    redirects = redirect_ends(pages).select("language", "name", key=_.end, rank=ibis.literal(2))
    redirects = redirects.semi_join(own, [redirects.language == own.language, redirects.key == own.name])
    every = own.union(aliases).union(redirects)
    window = ibis.window(group_by=["language", "name"], order_by=["rank", "key"])
    return every.mutate(place=ibis.row_number().over(window)).filter(_.place == 0).select("language", "name", "key")


def redirect_ends(pages: ibis.Table) -> ibis.Table:
    """Return `language, name, target, end` of every redirect: where it points, and where the chain of them ends.

    The end of a circle is some redirect in it, which is no article's key.
    """
    redirects = pages.filter(_.redirect != "").select("language", name=_.key, target=_.redirect, end=_.redirect)
    redirects = redirects.distinct(on=["language", "name"], keep="first")
    for _doubling in range(_DOUBLINGS):
        onward = redirects.select(language_=_.language, name_=_.name, end_=_.end)
        joined = redirects.left_join(onward, [redirects.language == onward.language_, redirects.end == onward.name_])
        redirects = joined.select("language", "name", "target", end=ibis.coalesce(joined.end_, joined.end))
    return redirects


def unique_tails(pages: ibis.Table) -> ibis.Table:
    """Return `language, tail, key`: last names that only one page has, whatever folder it is filed in."""
    tails = pages.filter((_.redirect == "") & _.tail.notnull())
    counted = tails.group_by("language", "tail").agg(key=tails.key.min(), pages=tails.count())
    return counted.filter(_.pages == 1).select("language", "tail", "key")


def resolve(links: ibis.Table, names: ibis.Table, tails: ibis.Table) -> ibis.Table:
    """Return the links with the key of the page that `target` leads to, or that `target_tail` alone names.

    The new column `target_key` is null where no page has that name.
    """
    names = names.select(language_=names.language, name_=names.name, exact_=names.key)
    tails = tails.select(language_=tails.language, tail_=tails.tail, moved_=tails.key)
    found = links.left_join(names, [links.language == names.language_, links.target == names.name_])
    found = found.select(*links.columns, "exact_")
    found = found.left_join(tails, [found.language == tails.language_, found.target_tail == tails.tail_])
    return found.select(*links.columns, target_key=ibis.coalesce(found.exact_, found.moved_))
