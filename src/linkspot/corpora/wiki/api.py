"""A live wiki, read by MediaWiki's API: its articles, their revisions, and the HTML and wikitext of each."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from importlib.metadata import version
from typing import Any, TypeVar
from urllib.parse import quote

import httpx2

from linkspot.corpora.corpus import time_of
from linkspot.errors import BrokenRun, UnreadablePage, UnusableInput

TITLES_A_CALL = 50  # MediaWiki's limit for ordinary users
_API = "/api.php"
_BUSY = frozenset({429, 502, 503, 504})
_BUSY_CODES = frozenset({"maxlag", "ratelimited", "readonly"})
_SECONDS_FOR_AN_ANSWER = 60.0
_ARTICLES = {
    "generator": "allpages",
    "gapnamespace": "0",
    "gapfilterredir": "nonredirects",
    "gaplimit": str(TITLES_A_CALL),
    "prop": "info|revisions|redirects|pageprops",
    "inprop": "url",
    "rvprop": "ids|timestamp",
    "rdprop": "title",
    "rdlimit": "max",
    "ppprop": "wikibase_item",
}
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a busy wiki: how often to try, and the most seconds between two tries."""

    tries: int = 6
    longest_pause: float = 300.0
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True, slots=True)
class WikiRevision:
    """One version of a page, without its text."""

    id: int
    time: datetime | None


@dataclass(frozen=True, slots=True)
class WikiArticle:
    """What a wiki says of an article besides its text; `entity` is its Wikidata id, where the wiki knows one."""

    title: str
    id: int
    revision: WikiRevision
    url: str
    language: str
    entity: str = ""
    redirects: tuple[str, ...] = ()


class Wiki:
    """A wiki, by the address of its api.php; it gets one request at a time.

    `contact` is a mail or web address at which its operators reach whoever runs this, as Wikimedia's rules demand.
    Work that nobody waits for makes way when the wiki's databases are more than `maxlag` seconds behind.
    """

    def __init__(self, api_url: str, contact: str, patience: Patience | None = None, maxlag: int = 5) -> None:
        if not api_url.startswith(("http://", "https://")) or not api_url.endswith(_API):
            raise UnusableInput(
                f"{api_url!r} is not the address of a wiki's API; expected one like https://sw.wikipedia.org/w/api.php"
            )
        if not contact.strip() or not contact.isascii() or not contact.isprintable():
            raise UnusableInput(
                f"{contact!r} does not say who asks, which wikis want to know; give a mail or web address as --contact"
            )
        self._api_url = api_url
        self._rest_url = api_url.removesuffix(_API) + "/rest.php/v1"
        self._patience = patience or Patience()
        self._always = {"action": "query", "format": "json", "formatversion": "2", "maxlag": str(maxlag)}
        agent = f"linkspot/{version('linkspot')} ({contact.strip()}) httpx2/{httpx2.__version__}"
        self._client = httpx2.Client(
            headers={"User-Agent": agent}, timeout=_SECONDS_FOR_AN_ANSWER, follow_redirects=True
        )

    def __enter__(self) -> "Wiki":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    @cached_property
    def site(self) -> dict[str, Any]:
        """What the wiki says of itself: `wikiid`, `lang`, `sitename`, … and its `statistics`."""
        about = self._ask({"meta": "siteinfo", "siprop": "general|statistics"})["query"]
        return {**about["general"], "statistics": about["statistics"]}

    def articles(self) -> Iterator[WikiArticle]:
        """Yield every article in the order of titles, batch by batch; redirects are listed with their targets."""
        batch: dict[int, dict[str, Any]] = {}
        for answer in self._answers(_ARTICLES):
            for page in _pages(answer):
                known = batch.setdefault(page["pageid"], page)
                if known is not page:  # a batch with many redirects comes in several answers
                    page["redirects"] = known.get("redirects", []) + page.get("redirects", [])
                    known.update(page)
            if answer.get("batchcomplete"):
                yield from map(_article, batch.values())
                batch = {}

    def revisions(self, title: str) -> Iterator[WikiRevision]:
        """Yield a page's revisions, the oldest first; nothing for a page that does not exist."""
        question = {"prop": "revisions", "titles": title, "rvprop": "ids|timestamp", "rvlimit": "max", "rvdir": "newer"}
        for answer in self._answers(question):
            for page in _pages(answer):
                yield from map(_revision, page.get("revisions", ()))

    def wikitexts(self, revisions: Sequence[int]) -> dict[int, str]:
        """Return the wikitext of these revisions by their ids; deleted or hidden ones are left out."""
        texts: dict[int, str] = {}
        for start in range(0, len(revisions), TITLES_A_CALL):
            ids = "|".join(map(str, revisions[start : start + TITLES_A_CALL]))
            question = {"prop": "revisions", "revids": ids, "rvprop": "ids|content", "rvslots": "main"}
            for answer in self._answers(question):
                for revision in (revision for page in _pages(answer) for revision in page.get("revisions", ())):
                    content = revision.get("slots", {}).get("main", {}).get("content")
                    if content is not None:
                        texts[revision["revid"]] = content
        return texts

    def page_html(self, title: str) -> str:
        """Return the HTML of a page as it is now, made by Parsoid."""
        return self._html(f"page/{quote(title.replace(' ', '_'), safe='')}/html")

    def revision_html(self, revision: int) -> str:
        """Return the HTML of one revision, made by Parsoid."""
        return self._html(f"revision/{revision}/html")

    def _html(self, path: str) -> str:
        return self._get(f"{self._rest_url}/{path}", {}, _html_in)

    def _answers(self, question: dict[str, str]) -> Iterator[dict[str, Any]]:
        """Yield the answer to a question, in as many parts as the wiki gives it."""
        following: dict[str, str] | None = {}
        while following is not None:
            answer = self._ask(question | following)
            yield answer
            following = answer.get("continue")

    def _ask(self, question: dict[str, str]) -> dict[str, Any]:
        return self._get(self._api_url, self._always | question, _answer_in)

    def _get(self, url: str, parameters: dict[str, str], read: Callable[[httpx2.Response], T]) -> T:
        """Return what `read` makes of the answer; a busy or silent wiki is asked again after a pause."""
        fault, pause = "", 0.0
        for attempt in range(self._patience.tries):
            if attempt:
                self._patience.sleep(pause)
            fault, pause = "", 2.0**attempt
            try:
                response = self._client.get(url, params=parameters or None)
                if response.status_code not in _BUSY:
                    return read(response)
                fault, pause = f"HTTP {response.status_code}", _pause_in(response, pause)
            except _Busy as busy:
                fault, pause = str(busy), _pause_in(response, pause)
            except httpx2.TransportError as error:
                fault = str(error) or type(error).__name__
            if pause > self._patience.longest_pause:
                fault += f", and asks for a pause of {pause:,.0f} s"
                break
        raise BrokenRun(f"{url} does not answer ({fault}); run the same command later, it continues where it stopped")


