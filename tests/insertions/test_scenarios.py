import pytest

from linkspot.insertions.scenarios import AddedLink, added_links
from linkspot.links.titles import TitleRules
from linkspot.parsing import parse
from linkspot.records import Article, Markup, Page, Scenario

BEFORE = """Trains need signals. A signal keeps trains apart. They cost money.

== Tunnels ==
A tunnel is dark. Trains go through it. See [[Bridge|bridges]] too.
"""


def _article(text: str) -> Article:
    return parse(Page("Train", text, Markup.WIKITEXT, "en"))


def _added(before: str, after: str) -> list[AddedLink]:
    return added_links(_article(before), _article(after), TitleRules("en"))


def _only(after: str, before: str = BEFORE) -> tuple[Scenario, list[str]]:
    (added,) = _added(before, after)
    sentences = _article(before).sentences
    return added.scenario, [sentences[number][1].text for number in added.gold]


def test_words_that_only_became_a_link_were_present() -> None:
    after = BEFORE.replace("A signal keeps", "A [[signal]] keeps")
    assert _only(after) == (Scenario.TEXT_PRESENT, ["A signal keeps trains apart."])


def test_words_that_were_present_in_a_sentence_that_was_edited_elsewhere_were_present() -> None:
    after = BEFORE.replace("A signal keeps trains apart.", "A [[signal]] always keeps long trains apart.")
    assert _only(after) == (Scenario.TEXT_PRESENT, ["A signal keeps trains apart."])


def test_words_that_were_added_to_a_sentence_were_missing() -> None:
    after = BEFORE.replace("A tunnel is dark.", "A tunnel through a [[mountain]] is dark.")
    assert _only(after) == (Scenario.MISSING_MENTION, ["A tunnel is dark."])


def test_words_of_which_a_part_was_there_were_missing() -> None:
    after = BEFORE.replace("A signal keeps", "A [[signal box]] keeps")
    assert _only(after) == (Scenario.MISSING_MENTION, ["A signal keeps trains apart."])


def test_a_new_sentence_was_missing_between_its_neighbours() -> None:
    after = BEFORE.replace("They cost", "Drivers look out for [[semaphore]]s everywhere. They cost")
    assert _only(after) == (Scenario.MISSING_SENTENCE, ["A signal keeps trains apart.", "They cost money."])


def test_a_new_sentence_at_the_end_of_a_section_has_one_neighbour() -> None:
    after = BEFORE.replace("They cost money.", "They cost money. A [[bank]] will lend you some.")
    assert _only(after) == (Scenario.MISSING_SENTENCE, ["They cost money."])


def test_several_new_sentences_were_a_missing_span() -> None:
    after = BEFORE.replace("They cost", "Look out for [[semaphore]]s. Nobody likes fog in autumn. They cost")
    assert _only(after) == (Scenario.MISSING_SPAN, ["A signal keeps trains apart.", "They cost money."])


def test_a_new_section_was_missing_and_has_no_place() -> None:
    assert _only(BEFORE + "\n== Ships ==\nA [[ship]] swims.") == (Scenario.MISSING_SECTION, [])


@pytest.mark.parametrize(
    "after",
    [
        BEFORE.replace("[[Bridge|bridges]]", "[[Viaduct|bridges]]"),
        BEFORE.replace("[[Bridge|bridges]]", "[[Viaduct|viaducts]]"),
        BEFORE.replace("A signal", "A [[train]] signal"),
        BEFORE.replace("A signal", "A [[bridge]] signal"),
        BEFORE.replace("A signal", "A [https://example.org signal]"),
        BEFORE,
    ],
    ids=["retarget", "retarget with other words", "to itself", "linked before", "to another site", "nothing"],
)
def test_what_is_no_added_link_is_left_out(after: str) -> None:
    assert _added(BEFORE, after) == []


def test_a_section_that_was_written_anew_tells_no_place() -> None:
    old, _, _ = BEFORE.partition("== Tunnels ==")
    assert _added(BEFORE, f"{old}== Tunnels ==\nMoles dig wherever [[earth]] is soft enough.") == []


def test_a_target_counts_once_at_its_first_place() -> None:
    after = BEFORE.replace("A signal", "A [[signal]]").replace("need signals", "need [[Signal|signals]]")
    assert [added.gold for added in _added(BEFORE, after)] == [(0,)]


def test_a_sentence_that_moved_keeps_its_place_before() -> None:
    after = BEFORE.replace(" They cost money.", "").replace("A tunnel", "They cost [[money]]. A tunnel")
    assert _only(after) == (Scenario.TEXT_PRESENT, ["They cost money."])
