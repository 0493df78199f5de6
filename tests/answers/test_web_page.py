"""The web page of an answer, as text; tests/end_to_end/test_web_page.py opens it in a browser."""

import re
from html import unescape
from itertools import pairwise

import pytest
from docs.make_pictures import arabic_answer
from hypothesis import given
from hypothesis import strategies as st

from linkspot import Action, Answer, Entity, Markup, Page, suggest
from linkspot.answers.page_language import PageLanguage
from linkspot.answers.sentence_markup import SentenceMarkup
from linkspot.answers.shades import STEPS, Shades, level
from linkspot.answers.web_page import to_html
from linkspot.ranking.ranker import Reads
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Section

DOGS = """'''Dogs''' are tame animals. They descend from the gray wolf.

== Care ==
Dogs eat [[meat]]. They need a walk.

== References ==
* A book on dogs.
"""
WOLF = Entity("Gray wolf", "The gray wolf is a wild animal.", ("wolf",))


class _Logits:
    """A ranker that gives the candidates these logits against a *nowhere* of 0."""

    reads = Reads.TEXTS

    def __init__(self, *logits: float) -> None:
        self._logits = logits

    def score(self, entity: Entity, article: Article) -> Scores:  # noqa: ARG002
        return Scores(self._logits[: len(article.sentences)], nowhere=0.0, are_logits=True)


def _page(text: str = DOGS, markup: str = Markup.WIKITEXT, language: str = "en", title: str = "Dog") -> Page:
    return Page(title, text, markup, language)


def _words(html: str) -> str:
    body = re.sub(r"<(style|script|title)>.*?</\1>", " ", html, flags=re.S)
    return " ".join(unescape(re.sub("<[^>]*>", "", body)).split())


def _classes(html: str) -> list[str]:
    """Return the class of every sentence, in the page's order."""
    return re.findall(r'<span id=s\d+(?: class="([^"]*)")?>', html)


def test_every_sentence_stands_there_once_with_a_mark_on_the_map() -> None:
    answer = suggest(_page(), WOLF, _Logits(0, 2, 0, 0, 9))
    html = to_html(answer)
    assert len(_classes(html)) == len(answer.scores) == 5
    assert re.findall(r"<a href=#(s\d+) tabindex=-1", html) == re.findall(r"<span id=(s\d+)", html)
    for _, sentence in answer.article.sentences:
        assert sentence.text in _words(html)


def test_a_shade_means_the_same_probability_in_every_page() -> None:
    assert [level(share) for share in (0, 0.019, *STEPS, 1)] == [0, 0, 1, 2, 3, 4, 5, 5]
    sure = suggest(_page(), WOLF, _Logits(-2, 4, -2, -9, 0))
    assert Shades.of(sure) == Shades((0, 5, 0, 0, 0), are_probabilities=True)
    unsure = suggest(_page(), WOLF, _Logits(-1, 0, -1, -9, 0))  # 15 %, 42 %, 15 %, and 27 % for nowhere
    assert Shades.of(unsure).levels[:4] == (3, 4, 3, 0)


@given(st.lists(st.floats(-20, 20), min_size=5, max_size=5))
def test_shades_never_say_more_than_the_probabilities_that_are_left_by_nowhere(logits: list[float]) -> None:
    answer = suggest(_page(), WOLF, _Logits(*logits))
    assert sum(answer.probabilities) + (answer.nowhere or 0) == pytest.approx(1)
    for shade, probability in zip(Shades.of(answer).levels, answer.probabilities, strict=True):
        assert not shade or probability >= STEPS[shade - 1]


def test_a_page_that_is_nowhere_is_not_shaded() -> None:
    nowhere = suggest(_page(), WOLF, _Logits(-6, -5, -6, -6, -6))
    assert nowhere.is_nowhere
    assert not any("l" in one for one in _classes(to_html(nowhere)))
    words = _words(to_html(nowhere))
    assert "Nowhere (98%) Most likely no place in this page is right for “Gray wolf”." in words
    assert "Nowhere 98% · somewhere 2%" in words
    without_odds = suggest(_page(), Entity("Zoroaster"), "bm25")
    assert without_odds.is_nowhere
    assert not any("l" in one for one in _classes(to_html(without_odds)))


def test_a_page_about_the_target_itself_is_not_shaded() -> None:
    html = to_html(suggest(_page(), Entity("Dog"), "bm25"))
    assert not any("l" in one for one in _classes(html))
    assert "Nowhere “Dog” is this page itself" in _words(html)


def test_where_scores_are_no_probabilities_the_legend_says_so() -> None:
    answer = suggest(_page(), WOLF, "bm25")
    assert max(Shades.of(answer).levels) == 5
    assert "They are no probabilities" in _words(to_html(answer))
    assert "They are no probabilities" not in _words(to_html(suggest(_page(), WOLF, _Logits(0, 2, 0, 0, 0))))


def test_scores_that_differ_by_a_broken_tie_are_no_shades() -> None:
    answer = suggest(_page("The wolf barks. " * 9), WOLF, "string-match")
    assert len(set(answer.scores)) > 1
    assert set(Shades.of(answer).levels) == {0}