class _Busy(Exception):
    """The API's own way to say that it cannot answer now."""


def _pause_in(response: httpx2.Response, otherwise: float) -> float:
    seconds = response.headers.get("Retry-After", "")
    return float(seconds) if seconds.isdecimal() else otherwise


def _answer_in(response: httpx2.Response) -> dict[str, Any]:
    answer = _json_in(response)
    if answer is None:
        raise UnusableInput(
            f"{response.url.copy_with(query=None)} is not an API of MediaWiki (HTTP {response.status_code}); "
            "expected an address like https://sw.wikipedia.org/w/api.php"
        )
    error = answer.get("error")
    if error is not None and error.get("code") in _BUSY_CODES:
        raise _Busy(error["code"])
    if error is not None:
        raise UnusableInput(f"{response.url.host} refuses to answer: {error.get('info', '')} ({error.get('code', '')})")
    return answer


def _html_in(response: httpx2.Response) -> str:
    if response.status_code == httpx2.codes.OK:
        return response.text
    reason = _json_in(response)
    if response.status_code == httpx2.codes.NOT_FOUND and (reason is None or reason.get("errorKey") == "rest-no-match"):
        raise UnusableInput(
            f"{response.url} does not exist: the wiki gives no HTML of Parsoid; expected a MediaWiki with rest.php"
        )
    key = (reason or {}).get("errorKey", "no reason given")
    raise UnreadablePage(f"{response.url} has no HTML: HTTP {response.status_code}, {key}")


def _json_in(response: httpx2.Response) -> dict[str, Any] | None:
    try:
        answer = response.json()
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _pages(answer: dict[str, Any]) -> list[dict[str, Any]]:
    pages: list[dict[str, Any]] = answer.get("query", {}).get("pages", [])
    return pages


def _revision(revision: dict[str, Any]) -> WikiRevision:
    return WikiRevision(revision["revid"], time_of(revision.get("timestamp", "")))


def _article(page: dict[str, Any]) -> WikiArticle:
    return WikiArticle(
        page["title"],
        page["pageid"],
        _revision(page["revisions"][0] if "revisions" in page else {"revid": page.get("lastrevid", 0)}),
        page.get("canonicalurl") or page.get("fullurl", ""),
        page.get("pagelanguage", ""),
        page.get("pageprops", {}).get("wikibase_item", ""),
        tuple(redirect["title"] for redirect in page.get("redirects", ())),
    )
