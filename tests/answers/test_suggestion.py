import io
import json
import math
from functools import partial

import pytest
from rich.console import Console

import linkspot
from linkspot import Action, Entity, Markup, Page
from linkspot.answers.answer import Answer
from linkspot.answers.json_shape import FORMAT, VERSION, to_dict, to_json
from linkspot.answers.terminal import show
from linkspot.answers.web_page import to_html
from linkspot.errors import UnknownLanguage, UnknownRanker
from linkspot.ranking.ranker import Reads
from linkspot.ranking.scores import Scores
from linkspot.records import Article

DOGS = """The dog is a tame animal.<ref>A book.</ref> It descends from the gray wolf of the forests.

== Diet ==
Dogs eat meat. A ''gray wolf'' hunts deer in packs. They see [[gray wolf packs|gray wolf]] tracks.

=== Bones ===
Bones are hard. Gray wolves crack them.

== Work ==
Some dogs guard [[sheep]]. Others pull sledges over ice and snow.
"""
suggest = partial(linkspot.suggest, ranker="bm25")  # most tests are about what is made of scores
WOLF = Entity("Gray wolf", "The gray wolf is a large wild animal that hunts deer in packs.")


def _page(text: str = DOGS, title: str = "Dog", markup: Markup = Markup.WIKITEXT) -> Page:
    return Page(title, text, markup, "en")


def _words(answer: Answer) -> list[str | None]:
    sections = answer.article.sections
    return [place.words.cut(sections[place.section].text) if place.words else None for place in answer.places]


def test_places_come_best_first() -> None:
    scores = [place.score for place in suggest(_page(), WOLF).places]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) > 1


def test_words_that_are_there_become_the_link_and_nothing_else_changes() -> None:
    answer = suggest(_page(), WOLF, ranker="string-match", top=10)
    lead = next(place for place in answer.places if place.section == 0)
    assert lead.action is Action.LINK_WORDS
    assert lead.edit(DOGS) == DOGS.replace("the gray wolf of", "the [[gray wolf]] of", 1)


def test_markup_around_the_words_comes_into_the_link() -> None:
    answer = suggest(_page(), WOLF, top=10)
    italic = next(place for place in answer.places if place.section == 1 and place.words)
    assert italic.link == "[[Gray wolf|''gray wolf'']]"
    assert italic.source.cut(DOGS) == "''gray wolf''"


def test_an_inflected_form_is_linked_too() -> None:
    assert "Gray wolves" in _words(suggest(_page(), WOLF, top=10))


def test_words_inside_another_link_are_not_linked() -> None:
    answer = suggest(_page(), WOLF, top=10)
    taken = next(place for place in answer.places if (place.section, place.sentence) == (1, 2))
    assert taken.action is Action.ADD_TO_SENTENCE
    assert "part of other markup" in taken.reason


