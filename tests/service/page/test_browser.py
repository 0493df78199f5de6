"""The page in a real Chromium, with a real MediaWiki behind it: from the question to the edit that was saved."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from tests.end_to_end.mediawiki import LiveWiki
from tests.service.page.browser_service import served_page
from tests.service.small_wiki import PAGES

from linkspot.corpora.wiki.api import Wiki
from linkspot.service.decisions.decision import Decision
from linkspot.service.decisions.store import DecisionStore

if TYPE_CHECKING:
    from playwright import sync_api as playwright

PHONE = {"width": 390, "height": 844}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PATIENCE = 120_000  # milliseconds; the machine may be busy
EVIL = "<img src=x onerror='ran=1'></script><script>ran=1</script> \u202e${x} {{PLURAL:$1|a}} [[x]] 'quo\"te"
PASTED = f"Dhows sail far. The {EVIL} monsoon fills their sails.\n\n== {EVIL} ==\nCloves came by sea."


@pytest.fixture(scope="module")
def browser(needs: Callable[..., None]) -> "Iterator[playwright.Browser]":
    """A Chromium."""
    needs("chromium")
    from docs.browser import open_browser

    with open_browser() as chromium:
        yield chromium


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of the service's decisions."""
    return str(tmp_path_factory.mktemp("decisions") / "decisions.sqlite")


@pytest.fixture(scope="module")
def address(edited_wiki: LiveWiki, database: str) -> Iterator[str]:
    """The service, which may read the wiki."""
    with served_page(database, (edited_wiki.api_url,)) as address:
        yield address


class Tab:
    """A tab of a visitor of their own; it writes down what its page complains about and asks other hosts."""

    def __init__(self, browser: "playwright.Browser", address: str, **options: Any) -> None:
        self.context = browser.new_context(reduced_motion="reduce", **{"locale": "en-GB", **options})
        self.context.set_default_timeout(PATIENCE)
        self.address, self.complaints, self.strangers = address, list[str](), list[str]()
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self._note(message.text, message.type))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._note_request(request.url))

    def open(self, path: str = "/page", **query: str) -> "playwright.Page":
        self.page.goto(f"{self.address}{path}" + (f"?{urlencode(query)}" if query else ""))
        return self.page

    def _note(self, text: str, kind: str) -> None:
        is_refusal = "status of 4" in text or "status of 502" in text  # which the page says in its own words
        if kind in {"error", "warning"} and not is_refusal:
            self.complaints.append(text)

    def _note_request(self, url: str) -> None:
        if not url.startswith((self.address, "data:")):
            self.strangers.append(url)


@pytest.fixture
def visit(browser: "playwright.Browser", address: str) -> Iterator[Callable[..., Tab]]:
    """Open tabs that complain about nothing and ask no other host."""
    tabs: list[Tab] = []

    def opened(**options: Any) -> Tab:
        tabs.append(Tab(browser, address, **options))
        return tabs[-1]

    yield opened
    for tab in tabs:
        tab.context.close()
    assert [complaint for tab in tabs for complaint in tab.complaints] == []
    assert [url for tab in tabs for url in tab.strangers] == []


def _decisions(database: str) -> list[Decision]:
    with DecisionStore(database) as store:
        return list(store)


def _violations(page: "playwright.Page", rules: list[str] = RULES) -> list[tuple[str, str]]:
    from axe_playwright_python.base import AXE_SCRIPT

    page.evaluate(AXE_SCRIPT)
    result = page.evaluate("rules => axe.run({ runOnly: rules, preload: false })", rules)
    assert result["passes"]
    return [(one["id"], one["nodes"][0]["html"]) for one in result["violations"]]


def _ask_patiently(page: "playwright.Page") -> None:
    """Ask, and again where the wiki of the tests is too slow for people, as it may be on a busy machine."""
    for _ in range(5):
        page.click("#ask")
        page.wait_for_selector("#card-1 pre ins, #failure:not(:empty)")
        if page.is_visible("#card-1"):
            return
        assert "does not answer" in page.inner_text("#failure")


def test_an_edit_from_the_question_to_the_page_that_the_wiki_saved(
    visit: Callable[..., Tab], edited_wiki: LiveWiki, database: str
) -> None:
    tab = visit()
    page = tab.open()
    page.fill("#page", "Mji Mko")
    page.wait_for_selector("#pages option[value='Mji Mkongwe']", state="attached")
    page.fill("#page", "Mji Mkongwe")
    page.fill("#target", "Karafuu")
    _ask_patiently(page)
    assert "karafuu" in page.inner_text("#verdict").lower()
    assert page.locator("#article-text .l5, #article-text .l4").count() >= 1
    page.click("#card-1 button.accept")
    page.wait_for_selector("#card-1.decided")
    (decision,) = _decisions(database)
    assert (decision.page, decision.target, decision.verdict) == ("Mji Mkongwe", "Karafuu", "accepted")
    with tab.context.expect_page() as opening:
        page.click("#card-1 form[method=post] button")
    wiki = opening.value
    wiki.wait_for_selector("td.diff-addedline")
    assert wiki.input_value("#wpSummary, [name=wpSummary]").startswith("Kiungo cha [[Karafuu]]")
    wiki.click("[name=wpSave]")
    wiki.wait_for_url(lambda url: "action=edit" not in url)
    with Wiki(edited_wiki.api_url, "test@example.org") as client:
        ids = [revision.id for revision in client.revisions("Mji Mkongwe")]
        texts = client.wikitexts(ids)
    assert texts[ids[0]] == PAGES["Mji Mkongwe"]
    assert texts[ids[-1]] == texts[ids[0]].replace(decision.before, decision.after, 1)
    assert texts[ids[-1]].count("[[") == texts[ids[0]].count("[[") + 1
    tab.strangers.clear()  # the wiki itself


