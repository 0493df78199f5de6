"""One page of a live wiki as it is now: its wikitext, its language, and the titles that lead to it."""

from collections.abc import Sequence
from typing import Any

from linkspot.corpora.wiki.answer_parts import objects, page_list, part, text
from linkspot.corpora.wiki.api import NoWikiApi, Patience, Wiki
from linkspot.corpora.wiki_languages import language_of_wiki
from linkspot.errors import UnreadablePage, UnusableInput, without_password
from linkspot.records import Markup, Page

# Somebody waits for the answer, so a wiki that is busy or silent is soon given up.
_IMPATIENT = Patience(tries=2, longest_pause=5.0, silence=10.0, advice="try again later")
_MOST_REDIRECTS = 50  # of one page, which are names for it
_QUESTION = {
    "prop": "revisions|info|pageprops|redirects",
    "redirects": "1",
    "rvprop": "ids|content",
    "rvslots": "main",
    "ppprop": "wikibase_item",
    "rdprop": "title",
    "rdnamespace": "0",
    "rdlimit": str(_MOST_REDIRECTS),
}


def open_wiki(apis: Sequence[str], contact: str) -> Wiki:
    """Return the wiki whose API is at the first of these addresses that has one."""
    for api in apis:
        wiki = Wiki(api, contact, _IMPATIENT, maxlag=None)
        try:
            wiki.site  # noqa: B018 - what the wiki says of itself is kept
        except NoWikiApi:
            wiki.close()
        else:
            return wiki
    looked_at = without_password(" and ".join(apis))
    raise UnusableInput(f"there is no MediaWiki at {looked_at}; name the wiki's api.php with --wiki")


def live_page(wiki: Wiki, title: str, language: str = "") -> Page:
    """Return the current wikitext of a page; a redirect is followed, and its title is one of `redirects`.

    The language is what the wiki says, unless it is given.
    """
    answer = wiki.ask(_QUESTION | {"titles": title}) if "|" not in title else {}
    page = next(iter(page_list(answer)), {"missing": True})
    name = f"the page “{text(page, 'title') or title}” of {wiki.host}"
    if page.get("missing") or page.get("invalid") or page.get("special"):
        raise UnreadablePage(f"there is no {name.removeprefix('the ')}; check its title")
    slot = part(part(next(iter(objects(page, "revisions")), {}), "slots"), "main")
    if text(slot, "contentmodel") not in {"", Markup.WIKITEXT}:
        raise UnreadablePage(f"{name} is {text(slot, 'contentmodel')}; linkspot reads and edits its wikitext")
    if not isinstance(slot.get("content"), str):
        raise UnreadablePage(f"{name} has no text that everybody may read")
    return Page(
        text(page, "title"),
        slot["content"],
        Markup.WIKITEXT,
        language or language_of_wiki(wiki.site["wikiid"], text(page, "pagelanguage") or wiki.site["lang"]),
        entity=text(part(page, "pageprops"), "wikibase_item"),
        redirects=tuple(dict.fromkeys(filter(None, (*_followed(answer), *_titles(objects(page, "redirects")))))),
    )


def _followed(answer: dict[str, Any]) -> list[str]:
    """Return the titles of the redirects that were followed."""
    return [text(redirect, "from") for redirect in objects(part(answer, "query"), "redirects")]


def _titles(pages: list[dict[str, Any]]) -> list[str]:
    return [text(page, "title") for page in pages]