@pytest.mark.parametrize(
    "text",
    [
        "A [[tame]] gray wolf sleeps.",
        "A gray wolf [[sleep|sleeps]].",
        "A gray<!-- or grey --> wolf sleeps.",
        "A '''tame gray''' wolf sleeps.",
    ],
)
def test_words_beside_a_link_or_across_markup_are_not_linked(text: str) -> None:
    (place,) = suggest(_page(text), WOLF).places
    assert place.action is Action.ADD_TO_SENTENCE


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (Markup.MARKDOWN, "Call `gray.wolf()` now."),
        (Markup.MARKDOWN, "A gray \\[wolf\\] sleeps."),
        (Markup.WIKITEXT, "A gray<br>wolf sleeps."),
        (Markup.WIKITEXT, "Type <code>a gray wolf</code> here."),
        (Markup.HTML, "<p>Type <code>a gray wolf</code> here."),
        (Markup.WIKITEXT, "See the section [gray wolf]."),
        (Markup.WIKITEXT, "Write <nowiki>a gray wolf</nowiki> there."),
        (Markup.MARKDOWN, "Look out!gray wolf here."),
        (Markup.MARKDOWN, "**Canis.lupus**gray wolf is its name."),
    ],
)
def test_words_that_would_break_the_link_are_not_linked(markup: Markup, text: str) -> None:
    assert all(place.words is None for place in suggest(_page(text, markup=markup), WOLF).places)


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (Markup.WIKITEXT, "* [[Fox]]\n* Gray wolf\n* [[Jackal]]"),
        (Markup.WIKITEXT, "He saw a [[fox]]\n\nGray wolf packs came, too."),
        (Markup.MARKDOWN, "- [Fox](fox.md)\n- Gray wolf\n- [Jackal](jackal.md)"),
        (Markup.HTML, "<ul><li><a href='fox.html'>Fox</a></li><li>Gray wolf</li></ul>"),
        (Markup.HTML, "<p><a href='fox.html'>Fox</a></p><p>Gray wolf</p>"),
    ],
)
def test_a_link_in_another_item_or_paragraph_is_not_beside_the_words(markup: Markup, text: str) -> None:
    answer = suggest(_page(text, markup=markup), WOLF, ranker="string-match")
    assert _words(answer)[0] == "Gray wolf"


@pytest.mark.parametrize(
    ("markup", "text", "edited"),
    [
        (Markup.MARKDOWN, "A gray wolf[^1] howls.", "A [gray wolf](Gray_wolf)[^1] howls."),
        (Markup.WIKITEXT, "A gray wolf<ref>x</ref> howls.", "A [[gray wolf]]<ref>x</ref> howls."),
    ],
)
def test_a_footnote_behind_the_words_stays_outside_of_the_link(markup: Markup, text: str, edited: str) -> None:
    assert suggest(_page(text, markup=markup), WOLF).places[0].edit(text) == edited


def test_without_words_a_related_sentence_takes_the_link_and_others_are_followed_by_one() -> None:
    journey = Entity("Polar expedition", "A journey over ice and snow, with sledges.")
    place = suggest(_page(), journey, top=1).places[0]
    assert place.action is Action.ADD_TO_SENTENCE
    assert place.source.cut(DOGS) == "Others pull sledges over ice and snow."
    guard = Entity("Livestock", "What a herder has, for instance sheep.")
    place = suggest(_page(), guard, top=1).places[0]
    assert place.action is Action.ADD_SENTENCE
    assert DOGS[: place.source.start].endswith("Some dogs guard [[sheep]].")
    edited = place.edit(DOGS, " All are [[livestock]].")
    assert edited.replace(" All are [[livestock]].", "") == DOGS


def test_a_new_sentence_goes_behind_the_footnote_of_the_old_one() -> None:
    tame = Entity("Taming", "How an animal becomes tame.")
    place = suggest(_page(), tame, top=1).places[0]
    assert DOGS[: place.source.end].endswith("</ref>")


def test_a_link_that_is_there_is_said_first_with_where_and_no_places_follow() -> None:
    text = DOGS.replace("Dogs eat", "[[Gray wolf|Wolves]] eat")
    answer = suggest(_page(text), WOLF, top=20)
    assert (answer.places, answer.is_nowhere) == ((), False)
    assert answer.notes[0].startswith("Already linked: this page links “Gray wolf” by “Wolves” in Diet.")
    assert _printed(answer).splitlines()[2].startswith("Already linked")
    assert [existing.link.mention for existing in answer.existing] == ["Wolves"]


def test_asked_for_anyway_only_main_sections_without_the_link_have_places() -> None:
    text = DOGS.replace("Dogs eat", "[[Gray wolf|Wolves]] eat")
    answer = suggest(_page(text), WOLF, ranker=_Sure(0.0), top=20, anyway=True)
    assert {place.section for place in answer.places} == {0, 3}
    assert answer.notes[0].startswith("Already linked")


