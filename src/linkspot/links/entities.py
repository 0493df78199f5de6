"""Entities: what a page is about in every language, as expressions on tables.

An entity's id is what the corpus, a file beside it or a user says, else what links between languages say. A page of
which nothing is said has an id of its own.
"""

import ibis
from ibis import _

from linkspot.links.identity import IdentifiedBy
from linkspot.links.redirects import addresses

_PAGE = ("language", "key", "id")
EVERY_LANGUAGE = "every language"  # the scope of facts that do not say the language


RANKS = {how: rank for rank, how in enumerate(IdentifiedBy)}
_COMPLETE = (RANKS[IdentifiedBy.ENTITIES], RANKS[IdentifiedBy.PAGE_PROPS])  # a page that these lack has no entity


def language_scope(language: str) -> str:
    """Return the scope of facts about the pages of a language, whatever wiki they are in."""
    return f"language {language}" if language else EVERY_LANGUAGE


def numbers_of_pages(pages: ibis.Table) -> ibis.Table:
    """Return `scope, name` of every page: the number that its wiki gives it."""
    return pages.select(*_PAGE, scope=_.wiki, name=ibis.literal("#") + pages.id)


def titles_of_pages(pages: ibis.Table, *scopes: ibis.Value) -> ibis.Table:
    """Return `scope, name` of every page: its title and its key in each scope."""
    names = [pages.select(*_PAGE, scope=scope, name=name) for scope in scopes for name in (pages.title, pages.key)]
    return ibis.union(*names)


def language_scopes(pages: ibis.Table) -> tuple[ibis.Value, ibis.Value]:
    """Return the scopes of facts about pages of a language: facts that say the language, and facts that do not."""
    return ibis.literal(language_scope("x").removesuffix("x")) + pages.language, ibis.literal(EVERY_LANGUAGE)


def said_ids(names: ibis.Table, facts: ibis.Table) -> ibis.Table:
    """Return `said, said_by` of every page whose id a file says: the id, and the rank of what says it."""
    ids = facts.filter(_.entity.notnull()).select("scope", "name", said=_.entity, said_by=_.rank)
    best = ibis.window(group_by=_PAGE, order_by=["said_by", "said"])
    joined = names.inner_join(ids, ["scope", "name"]).select(*_PAGE, "said", "said_by")
    return joined.mutate(number=ibis.row_number().over(best)).filter(_.number == 0).drop("number")


def language_links(pages: ibis.Table, facts: ibis.Table) -> ibis.Table:
    """Return `one, other`: the ids of two pages that a link between languages joins, each pair in both directions.

    Links to a redirect lead to the page behind it.
    """
    said = facts.filter(_.other_key.notnull()).select("scope", "name", "other_language", "other_key")
    named = numbers_of_pages(pages.filter(_.redirect == "")).inner_join(said, ["scope", "name"])
    named = named.select("language", "key", "other_language", "other_key")
    behind = addresses(pages).select(other_language=_.language, other_key=_.name, behind=_.key)
    ends = named.left_join(behind, ["other_language", "other_key"]).select(*named.columns, "behind")
    pairs = ends.select(
        one=ends.language + ":" + ends.key,
        other=ends.other_language + ":" + ibis.coalesce(ends.behind, ends.other_key),
    )
    pairs = pairs.filter(_.one != _.other)
    return pairs.union(pairs.select(one=_.other, other=_.one)).distinct()


def first_labels(links: ibis.Table) -> ibis.Table:
    """Return `page, label`: every page that has a language link, labelled with itself."""
    return links.select(page=_.one, label=_.one).distinct()


def spread_labels(labels: ibis.Table, links: ibis.Table) -> ibis.Table:
    """Return the labels after each page took the smallest of its own and its neighbours' labels."""
    of_other = labels.select(other=_.page, label=_.label)
    near = links.inner_join(of_other, "other").select(page=_.one, label=_.label)
    return labels.union(near).group_by("page").agg(label=_.label.min())


def joined_ids(labels: ibis.Table, pages: ibis.Table, said: ibis.Table) -> ibis.Table:
    """Return `joined` of every page with language links: the id that a page of its group has, else the group's label.

    A group with two pages of one language says nothing of any of them.
    """
    articles = _with_said(pages.filter(_.redirect == ""), said)
    articles = articles.mutate(page=articles.language + ":" + articles.key, shared=_shared_id(articles))
    known = labels.inner_join(articles.select(*_PAGE, "page", "shared"), "page").select(*_PAGE, "label", "shared")
    groups = known.group_by("label").agg(
        pages=_.count(), languages=_.language.nunique(), ids=_.shared.nunique(), shared=_.shared.min()
    )
    groups = groups.filter(_.pages == _.languages)
    groups = groups.select("label", joined=ibis.ifelse(groups.ids == 1, groups.shared, groups.label))
    return known.drop("shared").inner_join(groups, "label").select(*_PAGE, "joined")


def with_identities(pages: ibis.Table, said: ibis.Table | None = None, joined: ibis.Table | None = None) -> ibis.Table:
    """Return the pages with the id of what they are about in `entity`, and in `identified_by` what says so.

    If the wiki of a page has ids for others, a page without one has no entity, and its id is empty.
    """
    pages = _with_said(pages, said)
    if joined is None:
        pages = pages.mutate(joined=ibis.null("string"))
    else:
        pages = pages.left_join(joined, list(_PAGE)).select(*pages.columns, "joined")
    own = pages.entity.nullif("")
    is_said_first = pages.said_by < RANKS[IdentifiedBy.CORPUS]
    is_own = own.notnull() & ~own.startswith(pages.language + ":")
    is_complete = (is_own | pages.said_by.isin(_COMPLETE)).fill_null(False)
    has_ids = is_complete.cast("int8").max().over(ibis.window(group_by=["language", "wiki"])) > 0
    entity = ibis.cases(
        (is_said_first, pages.said),
        (own.notnull(), own),
        (pages.said.notnull(), pages.said),
        (pages.joined.notnull(), pages.joined),
        (has_ids, ""),
        else_=pages.language + ":" + pages.key,
    )
    by_rank = [(pages.said_by == rank, how.value) for how, rank in RANKS.items()]
    identified_by = ibis.cases(
        (is_said_first, ibis.cases(*by_rank)),
        (is_own & pages.wiki.isnull(), IdentifiedBy.SLUG.value),
        (is_own, IdentifiedBy.CORPUS.value),
        (own.notnull(), IdentifiedBy.TITLE.value),
        (pages.said.notnull(), ibis.cases(*by_rank)),
        (pages.joined.notnull(), IdentifiedBy.LANGLINKS.value),
        else_=IdentifiedBy.TITLE.value,
    )
    return pages.mutate(entity=entity, identified_by=identified_by).drop("wiki", "said", "said_by", "joined")


def _with_said(pages: ibis.Table, said: ibis.Table | None) -> ibis.Table:
    if said is None:
        return pages.mutate(said=ibis.null("string"), said_by=ibis.null("int64"))
    return pages.left_join(said, list(_PAGE)).select(*pages.columns, "said", "said_by")


def _shared_id(pages: ibis.Table) -> ibis.Value:
    """Return the id that the corpus or a file says, which pages in other languages may share; else null."""
    own = pages.entity.nullif("")
    shared_own = ibis.ifelse(own.startswith(pages.language + ":"), ibis.null("string"), own)
    return ibis.ifelse(pages.said_by < RANKS[IdentifiedBy.CORPUS], pages.said, ibis.coalesce(shared_own, pages.said))
