"""One page of a live wiki as it is now: its wikitext, its language, and the titles that lead to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from linkspot.corpora.wiki.answer_parts import number, objects, page_list, part, text
from linkspot.corpora.wiki.api import NoWikiApi, Patience, Wiki
from linkspot.corpora.wiki_languages import language_of_wiki
from linkspot.errors import UnreadablePage, UnusableInput, without_password
from linkspot.records import Markup, Page

# Somebody waits for the answer, so a wiki that is busy or silent is soon given up.
IMPATIENT = Patience(tries=2, longest_pause=5.0, silence=10.0, advice="try again later")
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
        wiki = Wiki(api, contact, IMPATIENT, maxlag=None)
        try:
            wiki.site  # noqa: B018 - what the wiki says of itself is kept
        except NoWikiApi:
            wiki.close()
        else:
            return wiki
    looked_at = without_password(" and ".join(apis))
    raise UnusableInput(f"there is no MediaWiki at {looked_at}; name the wiki's api.php with --wiki")


@dataclass(frozen=True, slots=True)
class LivePage:
    """A page of a live wiki with its number there, and the revision that was read."""

    page: Page
    page_id: int
    revision: int


def live_page(wiki: Wiki, title: str, language: str = "") -> Page:
    """Return the current wikitext of a page; a redirect is followed, and its title is one of `redirects`.

    The language is what the wiki says, unless it is given.
    """
    question = {"titles": title} if "|" not in title else {}
    return _read(wiki, question, f"“{title}”", language).page


def live_revision(wiki: Wiki, title: str = "", page_id: int = 0, revision: int = 0, language: str = "") -> LivePage:
    """Return a page by its revision, its number or its title, whichever is given first in this order.

    A title or a number that is given besides has to be that of the page.
    """
    if revision:
        read = _read(wiki, {"revids": str(revision)}, f"revision {revision}", language)
    elif page_id:
        read = _read(wiki, {"pageids": str(page_id)}, f"number {page_id}", language)
    else:
        return _read(wiki, {"titles": title} if "|" not in title else {}, f"“{title}”", language)
    if page_id not in {0, read.page_id}:
        raise UnreadablePage(f"revision {revision} of {wiki.host} is one of page {read.page_id}, not of {page_id}")
    return read


def _read(wiki: Wiki, which: dict[str, str], asked: str, language: str) -> LivePage:
    answer = wiki.ask(_QUESTION | which) if which else {}
    page = next(iter(page_list(answer)), {"missing": True})
    title = text(page, "title")
    name = f"the page {f'“{title}”' if title else asked} of {wiki.host}"
    if page.get("missing") or page.get("invalid") or page.get("special"):
        raise UnreadablePage(f"there is no {name.removeprefix('the ')}; check its title")
    revision = next(iter(objects(page, "revisions")), {})
    slot = part(part(revision, "slots"), "main")
    if text(slot, "contentmodel") not in {"", Markup.WIKITEXT}:
        raise UnreadablePage(f"{name} is {text(slot, 'contentmodel')}; linkspot reads and edits its wikitext")
    if not isinstance(slot.get("content"), str):
        raise UnreadablePage(f"{name} has no text that everybody may read")
    read = Page(
        title,
        slot["content"],
        Markup.WIKITEXT,
        language or language_of_wiki(wiki.site["wikiid"], text(page, "pagelanguage") or wiki.site["lang"]),
        entity=text(part(page, "pageprops"), "wikibase_item"),
        redirects=tuple(dict.fromkeys(filter(None, (*_followed(answer), *_titles(objects(page, "redirects")))))),
    )
    return LivePage(read, number(page, "pageid"), number(revision, "revid"))


def _followed(answer: dict[str, Any]) -> list[str]:
    """Return the titles of the redirects that were followed."""
    return [text(redirect, "from") for redirect in objects(part(answer, "query"), "redirects")]


def _titles(pages: list[dict[str, Any]]) -> list[str]:
    return [text(page, "title") for page in pages]