def test_many_links_that_are_there_are_counted_not_listed() -> None:
    links = "\n\n".join(f"== S{number} ==\nA [[gray wolf|w{number}]] runs." for number in range(9))
    note = suggest(_page(links), WOLF).notes[0]
    assert "by “w0” in S0 and 8 more." in note
    assert "w3" not in note


def test_a_link_that_the_page_has_shows_how_it_writes_the_address() -> None:
    page = '<p>A <a href="../w/Wolf.htm">wolf</a>.</p><h2>B</h2><p>The wolf runs.</p>'
    (place,) = suggest(_page(page, markup=Markup.HTML), Entity("Wolf"), anyway=True).places
    assert place.link == '<a href="../w/Wolf.htm" title="Wolf">wolf</a>'


def test_a_page_never_links_to_itself() -> None:
    answer = suggest(_page(), Entity("dog"))
    assert answer.places == ()
    assert "this page itself" in answer.notes[0]


def test_pages_that_share_a_title_or_a_file_name_are_not_the_same() -> None:
    page = Page("Dog", DOGS, Markup.WIKITEXT, "en", id="Animals/Dog")
    assert suggest(page, Entity("Dog", "Dogs eat meat.", id="Films/Dog")).places
    assert suggest(page, Entity("Gray wolf", id="Animals/Dog")).places
    assert not suggest(page, Entity("Dog", id="Animals/Dog")).places


def test_nothing_that_fits_is_an_answer() -> None:
    answer = suggest(_page(), Entity("Zoroaster", "Persian prophet."))
    assert (answer.places, answer.is_nowhere) == ((), True)
    assert answer.notes == ("Nowhere: nothing in this page fits “Zoroaster”.",)
    assert not suggest(_page(), WOLF).is_nowhere


def test_a_page_without_prose_says_so() -> None:
    answer = suggest(_page("{| class=x\n| a\n|}"), WOLF)
    assert (answer.places, answer.notes) == ((), ("Nowhere: this page has no prose to link from.",))


def test_a_target_can_be_a_page() -> None:
    target = Page("Gray wolf", "The '''gray wolf''' hunts deer.\n\n== Packs ==\nMore.", Markup.WIKITEXT, "en")
    answer = suggest(_page(), target)
    assert answer.entity.lead == "The gray wolf hunts deer."
    assert answer.places[0].action is Action.LINK_WORDS


def test_an_unknown_ranker_or_language_or_number_is_refused() -> None:
    with pytest.raises(
        UnknownRanker,
        match=r"no ranker is called 'bm52', .*; there are: bm25, .*string-match, .*without-precedents",
    ):
        suggest(_page(), WOLF, ranker="bm52")
    with pytest.raises(UnknownLanguage, match="Dog does not say its language; name it"):
        suggest(Page("Dog", "A dog.", Markup.WIKITEXT, ""), WOLF)
    with pytest.raises(UnknownLanguage, match="'klingon!' is not a language tag"):
        suggest(Page("Dog", DOGS, Markup.WIKITEXT, "Klingon!"), WOLF)
    with pytest.raises(ValueError, match="at least 1"):
        suggest(_page(), WOLF, top=0)


