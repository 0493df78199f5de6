"""What a worker does for the page, without the worker: an answer with the whole text, and an edit that is asked for."""

from typing import Any

import pytest

from linkspot.errors import UnwritableEdit
from linkspot.limits import LIMITS
from linkspot.ranking.ranker import open_ranker
from linkspot.records import Action, Entity, Page
from linkspot.service.page.answer_view import ViewTask
from linkspot.service.page.edit_check import EditTask
from linkspot.service.worker_process import Workplace

TEXT = "Dhows sail. The monsoon fills their sails.\n\nThey carry [[date]]s.\n\n== Trade ==\nCloves came by sea."
PAGE = Page("Dhow", TEXT, "wikitext", "en")
MONSOON = Entity("Monsoon", "A monsoon is a wind.")


@pytest.fixture(scope="module")
def workplace() -> Workplace:
    return Workplace(open_ranker("bm25"), "bm25", LIMITS)


def edited(workplace: Workplace, **asked: Any) -> dict[str, Any]:
    chosen = {"section": 0, "sentence": 1, "action": Action.LINK_WORDS, "start": 4, "end": 11, **asked}
    return EditTask(PAGE, MONSOON, **chosen).run(workplace)


def test_the_view_has_every_character_of_the_article_and_its_shades(workplace: Workplace) -> None:
    view = ViewTask(PAGE, MONSOON).run(workplace)
    assert view["answer"]["places"][0]["edit"]["after"] == "The [[monsoon]] fills their sails."
    assert (view["text"]["language"], view["text"]["direction"]) == ("en", "ltr")
    lead, trade = view["text"]["sections"]
    assert trade["title"] == "Trade"
    assert [sentence["text"] for sentence in lead["sentences"]] == [
        "Dhows sail.",
        "The monsoon fills their sails.",
        "They carry dates.",
    ]
    assert lead["sentences"][1]["gap"] == " "
    assert lead["sentences"][2]["paragraph"]
    assert not view["shades"]["are_probabilities"]


def test_the_view_marks_links_that_are_there(workplace: Workplace) -> None:
    view = ViewTask(PAGE, Entity("Date"), anyway=True).run(workplace)
    (links,) = [sentence["links"] for sentence in view["text"]["sections"][0]["sentences"] if "links" in sentence]
    assert links == [[11, 16]]


def test_words_become_a_link_and_nothing_else_changes(workplace: Workplace) -> None:
    edit = edited(workplace)
    assert edit["text"] == TEXT.replace("The monsoon", "The [[monsoon]]")
    assert (edit["before"], edit["after"]) == ("The monsoon fills their sails.", "The [[monsoon]] fills their sails.")
    assert (edit["rendered"], edit["link_at"]) == ("The monsoon fills their sails.", [4, 11])


@pytest.mark.parametrize("action", [Action.ADD_TO_SENTENCE, Action.ADD_SENTENCE])
def test_an_editor_s_own_sentence_is_rewritten_or_added(workplace: Workplace, action: Action) -> None:
    own = "The [[monsoon]] blows in summer."
    edit = edited(workplace, action=action, text=own)
    assert own in edit["text"]
    assert ("The monsoon fills" in edit["text"]) == (action is Action.ADD_SENTENCE)


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ({"section": 9}, "no sentence 1 in section 9"),
        ({"sentence": -1}, "no sentence -1"),
        ({"start": 4, "end": 400}, "not in the sentence"),
        ({"sentence": 2, "start": 11, "end": 16}, "in a link already"),
        ({"action": Action.ADD_SENTENCE, "text": "No link at all."}, "link"),
    ],
)
def test_an_edit_that_cannot_be_made_says_why(workplace: Workplace, asked: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UnwritableEdit, match=complaint):
        edited(workplace, **asked)