@pytest.mark.parametrize("ranker", ["bm25", _Logits(0, 2, 0, 0, 9)])
def test_a_section_that_takes_no_link_is_grey_whatever_its_scores(ranker: str | _Logits) -> None:
    answer = suggest(_page(DOGS.replace("A book on dogs", "A book on the gray wolf")), WOLF, ranker)
    assert answer.closed == {4}
    assert [one.split() for one in _classes(to_html(answer))][4] == ["x"]
    assert "References takes no link" in _words(to_html(answer))


@pytest.mark.parametrize(
    ("entity", "verdict"),
    [
        (WOLF, "Link “gray wolf” in the lead (89%)"),
        (Entity("Tame beast"), "Add “Tame beast” to a sentence in the lead (89%)"),
        (Entity("Zebra"), "Add a sentence on “Zebra” in the lead (89%)"),
        (Entity("Meat"), "Already linked This page links “Meat” by “meat” in Care."),
    ],
)
def test_the_answer_is_a_plain_sentence(entity: Entity, verdict: str) -> None:
    best = 0 if entity.title == "Tame beast" else 1
    ranker = _Logits(*(3.5 if number == best else 0.0 for number in range(5)))
    assert f"belong in “Dog”? {verdict}" in _words(to_html(suggest(_page(), entity, ranker)))


def test_places_that_were_asked_for_anyway_come_under_the_verdict() -> None:
    words = _words(to_html(suggest(_page(), WOLF, _Logits(-6, -5, -6, -6, -6), anyway=True)))
    assert words.index("Nowhere (98%)") < words.index("The best places, if you want it anyway")


@pytest.mark.parametrize("text", [DOGS, DOGS.replace("gray wolf", "''gray wolf''"), DOGS.replace("\n", "\r\n")])
def test_the_diff_makes_the_edit_of_the_place(text: str) -> None:
    answer = suggest(_page(text), WOLF, _Logits(0, 3, 0, 0, 0))
    place, markup = answer.places[0], SentenceMarkup.of(answer, answer.places[0])
    assert place.action is Action.LINK_WORDS
    assert text.replace(markup.before, markup.after or "") == place.edit(text)
    html = to_html(answer)
    assert f"<mark>{markup.changed}</mark>.</del>" in html.replace("&#x27;", "'")
    assert f"<mark>{markup.link}</mark>.</ins>" in html.replace("&#x27;", "'")


def test_a_line_end_right_before_the_words_is_shown_as_a_space() -> None:
    answer = suggest(_page(DOGS.replace("the gray", "the\ngray")), WOLF, _Logits(0, 3, 0, 0, 0))
    assert "They descend from the <mark>gray wolf</mark>.</del>" in to_html(answer)


def test_the_button_copies_what_is_shown_or_else_only_the_link() -> None:
    def copied(text: str) -> str:
        answer = suggest(_page(text), WOLF, _Logits(0, 3, 0, 0, 0), top=1)
        (value,) = re.findall(r'<button [^>]*value="([^"]*)"', to_html(answer))
        return unescape(value)

    assert copied(DOGS) == "They descend from the [[gray wolf]]."
    assert copied(DOGS.replace("They descend", "They \u202e descend")) == "[[gray wolf]]"
    assert copied(DOGS.replace("They descend", "They\r\ndescend")) == "They\ndescend from the [[gray wolf]]."


@pytest.mark.parametrize(("code", "attribute"), [("ja", ' lang="ja"'), ("bat_smg", ' lang="bat-smg"'), ("simple", "")])
def test_a_language_is_named_if_browsers_can_know_it(code: str, attribute: str) -> None:
    language = PageLanguage.of(Article("Dog", code, (Section("", 1, ""),)))
    assert language.attributes == f'{attribute} dir="ltr"'


def test_most_letters_decide_the_direction() -> None:
    answer = arabic_answer()
    assert PageLanguage.of(answer.article).direction == "rtl"
    quoting = suggest(_page("The word כלב is Hebrew for dog. It is old. It is short. It is known."), WOLF, "bm25")
    assert PageLanguage.of(quoting.article).direction == "ltr"
    assert '<bdi lang="ar">قرنفل</bdi>” belong in “<bdi lang="ar">المدينة الحجرية</bdi>”' in to_html(answer)


@given(st.lists(st.integers(1, 6), max_size=8))
def test_headings_are_in_order_whatever_the_page_does(levels: list[int]) -> None:
    sections = (Section("", 1, ""), *(Section(f"Title {number}", one, "") for number, one in enumerate(levels)))
    page, article = _page(""), Article("Dog", "en", sections, Markup.WIKITEXT)
    html = to_html(Answer(page, article, WOLF, "bm25", (), (), notes=("Nowhere: nothing here.",), is_nowhere=True))
    headings = [int(number) for number in re.findall(r"<h(\d)", html)]
    assert headings[0] == 1
    assert all(deeper <= before + 1 for before, deeper in pairwise(headings))
    assert len(headings) == 3 + len(levels)  # the answer, the legend, the page


def test_a_long_page_grows_by_little_more_than_its_text() -> None:
    sentence = "Dogs bark at the moon all night. "
    zebra = Entity("Zebra")
    sizes = [len(to_html(suggest(_page(sentence * number), zebra, "bm25"))) for number in (500, 1000)]
    assert sizes[1] - sizes[0] < 500 * (len(sentence) + 70)
