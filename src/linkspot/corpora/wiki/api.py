"""A live wiki, read by MediaWiki's API: its articles, their revisions, and the HTML and wikitext of each."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import version
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import httpx2

from linkspot.corpora.wiki.answer_parts import number, objects, page_list, part
from linkspot.corpora.wiki.http import BrokenAnswer, HttpAnswer, HttpClient
from linkspot.corpora.wiki.wiki_article import WikiArticle, WikiRevision
from linkspot.errors import BrokenRun, UnreadablePage, UnusableInput, first_line, without_password
from linkspot.limits import LIMITS, Limits

TITLES_A_CALL = 50  # MediaWiki's limit for ordinary users
_API = "/api.php"
_BUSY = frozenset({429, 502, 503, 504})
_SHOWN = 200  # characters of what a wiki says that a message shows
_BUSY_CODES = frozenset({"maxlag", "ratelimited", "readonly"})
_MOST_ANSWERS_WITHOUT_NEWS = 1_000  # a page with many redirects has some hundreds
_FACTS = {
    "prop": "info|revisions|redirects|pageprops",
    "inprop": "url",
    "rvprop": "ids|timestamp",
    "rdprop": "title",
    "rdlimit": "max",
    "ppprop": "wikibase_item",
}
_ALL_ARTICLES = {
    "generator": "allpages",
    "gapnamespace": "0",
    "gapfilterredir": "nonredirects",
    "gaplimit": str(TITLES_A_CALL),
}
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a busy wiki: how often to try, and the most seconds between two tries.

    `silence` is how many seconds a wiki may take for a sign of life, `advice` what to do when patience is at its end.
    """

    tries: int = 6
    longest_pause: float = 300.0
    sleep: Callable[[float], None] = time.sleep
    silence: float = 60.0
    advice: str = "run the same command later, it continues where it stopped"


class NoWikiApi(UnusableInput):
    """An address at which there is no API of MediaWiki."""