@pytest.mark.parametrize(
    ("markup", "text", "link"),
    [
        (Markup.WIKITEXT, "The Gray wolf runs.", "[[Gray wolf]]"),
        (Markup.HTML, "<p>The gray wolf runs.", '<a href="./Gray_wolf" title="Gray wolf">gray wolf</a>'),
        (Markup.MARKDOWN, "The gray wolf runs.", "[gray wolf](Gray_wolf)"),
        (Markup.MARKDOWN, "The gray wolf runs. See [dogs](dogs.md).", "[gray wolf](Gray_wolf.md)"),
        (Markup.MARKDOWN, "The `gray wolf` runs.", "[`gray wolf`](Gray_wolf)"),
        (Markup.WIKITEXT, "The <code>gray wolf</code> runs.", "[[Gray wolf|<code>gray wolf</code>]]"),
    ],
)
def test_the_link_is_written_in_the_pages_markup(markup: Markup, text: str, link: str) -> None:
    assert suggest(_page(text, markup=markup), WOLF).places[0].link == link


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (Markup.MARKDOWN, "**gray wolf packs** hunt."),
        (Markup.MARKDOWN, "_The gray wolf_ hunts."),
        (Markup.WIKITEXT, "''gray wolf packs'' hunt."),
        (Markup.WIKITEXT, "A 'gray wolf' hunts."),
    ],
)
def test_words_beside_a_mark_are_linked_if_the_page_stays_as_it_is(markup: Markup, text: str) -> None:
    page = _page(text, markup=markup)
    (place,) = suggest(page, WOLF).places
    assert place.action is Action.LINK_WORDS
    edited = linkspot.parse(_page(place.edit(text), markup=markup))
    assert edited.sections[0].text == linkspot.parse(page).sections[0].text
    assert [link.mention for link in edited.sections[0].links] == ["gray wolf"]


def test_slugs_are_written_as_the_page_writes_them() -> None:
    page = _page("Calls `open()`. See [that](/en-US/docs/Web/API/Element).", "Click", Markup.MARKDOWN)
    answer = suggest(page, Entity("Window: open() method", id="Web/API/Window/open"))
    assert answer.places[0].link == "[`open()`](/en-US/docs/Web/API/Window/open)"


def test_a_macros_target_is_not_taken_for_an_address() -> None:
    text = 'Uses {{domxref("Window")}}. See [that](/ja/docs/Web/API/Element).\n\n## Use\n\nThe Window opens.'
    (place,) = suggest(_page(text, "Click", Markup.MARKDOWN), Entity("Window", id="Web/API/Window"), anyway=True).places
    assert place.link == "[Window](/ja/docs/Web/API/Window)"


def test_json_has_its_documented_shape() -> None:
    answer = suggest(_page(), WOLF)
    shape = json.loads(to_json(answer))
    assert shape == to_dict(answer)
    assert (shape["format"], shape["version"]) == (FORMAT, VERSION) == ("linkspot-answer", 1)
    assert set(shape) == {
        *("format", "version", "page", "target", "ranker", "nowhere", "nowhere_probability", "notes", "existing_links"),
        *("precedents", "places"),
    }
    for place in shape["places"]:
        sentence, source = place["sentence"], place["sentence"]["source"]
        section = answer.article.sections[place["section"]["index"]]
        assert place["context_before"] + sentence["text"] + place["context_after"] in section.text
        assert DOGS[source["start"] : source["end"]].strip()
        if place["action"] == "link_words":
            words = place["words"]
            assert sentence["text"][words["start"] : words["end"]] == words["text"]


class _Sure:
    """A ranker that can tell probabilities: it says the same logit of every place."""

    reads = Reads.PAGES

    def __init__(self, logit: float) -> None:
        self._logit = logit

    def score(self, _entity: Entity, article: Article) -> Scores:
        return Scores((1.0 + self._logit,) * len(article.sentences), nowhere=1.0, are_logits=True)


def test_a_ranker_that_knows_its_odds_gives_probabilities() -> None:
    answer = suggest(_page(), WOLF, ranker=_Sure(0.0), top=3)
    count = len(answer.scores)
    assert answer.nowhere == pytest.approx(1 / (count + 1))
    assert [place.probability for place in answer.places] == pytest.approx([1 / (count + 1)] * 3)
    told = to_dict(answer)
    assert told["nowhere_probability"] == round(1 / (count + 1), 6)
    assert told["places"][0]["probability"] == round(1 / (count + 1), 6)
    assert f"{1 / (count + 1):.0%}" in to_html(answer)


def test_places_that_are_unlikely_each_are_shown_if_the_page_is_likely_to_have_one() -> None:
    assert suggest(_page(), WOLF, ranker=_Sure(-1.5)).places
    assert not suggest(_page(), WOLF, ranker=_Sure(-4.0)).places


