"""The web page of an answer in a real Chromium: on a screen and on a phone, in light and dark, by keyboard."""

from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from docs.make_pictures import arabic_answer

from linkspot import Answer, Entity, Markup, Page, suggest
from linkspot.answers.samples import SAMPLES

if TYPE_CHECKING:
    from playwright import sync_api as playwright

SCREEN = {"width": 1200, "height": 800}
PHONE = {"width": 390, "height": 844}
ENGLISH, SWAHILI, JAPANESE = SAMPLES
QUANTUM = Entity("Quantum computing", "A quantum computer uses superposition and entanglement to compute.")
QUESTIONS: dict[str, Callable[[], Answer]] = {
    "English HTML": lambda: suggest(ENGLISH.page(), ENGLISH.target()),
    "Swahili wikitext": lambda: suggest(SWAHILI.page(), SWAHILI.target()),
    "Japanese Markdown": lambda: suggest(JAPANESE.page(), JAPANESE.target()),
    "Arabic wikitext": arabic_answer,
    "nowhere": lambda: suggest(SWAHILI.page(), QUANTUM),
    "nowhere, anyway": lambda: suggest(SWAHILI.page(), QUANTUM, anyway=True),
    "linked already": lambda: suggest(SWAHILI.page(), Entity("Unguja")),
    "without probabilities": lambda: suggest(ENGLISH.page(), ENGLISH.target(), "bm25"),
    "without prose": lambda: suggest(Page("Dog", "", Markup.WIKITEXT, "en"), QUANTUM),
}
ALL_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"]
WITH_PLACES = list(QUESTIONS)[:4]
EVIL = (
    "</style></title><script>ran = 1</script>\"'><img src=x onerror='ran = 1'><svg onload=ran=1> \u202e\u2066 ${policy}"
)


class Visit:
    """Opens answers in pages of one browser, and writes down what they ask for and complain about."""

    def __init__(self, browser: "playwright.Browser", folder: Path) -> None:
        self._browser, self._folder = browser, folder
        self._contexts: list[playwright.BrowserContext] = []
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def open(self, html: str, window: dict[str, int] = SCREEN, setup: str = "", **options: Any) -> "playwright.Page":
        """Return the page; `setup` is a script that runs before those of the page."""
        file = self._folder / "answer.html"
        file.write_text(html, encoding="utf-8")
        context = self._browser.new_context(viewport=window, reduced_motion="reduce", **options)
        self._contexts.append(context)
        context.add_init_script(setup)
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(file.as_uri())
        return page

    def close(self) -> None:
        """Close all pages."""
        for context in self._contexts:
            context.close()


@pytest.fixture(scope="module")
def browser(needs: Callable[..., None]) -> "Iterator[playwright.Browser]":
    needs("chromium")
    from docs.browser import open_browser

    with open_browser() as chromium:
        yield chromium


@pytest.fixture
def visit(browser: "playwright.Browser", tmp_path: Path) -> Iterator[Visit]:
    """A visit to pages that ask for nothing but themselves, and complain about nothing."""
    visit = Visit(browser, tmp_path)
    yield visit
    visit.close()
    assert visit.complaints == []
    assert {Path(url.partition("#")[0]).name for url in visit.requests} <= {"answer.html"}


_answers: dict[str, Answer] = {}


def _answer(question: str) -> Answer:
    """Return the answer to a question, which is asked once."""
    if question not in _answers:
        _answers[question] = QUESTIONS[question]()
    return _answers[question]


