import pytest

from linkspot import Entity, Markup, Page, parse, suggest
from linkspot.answers.excluded_sections import excluded_sections
from linkspot.errors import WrongType

PAGE = """A dog is an animal. It barks. It sleeps. It eats.

== Life ==
Dogs guard sheep. The wolf is a relative.

== {title} ==
{lines}

=== Below ===
The wolf is named here, too.

== After ==
The last section is prose.
"""
BOOKS = "* Smith, Dogs and the wolf, 1990\n* Miller, Wolf, 2001\n* [http://example.org/ The wolf page]"


def _excluded(title: str, language: str = "en", lines: str = BOOKS, also: tuple[str, ...] = ()) -> list[str]:
    article = parse(Page("Dog", PAGE.format(title=title, lines=lines), Markup.WIKITEXT, language))
    return [article.sections[number].title for number in sorted(excluded_sections(article, also))]


@pytest.mark.parametrize(
    ("title", "language"),
    [
        ("References", "en"),
        ("EXTERNAL LINKS:", "en"),
        ("Einzelnachweise", "de"),
        ("Weblinks", "de-CH"),
        ("References", "sw"),  # an English heading in another language's wiki
        ("Marejeo", "sw"),
        ("Примітки", "uk"),
        ("তথ্যসূত্র", "bn"),
        ("مراجع", "ar"),
        ("הערות שוליים", "he"),
        ("外部リンク", "ja"),
        ("參考文獻", "zh-tw"),
        ("각주", "ko"),
        ("Kaynakça", "tr"),
        ("Liên kết ngoài", "vi"),
        ("Referanser", "nb"),
        ("Derekler", "kaa"),
        ("Kategorien", "de"),  # a list
    ],
)
def test_references_and_external_links_are_no_places_nor_is_what_lies_below_them(title: str, language: str) -> None:
    assert _excluded(title, language) == [title, "Below"]


@pytest.mark.parametrize("title", ["See also", "Life and work", "Reference"])
def test_other_sections_are_places(title: str) -> None:
    assert _excluded(title) == []


def test_notes_are_places_where_they_are_prose_and_none_where_they_are_a_list_of_sources() -> None:
    prose = "The wolf was tamed long ago. Nobody knows where.\n\nMany dogs still look like it. Others do not."
    assert _excluded("Notes", lines=BOOKS) == ["Notes", "Below"]
    assert _excluded("Notes", lines=prose) == []


def test_a_language_without_known_titles_is_judged_by_its_links() -> None:
    links = "\n".join(f"* [http://example.org/{number} Ihali {number}]" for number in range(4))
    assert _excluded("Amahlathi", "nr", lines=links) == ["Amahlathi", "Below"]
    assert _excluded("Amahlathi", "kaa", lines=links) == ["Amahlathi", "Below"]  # some words of it are known
    assert _excluded("Amahlathi", "nr", lines="Inja iyalala. Inja iyadla.") == []
    assert _excluded("Resources", "en", lines=links) == []  # known titles are enough for English


def test_a_user_names_further_sections() -> None:
    assert _excluded("Trivia", also=("trivia",)) == ["Trivia", "Below"]


def test_an_answer_has_no_place_there_and_its_probabilities_leave_them_out() -> None:
    page = Page("Dog", PAGE.format(title="References", lines=BOOKS), Markup.WIKITEXT, "en")
    answer = suggest(page, "Wolf", top=20)
    assert {answer.article.sections[place.section].title for place in answer.places} == {"", "Life", "After"}
    total = sum(place.probability or 0 for place in answer.places) + (answer.nowhere or 0)
    assert total == pytest.approx(1)
    with_life = suggest(page, "Wolf", top=20, exclude_sections=["Life"])
    assert {answer.article.sections[place.section].title for place in with_life.places} <= {"", "After"}


def test_titles_are_a_list() -> None:
    with pytest.raises(WrongType, match="list of titles"):
        suggest("A dog.", Entity("Wolf"), markup="wikitext", language="en", exclude_sections="Notes")


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (Markup.WIKITEXT, "''For the film, see [[Wolf (film)]].''\n\nThe wolf howls. It hunts. It runs."),
        (Markup.WIKITEXT, ":''Zum Film siehe [[Wolf (Film)]]''.\n\nThe wolf howls. It hunts."),
        (
            Markup.HTML,
            "<dl><dd><i>For the film, see <a href='x.html'>Wolf</a>.</i></dl><p>The wolf howls. It hunts.</p>",
        ),
        (
            Markup.HTML,
            "<p><span id=c>Coordinates of the film: 26°S, <b>27°E</b></span><p>The wolf howls. It hunts.</p>",
        ),
        (Markup.MARKDOWN, "*For the film, see [Wolf](x.md).*\n\nThe wolf howls. It hunts."),
    ],
)
def test_a_note_above_the_lead_is_neither_the_lead_nor_a_place(markup: Markup, text: str) -> None:
    page = Page("Wolf", text, markup, "en")
    assert parse(page).lead.startswith("The wolf howls.")
    places = suggest(page, "Film", ranker="bm25", top=9, anyway=True).places
    assert places
    assert all("film" not in place.text.lower() for place in places)


def test_a_page_whose_every_line_is_in_italics_keeps_its_lead() -> None:
    assert parse(Page("W", "''A wolf howls.''\n\n''It hunts.''", Markup.WIKITEXT, "en")).lead == "A wolf howls."
    assert parse(Page("W", "'''Wolf''' howls at night.", Markup.WIKITEXT, "en")).lead == "Wolf howls at night."