def test_decisions_by_keyboard_alone_are_stored_before_the_next_card_and_undone(
    visit: Callable[..., Tab], database: str
) -> None:
    before = len(_decisions(database))
    page = visit().open()
    page.focus(".sample[value='0']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#card-1")
    page.wait_for_function("document.activeElement.id === 'verdict'")
    page.keyboard.press("s")
    page.wait_for_selector("#card-1.decided")
    assert [one.verdict for one in _decisions(database)[before:]] == ["skipped"]
    page.keyboard.press("u")
    page.wait_for_selector("#card-1:not(.decided)")
    assert len(_decisions(database)) == before
    page.keyboard.press("r")
    page.wait_for_selector("#card-1 .reasons input:focus")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("#card-1.decided")
    assert [one.reason for one in _decisions(database)[before:]] == ["wrong-target"]
    page.uncheck("#keys")
    page.focus("#verdict")
    page.keyboard.press("u")
    page.check("#keys")
    assert len(_decisions(database)) == before + 1


def test_words_and_target_are_changed_and_a_sentence_is_written_before_the_edit(visit: Callable[..., Tab]) -> None:
    page = visit().open()
    page.click("#paste summary")
    page.fill("#text", "Dhows sail far. The monsoon fills their sails. Cloves came by sea.")
    page.fill("#target", "Monsoon")
    page.click("#ask")
    page.wait_for_selector("#card-1 pre ins")
    first = page.locator("#card-1")
    first.locator("form input").nth(0).fill("The monsoon")
    first.locator("form input").nth(1).fill("Wind")
    first.locator("form button[type=submit]").first.click()
    page.wait_for_selector("#card-1 .rendered mark")
    assert "[[Wind|The monsoon]] fills" in first.locator("ins").inner_text()
    first.locator("form input").nth(0).fill("nothing of it")
    first.locator("form button[type=submit]").first.click()
    page.wait_for_selector("#card-1 .fault:not([hidden])")
    assert "not in the sentence" in first.locator(".fault").inner_text()


def test_axe_finds_nothing_in_light_or_dark_on_a_phone_in_english_or_arabic(visit: Callable[..., Tab]) -> None:
    page = visit(locale="ar", viewport=PHONE).open()
    assert _violations(page) == []
    assert page.evaluate("document.documentElement.dir") == "rtl"
    page.click(".sample[value='1']")
    page.wait_for_selector("#card-1")
    page.click("#card-1 button.reject")
    assert _violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(color_scheme="dark")
    assert _violations(page, ["color-contrast"]) == []
    page.set_viewport_size({"width": 1200, "height": 800})
    assert _violations(page) == []


def test_nowhere_is_said_plainly_and_hostile_text_comes_out_harmless(visit: Callable[..., Tab]) -> None:
    page = visit().open(page=EVIL)
    page.click("#paste summary")
    page.fill("#text", PASTED)
    page.fill("#target", EVIL)
    page.click("#ask")
    page.wait_for_selector("#answer:not([hidden])")
    if page.is_visible("#anyway"):
        assert page.inner_text("#verdict").startswith(("Nowhere", "This page links"))
        page.click("#anyway")
    page.wait_for_selector("#card-1")
    assert page.evaluate("window.ran") is None
    assert page.locator("main img, main script, #verdict img").count() == 0
    assert "${x}" in page.inner_text("#article-text")
    assert "\u202e" not in page.inner_text("body")


def test_the_user_script_shades_the_sentences_of_a_page_in_the_wiki(
    visit: Callable[..., Tab], edited_wiki: LiveWiki, address: str
) -> None:
    tab = visit()
    page = tab.page
    page.goto(edited_wiki.api_url.replace("/api.php", "/index.php?title=Forodhani"))
    page.wait_for_function("window.mw && mw.config.get('wgArticleId')")
    page.add_script_tag(url=f"{address}/linkspot.js")
    before = page.inner_text(".mw-parser-output")
    page.click("#t-linkspot a")
    page.fill("#linkspot-target", "Karafuu")
    page.click(".linkspot form button")
    page.wait_for_selector(".linkspot li")
    assert page.locator(".mw-parser-output .linkspot-shade").count() >= 1
    assert page.inner_text(".mw-parser-output") == before
    link = page.locator(".linkspot li a").first.get_attribute("href") or ""
    assert link.startswith(f"{address}/page?")
    assert "target=Karafuu" in link
    page.click(".linkspot form button >> nth=1")
    assert page.locator(".linkspot, .linkspot-shade").count() == 0
    tab.strangers.clear()
    tab.complaints.clear()  # of the wiki's own