class Wiki:
    """A wiki, by the address of its api.php; it gets one request at a time.

    `contact` is a mail or web address at which its operators reach whoever runs this, as Wikimedia's rules demand.
    Work that nobody waits for makes way when the wiki's databases are more than `maxlag` seconds behind; None is for
    work that somebody waits for. `limits` says how large its answers may be, and how long they may take.
    """

    def __init__(
        self,
        api_url: str,
        contact: str,
        patience: Patience | None = None,
        maxlag: int | None = 5,
        limits: Limits = LIMITS,
    ) -> None:
        if not api_url.startswith(("http://", "https://")) or not api_url.endswith(_API):
            raise UnusableInput(
                f"{without_password(api_url)!r} is not the address of a wiki's API; expected one like https://sw.wikipedia.org/w/api.php"
            )
        if not contact.strip() or not contact.isascii() or not contact.isprintable():
            raise UnusableInput(
                f"{contact!r} does not say who asks, which wikis want to know; give a mail or web address as --contact"
            )
        self._api_url = api_url
        self._rest_url = api_url.removesuffix(_API) + "/rest.php/v1"
        self._patience = patience or Patience()
        self._always = {"action": "query", "format": "json", "formatversion": "2"}
        self._always |= {} if maxlag is None else {"maxlag": str(maxlag)}
        agent = f"linkspot/{version('linkspot')} ({contact.strip()}) httpx2/{httpx2.__version__}"
        self.rejects: Counter[str] = Counter()
        self._client = HttpClient(agent, self._patience.silence, limits)

    def __enter__(self) -> "Wiki":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    @property
    def host(self) -> str:
        """The host of the wiki, for people."""
        return urlsplit(self._api_url).hostname or ""

    @cached_property
    def site(self) -> dict[str, Any]:
        """What the wiki says of itself: `wikiid`, `lang`, `sitename`, … and its `statistics`."""
        about = part(self.ask({"meta": "siteinfo", "siprop": "general|statistics"}), "query")
        general, statistics = part(about, "general"), part(about, "statistics")
        if not isinstance(general.get("wikiid"), str) or not isinstance(general.get("lang"), str):
            raise UnusableInput(
                f"{without_password(self._api_url)} does not say its wiki's name and language; "
                "expected an address like https://sw.wikipedia.org/w/api.php"
            )
        articles = statistics.get("articles")
        return {**general, "statistics": {"articles": articles if isinstance(articles, int) else 0}}

    def articles(self) -> Iterator[WikiArticle]:
        """Yield every article in the order of titles, batch by batch; redirects are listed with their targets."""
        return self._articles(_ALL_ARTICLES)

    def articles_of(self, pages: Sequence[int]) -> dict[int, WikiArticle]:
        """Return pages as they are now by their ids, at most 50; those that do not exist are left out."""
        return {article.id: article for article in self._articles({"pageids": "|".join(map(str, pages))})}

    def _articles(self, which: dict[str, str]) -> Iterator[WikiArticle]:
        batch: dict[int, dict[str, Any]] = {}
        for answer in self._answers(which | _FACTS):
            for page in self._pages(answer):
                known = batch.setdefault(page["pageid"], page)
                if known is not page:  # a batch with many redirects comes in several answers
                    page["redirects"] = [*objects(known, "redirects"), *objects(page, "redirects")]
                    known.update(page)
            if answer.get("batchcomplete"):
                yield from map(WikiArticle.of, batch.values())
                batch = {}

    def revisions(self, title: str) -> Iterator[WikiRevision]:
        """Yield a page's revisions, the oldest first; nothing for a page that does not exist."""
        question = {"prop": "revisions", "titles": title, "rvprop": "ids|timestamp", "rvlimit": "max", "rvdir": "newer"}
        for answer in self._answers(question):
            for page in self._pages(answer):
                yield from map(WikiRevision.of, objects(page, "revisions"))

    def revision_at(self, page: int, time: datetime) -> WikiRevision | None:
        """Return the last revision of a page by a time; None if there was none."""
        start = f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        question = {"prop": "revisions", "pageids": str(page), "rvprop": "ids|timestamp", "rvlimit": "1"}
        answer = self.ask({**question, "rvdir": "older", "rvstart": start})
        revisions = (revision for known in self._pages(answer) for revision in objects(known, "revisions"))
        return next(map(WikiRevision.of, revisions), None)

    def wikitexts(self, revisions: Sequence[int]) -> dict[int, str]:
        """Return the wikitext of these revisions by their ids; deleted or hidden ones are left out."""
        texts: dict[int, str] = {}
        for start in range(0, len(revisions), TITLES_A_CALL):
            ids = "|".join(map(str, revisions[start : start + TITLES_A_CALL]))
            question = {"prop": "revisions", "revids": ids, "rvprop": "ids|content", "rvslots": "main"}
            for answer in self._answers(question):
                for revision in (revision for page in self._pages(answer) for revision in objects(page, "revisions")):
                    content = part(part(revision, "slots"), "main").get("content")
                    if isinstance(content, str):
                        texts[number(revision, "revid")] = content
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
        following: dict[str, Any] = {}
        asked: set[str] = set()
        pages: set[object] = set()
        without_news = 0
        while True:
            answer = self.ask(question | {name: str(value) for name, value in following.items()})
            yield answer
            following = part(answer, "continue")
            if not following:
                return
            news = {page.get("pageid") for page in page_list(answer) if isinstance(page.get("pageid"), int)} - pages
            pages |= news
            without_news = 0 if news else without_news + 1
            key = repr(sorted(following.items()))
            if key in asked or without_news > _MOST_ANSWERS_WITHOUT_NEWS:
                raise UnusableInput(
                    f"{without_password(self._api_url)} continues its answer without end; tell its operators"
                )
            asked.add(key)

    def _pages(self, answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the pages of an answer; one without its number or title is counted."""
        for page in page_list(answer):
            if isinstance(page.get("pageid"), int) and isinstance(page.get("title"), str):
                yield page
            elif not page.get("missing"):
                self.rejects["an article without a number or a title"] += 1

    def ask(self, question: dict[str, str]) -> dict[str, Any]:
        """Return the answer to a question of `action=query`, or its first part."""
        return self._get(self._api_url, self._always | question, _answer_in)

    def _get(self, url: str, parameters: dict[str, str], read: Callable[[HttpAnswer], T]) -> T:
        """Return what `read` makes of the answer; a busy or silent wiki is asked again after a pause."""
        fault, pause = "", 0.0
        for attempt in range(self._patience.tries):
            if attempt:
                self._patience.sleep(pause)
            fault, pause = "", 2.0**attempt
            try:
                answer = self._client.get(url, parameters)
                if answer.status not in _BUSY:
                    return read(answer)
                fault, pause = f"HTTP {answer.status}", _pause_in(answer, pause)
            except _Busy as busy:
                fault, pause = str(busy), _pause_in(answer, pause)
            except (httpx2.TransportError, BrokenAnswer) as error:
                fault = without_password(first_line(error))
            except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                raise UnusableInput(f"{without_password(url)} cannot be asked: {first_line(error)}") from None
            if pause > self._patience.longest_pause:
                fault += f", and asks for a pause of {pause:,.0f} s"
                break
        raise BrokenRun(f"{without_password(url)} does not answer ({fault}); {self._patience.advice}")


class _Busy(Exception):
    """The API's own way to say that it cannot answer now."""


def _pause_in(answer: HttpAnswer, otherwise: float) -> float:
    seconds = answer.headers.get("Retry-After", "")
    return float(seconds) if seconds.isdecimal() else otherwise


def _answer_in(response: HttpAnswer) -> dict[str, Any]:
    answer = response.json
    if answer is None:
        raise NoWikiApi(
            f"{response.url} is not an API of MediaWiki (HTTP {response.status}); "
            "expected an address like https://sw.wikipedia.org/w/api.php"
        )
    if answer.get("error") is None:
        return answer
    error = part(answer, "error")
    code, info = str(error.get("code", ""))[:_SHOWN], str(error.get("info", ""))[:_SHOWN]
    if code in _BUSY_CODES:
        raise _Busy(code)
    raise UnusableInput(f"{response.host} refuses to answer: {' '.join(info.split())} ({code})")


def _html_in(response: HttpAnswer) -> str:
    if response.status == httpx2.codes.OK:
        return response.text
    reason = response.json
    if response.status == httpx2.codes.NOT_FOUND and (reason is None or reason.get("errorKey") == "rest-no-match"):
        raise UnusableInput(
            f"{response.url} does not exist: the wiki gives no HTML of Parsoid; expected a MediaWiki with rest.php"
        )
    key = str((reason or {}).get("errorKey", "no reason given"))[:_SHOWN]
    raise UnreadablePage(f"{response.url} has no HTML: HTTP {response.status}, {key}")