def _printed(answer: Answer) -> str:
    console = Console(record=True, width=200, file=io.StringIO())
    show(answer, console)
    return console.export_text()


def test_nowhere_says_how_sure_it_is_and_which_place_would_be_the_best() -> None:
    answer = suggest(_page(), WOLF, ranker=_Sure(-4.0))
    assert (answer.places, answer.is_nowhere) == ((), True)
    sure = f"Nowhere ({1 / (1 + len(answer.scores) * math.exp(-4)):.0%}): most likely no place in this page"
    best = "the best place is in the lead, at “The dog is a tame animal.” (2%)."
    for written in (_printed(answer), to_json(answer)):
        assert sure in written
        assert best in written
    assert to_dict(answer)["nowhere"] is True
    assert to_dict(answer)["nowhere_probability"] == round(answer.nowhere or 0, 6)


def test_in_doubt_there_are_places_and_a_note() -> None:
    page, even, sure = _page("A dog. A cat. A horse. A cow."), _Sure(-0.8), _Sure(2.0)
    answer = suggest(page, WOLF, ranker=even)
    assert (len(answer.places), answer.is_nowhere) == (4, False)
    assert answer.notes == ("Perhaps nowhere (36%): check whether “Gray wolf” belongs in this page at all.",)
    assert answer.notes[0] in _printed(answer)
    assert suggest(page, WOLF, ranker=sure).notes == ()


class _Odds:
    """A ranker that gives the candidates these logits, one after the other."""

    reads = Reads.TEXTS

    def __init__(self, *logits: float) -> None:
        self._logits = logits

    def score(self, entity: Entity, article: Article) -> Scores:  # noqa: ARG002
        return Scores(self._logits[: len(article.sentences)], nowhere=0.0, are_logits=True)


def test_places_that_are_hardly_better_than_nothing_are_shown_only_to_who_asks_for_a_number() -> None:
    page = _page("A dog. A cat. A horse. A cow. A hen.")
    ranker = _Odds(3.0, 0.5, -0.5, -1.0, -2.0)  # 77 %, 6.3 %, 2.3 %, 1.4 %, 0.5 %
    assert len(suggest(page, WOLF, ranker=ranker).places) == 2  # 2.3 % is less than a twentieth of 77 %
    assert len(suggest(page, WOLF, ranker=ranker, top=5).places) == 5
    even = _Odds(-3.0, -3.0, -3.0, -6.0, -6.0)  # 4.3 %, three times, then 0.2 %
    assert len(suggest(page, WOLF, ranker=even, anyway=True).places) == 3


def test_the_best_place_is_shown_however_many_rivals_share_its_chance() -> None:
    page = _page("A dog. " * 400)
    answer = suggest(page, WOLF, ranker=_Sure(0.0))
    assert [place.probability for place in answer.places] == pytest.approx([1 / 401])


def test_asked_for_anyway_nowhere_comes_with_the_best_places() -> None:
    answer = suggest(_page(), WOLF, ranker=_Sure(-4.0), top=2, anyway=True)
    assert answer.is_nowhere
    assert [place.probability for place in answer.places] == pytest.approx([math.exp(-4) * (answer.nowhere or 0)] * 2)
    assert len(answer.notes) == 1  # the best place is shown, and need not be told
    assert answer.notes[0].startswith("Nowhere (")
    assert _printed(answer).index("Nowhere (") < _printed(answer).index("#1 ")
    assert "#2 " in _printed(answer)
    assert to_html(answer).count("class=badge") == len(to_dict(answer)["places"]) == 2


def test_a_ranker_without_odds_gives_its_best_places_anyway_too() -> None:
    zoroaster = Entity("Zoroaster", "Persian prophet.")
    answer = suggest(_page(), zoroaster, anyway=True)
    assert (answer.is_nowhere, len(answer.places)) == (True, 5)
    assert suggest(_page(), WOLF, anyway=True).places == suggest(_page(), WOLF).places