def _is_in_window(page: "playwright.Page", selector: str) -> bool:
    box, window = page.locator(selector).first.bounding_box(), page.viewport_size
    assert box is not None
    assert window is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= window["height"] and box["x"] + box["width"] <= window["width"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_axe_finds_nothing_on_a_screen_or_a_phone_in_light_or_dark(visit: Visit, question: str) -> None:
    from axe_playwright_python.base import AXE_SCRIPT

    page = visit.open(_answer(question).to_html())
    page.evaluate(AXE_SCRIPT)
    for window in (SCREEN, PHONE) if question in WITH_PLACES else (SCREEN,):
        page.set_viewport_size(window)
        # Of all that axe looks at, only the contrast depends on the colours.
        for colours, rules in (("light", ALL_RULES), ("dark", ["color-contrast"])):
            page.emulate_media(color_scheme=colours)
            result = page.evaluate("rules => axe.run({ runOnly: rules, preload: false })", rules)
            assert result["passes"]
            violations = [(one["id"], one["nodes"][0]["html"]) for one in result["violations"]]
            assert violations == [], (window, colours)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_phone_shows_the_answer_without_scrolling(visit: Visit, question: str) -> None:
    page = visit.open(_answer(question).to_html(), PHONE, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert _is_in_window(page, "h1")
    if question in WITH_PLACES:
        assert _is_in_window(page, ".cards li")
        bottom, top = page.locator(".cards li").first.bounding_box(), page.locator(".map").bounding_box()
        assert bottom is not None
        assert top is not None
        assert bottom["y"] + bottom["height"] <= top["y"]


def test_the_button_copies_the_edited_sentence(visit: Visit) -> None:
    answer = _answer("Swahili wikitext")
    page = visit.open(answer.to_html(), permissions=["clipboard-read", "clipboard-write"])
    button = page.get_by_role("button", name="Copy the sentence")
    button.click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.get_by_role("status").inner_text() == "Copied"
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "Nje ya mji wageni huonyeshwa mashamba ya [[karafuu]], mdalasini na vanila."
    assert copied in answer.places[0].edit(answer.page.text)


def test_without_a_clipboard_the_text_is_copied_by_selecting_it(visit: Visit) -> None:
    setup = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
    page = visit.open(_answer("Japanese Markdown").to_html(), setup=setup)
    page.evaluate("addEventListener('copy', () => { copied = String(getSelection()) || document.activeElement.value })")
    page.get_by_role("button", name="Copy the link").first.click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("copied") == "[玉露](玉露.md)"
    assert page.locator("textarea").count() == 0


def test_where_nothing_can_copy_the_text_is_left_selected(visit: Visit) -> None:
    setup = "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.execCommand = () => false"
    page = visit.open(_answer("Japanese Markdown").to_html(), setup=setup)
    page.get_by_role("button", name="Copy the link").first.click()
    page.get_by_role("button", name="Selected").wait_for()
    script = "(() => { const field = document.activeElement; return field.value.slice(0, field.selectionEnd) })()"
    assert page.evaluate(script) == "[玉露](玉露.md)"


def test_the_keys_j_and_k_move_between_the_places_unless_they_are_switched_off(visit: Visit) -> None:
    page = visit.open(_answer("English HTML").to_html())

    def focus_after(key: str) -> str:
        page.keyboard.press(key)
        focused = page.evaluate("document.activeElement.id")
        assert _is_in_window(page, f"#{focused}")
        return str(focused)

    assert [focus_after(key) for key in "jjjkkk"] == [f"place-{rank}" for rank in (1, 2, 3, 2, 1, 1)]
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert focus_after("Control+j") == "place-1"
    page.get_by_label("move between the places").uncheck()
    assert focus_after("j") == "keys"


def test_every_place_is_reached_by_tab_and_leads_to_its_card_and_back(visit: Visit) -> None:
    answer = _answer("English HTML")
    page = visit.open(answer.to_html())
    reached = []
    for _ in range(3 * len(answer.places) + 1):  # a link and a button in each card, the switch, a badge for each place
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.getAttribute('href')"))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    ranks = range(1, len(answer.places) + 1)
    assert {f"#{end}-{rank}" for rank in ranks for end in ("card", "place")} <= set(reached)
    assert page.get_by_role("link", name="Place 2, 10%: back to its card").count() == 1
    page.locator("#card-2 a").press("Enter")
    assert page.evaluate("document.activeElement.id") == "place-2"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "card-2"


def test_the_map_leads_to_any_sentence_of_a_page_of_5000(visit: Visit) -> None:
    text = "".join(f"Sentence {number} is about dogs. " + "\n\n" * (number % 9 == 0) for number in range(5000))
    page = visit.open(suggest(Page("Dog", text, Markup.WIKITEXT, "en"), Entity("Sentence 7"), "string-match").to_html())
    assert page.locator(".map a").count() == page.locator("article span").count() == 5000
    page.locator(".map a").last.evaluate("mark => mark.click()")
    assert page.evaluate("document.activeElement.textContent") == "Sentence 4999 is about dogs."
    assert _is_in_window(page, "#s4999")
    place = page.locator(".map a.p").first.bounding_box()
    assert place is not None
    assert place["height"] >= 4
    place_text = page.locator("article .p").first.inner_text()
    page.mouse.click(place["x"] + 2, place["y"] + 2)
    assert page.evaluate("document.activeElement.innerText") == place_text


def test_right_to_left_text_turns_only_itself(visit: Visit) -> None:
    page = visit.open(_answer("Arabic wikitext").to_html())

    def style(selector: str, name: str) -> str:
        return str(page.locator(selector).first.evaluate(f"element => getComputedStyle(element).{name}"))

    assert style("article p", "direction") == style("pre", "direction") == "rtl"
    assert style("h1", "direction") == style(".cards p", "direction") == style("article small", "direction") == "ltr"
    for isolated in ("h1 bdi", ".question bdi", ".cards p bdi"):
        assert style(isolated, "unicodeBidi") == "isolate"
    # Isolated, the number at the end of the heading stands to the right of the Arabic title before it.
    script = """() => {
        const range = document.createRange(), title = document.querySelector('h1 bdi:last-of-type');
        range.selectNodeContents(document.querySelector('h1').lastChild);
        return range.getBoundingClientRect().left - title.getBoundingClientRect().right;
    }"""
    assert page.evaluate(script) >= -1


def test_a_hostile_page_and_target_run_nothing(visit: Visit) -> None:
    text = (
        f"<p>A dog saw the {escape(EVIL)}. It ran away from it.</p><h2>{escape(EVIL)}</h2><p>A wolf came. It left.</p>"
    )
    target = Entity(EVIL, f"A wolf {EVIL}", ("wolf", EVIL))
    page = visit.open(suggest(Page(EVIL, text, Markup.HTML, "en"), target, "bm25", anyway=True).to_html())
    assert page.evaluate("typeof ran") == "undefined"
    assert page.locator("img, svg:not(.bar), script:not(body > script)").count() == 0
    assert "ran = 1" in page.locator("h1").inner_text() + page.locator("article").inner_text()
    assert not {"\u202e", "\u2066"} & set(page.evaluate("document.documentElement.outerHTML"))


def test_markup_that_got_in_all_the_same_could_run_and_fetch_nothing(visit: Visit) -> None:
    page = visit.open(_answer("nowhere").to_html())
    failures: list[str | None] = []
    page.on("requestfailed", lambda request: failures.append(request.failure))
    page.evaluate(
        """() => {
            document.body.insertAdjacentHTML('beforeend', '<img src="https://example.org/x.png" onerror="ran = 1">');
            document.body.append(Object.assign(document.createElement('script'), { text: 'ran = 1' }));
        }"""
    )
    page.wait_for_timeout(100)
    assert page.evaluate("typeof ran") == "undefined"
    assert len(visit.complaints) >= 2
    assert all("Content Security Policy" in complaint for complaint in visit.complaints)
    assert failures == ["csp"]
    visit.complaints.clear()
    visit.requests.clear()


def test_without_scripts_the_page_works_and_has_no_dead_buttons(visit: Visit) -> None:
    page = visit.open(_answer("Swahili wikitext").to_html(), java_script_enabled=False)
    assert not page.locator("button").first.is_visible()
    assert not page.locator(".keys").is_visible()
    page.locator("#card-1 a").click()
    assert page.url.endswith("#place-1")
    assert _is_in_window(page, "#place-1")


def test_in_a_notebook_links_stay_in_their_frame(visit: Visit) -> None:
    page = visit.open(_answer("Swahili wikitext")._repr_html_())
    frame = page.frames[1]
    frame.locator("#card-1 a").click()
    assert page.frames[1].evaluate("document.activeElement.id") == "place-1"


def test_a_print_has_the_text_and_its_shades_without_map_and_buttons(visit: Visit) -> None:
    page = visit.open(_answer("Swahili wikitext").to_html())
    page.emulate_media(media="print")
    assert not page.locator(".map").is_visible()
    assert not page.locator("button").first.is_visible()
    assert page.locator("article .l5").evaluate("one => getComputedStyle(one).printColorAdjust") == "exact"