def test_linking_rules_hold_anyway() -> None:
    assert suggest(_page(), Entity("dog"), anyway=True).places == ()
    text = DOGS.replace("Dogs eat", "[[Gray wolf|Wolves]] eat")
    places = suggest(_page(text), WOLF, ranker=_Sure(-4.0), top=20, anyway=True).places
    assert {place.section for place in places} == {0, 3}


@pytest.mark.parametrize(("logit", "said"), [(-12.0, "Nowhere (>99%)"), (-1.0, "Nowhere (73%)")])
def test_what_is_not_quite_certain_is_not_called_so(logit: float, said: str) -> None:
    answer = suggest(_page("A dog."), WOLF, ranker=_Sure(logit))
    assert said in answer.notes[0]
    assert ("(<1%)" in answer.notes[1]) == (logit < -2)


def test_a_long_sentence_is_quoted_in_part() -> None:
    answer = suggest(_page("word " * 40 + "end."), WOLF, ranker=_Sure(-4.0))
    assert "word word …” (" in answer.notes[1]


def test_the_model_that_comes_with_linkspot_is_asked_if_no_other_is_named() -> None:
    answer = linkspot.suggest(_page(), WOLF, top=100, anyway=True)
    told = to_dict(answer)
    assert told["ranker"] == "linkspot"
    assert told["nowhere"] == (told["nowhere_probability"] >= 0.5)
    probabilities = [place["probability"] for place in told["places"]]
    assert len(probabilities) == len(answer.scores)
    assert probabilities == sorted(probabilities, reverse=True)
    assert sum(probabilities) + told["nowhere_probability"] == pytest.approx(1, abs=1e-4)


def test_others_give_no_probabilities() -> None:
    answer = suggest(_page(), WOLF)
    assert answer.nowhere is None
    assert {place.probability for place in answer.places} == {None}
    assert to_dict(answer)["places"][0]["probability"] is None


GERMAN = "Der Hund ist ein Haustier.\n\n== Nahrung ==\nHunde fressen Fleisch. Ein [[Gray wolf|Wolf]] jagt Hirsche."


def test_where_a_translation_links_the_target_is_told_and_counts() -> None:
    german = Page("Hund", GERMAN, Markup.WIKITEXT, "de")
    answer = linkspot.suggest(_page(), WOLF, translations=[german])
    assert answer.notes == ("In de, this page links it in Nahrung: “Ein Wolf jagt Hirsche.”",)
    assert to_dict(answer)["precedents"] == [
        {"language": "de", "section": "Nahrung", "sentence": "Ein Wolf jagt Hirsche."}
    ]
    assert answer.scores != linkspot.suggest(_page(), WOLF).scores


def test_a_translation_without_the_link_is_told_so() -> None:
    german = Page("Hund", GERMAN.replace("Gray wolf", "Canis lupus"), Markup.WIKITEXT, "de")
    answer = suggest(_page(), WOLF, translations=[german])
    assert answer.notes == ("No translation of this page links to “Gray wolf”, judging by its id and its names.",)


def test_a_name_that_a_title_shares_with_others_is_claimed_only_where_the_passage_fits() -> None:
    fruit = Entity("Lime (fruit)", "A lime is a green citrus fruit with sour juice.")
    reef = "Each polyp takes lime from the water. It forms a hard cup. The reef grows. Fish live there."
    drink = "The drink has lime in it. The fruit gives it a sour taste. Ice is added. It is served cold."
    lime = next(place for place in suggest(_page(reef), fruit, anyway=True, top=9).places if "lime" in place.text)
    assert lime.action is Action.ADD_TO_SENTENCE
    assert lime.reason == "“Lime” is there, but nothing around it shows that it means this one"
    assert _words(suggest(_page(drink), fruit))[0] == "lime"
    named = Entity("Lime (fruit)", fruit.lead, mentions=("Lime",))  # a user who knows better
    assert "lime" in _words(suggest(_page(reef), named))
