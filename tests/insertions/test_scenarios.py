import pytest

from linkspot.insertions.rejects import Reject
from linkspot.insertions.scenarios import AddedLink, added_links
from linkspot.insertions.versions import Version
from linkspot.links.addresses import Naming
from linkspot.records import Markup, Page, Scenario

BEFORE = """Trains need signals. A signal keeps trains apart. They cost money. Nobody knows how much.

== Tunnels ==
A tunnel is dark. Trains go through it. See [[Bridge|bridges]] too.

== Notes ==
* Fog comes in autumn.
* Snow falls in winter.
"""


def _version(text: str) -> Version:
    return Version.of(Page("Train", text, Markup.WIKITEXT, "en"), Naming())


def _judged(after: str, before: str = BEFORE) -> dict[str, AddedLink | Reject]:
    return added_links(_version(before), _version(after))


def _only(after: str, before: str = BEFORE) -> tuple[Scenario, list[str]] | Reject:
    (verdict,) = _judged(after, before).values()
    if isinstance(verdict, Reject):
        return verdict
    sentences = _version(before).article.sentences
    return verdict.scenario, [sentences[number][1].text for number in verdict.gold]


def test_words_that_only_became_a_link_were_present() -> None:
    after = BEFORE.replace("A signal keeps", "A [[signal]] keeps")
    assert _only(after) == (Scenario.TEXT_PRESENT, ["A signal keeps trains apart."])


def test_words_that_were_present_in_a_sentence_that_was_edited_elsewhere_were_present() -> None:
    after = BEFORE.replace("A signal keeps trains apart.", "A [[signal]] always keeps long trains apart.")
    assert _only(after) == (Scenario.TEXT_PRESENT, ["A signal keeps trains apart."])


def test_a_title_that_shows_its_path_reads_as_its_last_name_whatever_its_ending() -> None:
    after = BEFORE.replace("A signal keeps", "A [[en/Manual/Signals]] keeps")
    assert _only(after) == (Scenario.TEXT_PRESENT, ["A signal keeps trains apart."])


def test_words_that_were_added_to_a_sentence_were_missing() -> None:
    after = BEFORE.replace("A tunnel is dark.", "A tunnel through a [[mountain]] is dark.")
    assert _only(after) == (Scenario.MISSING_MENTION, ["A tunnel is dark."])


def test_words_of_which_a_part_was_there_were_missing() -> None:
    after = BEFORE.replace("A signal keeps", "A [[signal box]] keeps")
    assert _only(after) == (Scenario.MISSING_MENTION, ["A signal keeps trains apart."])


def test_words_that_still_stand_elsewhere_in_the_sentence_were_missing_where_they_were_added() -> None:
    after = BEFORE.replace("Trains go through it.", "Trains go through it to other [[trains]].")
    assert _only(after) == (Scenario.MISSING_MENTION, ["Trains go through it."])


def test_letters_that_stood_apart_are_not_the_words() -> None:
    after = BEFORE.replace("They cost money.", "They cost a [[cent]] or more money.")
    assert _only(after) == (Scenario.MISSING_MENTION, ["They cost money."])


def test_a_new_sentence_was_missing_between_its_neighbours() -> None:
    after = BEFORE.replace("They cost", "Drivers look out for [[semaphore]]s everywhere. They cost")
    assert _only(after) == (Scenario.MISSING_SENTENCE, ["A signal keeps trains apart.", "They cost money."])


def test_a_new_sentence_at_the_end_of_a_section_has_one_neighbour() -> None:
    after = BEFORE.replace("Nobody knows how much.", "Nobody knows how much. A [[bank]] will lend you some.")
    assert _only(after) == (Scenario.MISSING_SENTENCE, ["Nobody knows how much."])


def test_several_new_sentences_were_a_missing_span() -> None:
    after = BEFORE.replace("They cost", "Look out for [[semaphore]]s. Nobody likes rain in spring. They cost")
    assert _only(after) == (Scenario.MISSING_SPAN, ["A signal keeps trains apart.", "They cost money."])


def test_a_new_list_item_was_missing_between_its_neighbours() -> None:
    after = BEFORE.replace("* Snow", "* See the [[calendar]].\n* Snow")
    assert _only(after) == (Scenario.MISSING_SENTENCE, ["Fog comes in autumn.", "Snow falls in winter."])


def test_a_sentence_that_gave_way_to_more_text_is_a_right_place_as_well() -> None:
    new = "Prices rise. The [[bank]] of the town lends you as much as you like. Pay it back soon, or go bankrupt."
    after = BEFORE.replace("Nobody knows how much.", new)
    assert _only(after) == (Scenario.MISSING_SPAN, ["They cost money.", "Nobody knows how much."])


def test_words_of_a_sentence_that_was_rewritten_around_them_were_present() -> None:
    after = BEFORE.replace("They cost money.", "In the whole wide world nothing is to be had without [[money]].")
    assert _only(after) == (Scenario.TEXT_PRESENT, ["They cost money."])


def test_a_new_section_was_missing_and_has_no_place() -> None:
    assert _only(BEFORE + "\n== Ships ==\nA [[ship]] swims.") == (Scenario.MISSING_SECTION, [])


def test_a_section_of_a_known_name_under_another_heading_is_new() -> None:
    after = BEFORE + "\n== Ships ==\nThey swim.\n=== Tunnels ===\nA [[ship]] has none."
    assert _only(after) == (Scenario.MISSING_SECTION, [])


def test_a_new_section_that_swallowed_an_old_sentence_is_new() -> None:
    after = BEFORE.replace("Nobody knows", "\n== Money ==\nA [[bank]] has it. Go and ask. Be polite.\n\nNobody knows")
    assert _only(after) == (Scenario.MISSING_SECTION, [])


def test_a_heading_above_old_sentences_makes_no_new_section() -> None:
    after = BEFORE.replace("They cost", "\n== Money ==\nThey cost").replace("much.", "much. A [[bank]] has it. Ask it.")
    assert _only(after) == (Scenario.MISSING_SPAN, ["Nobody knows how much."])


def test_a_section_that_had_no_sentence_has_no_place() -> None:
    before = BEFORE + "\n== See also ==\n{{Portal}}\n"
    assert _only(before + "* [[Ship]]\n", before) == (Scenario.MISSING_SECTION, [])


def test_a_renamed_section_keeps_its_sentences() -> None:
    after = BEFORE.replace("== Tunnels ==", "== Below ground ==").replace("is dark.", "is dark. Bring a [[lamp]].")
    assert _only(after) == (Scenario.MISSING_SENTENCE, ["A tunnel is dark.", "Trains go through it."])


def test_a_sentence_that_moved_keeps_its_place_before() -> None:
    after = BEFORE.replace(" They cost money.", "").replace("A tunnel", "They cost [[money]]. A tunnel")
    assert _only(after) == (Scenario.TEXT_PRESENT, ["They cost money."])


def test_beside_a_sentence_from_another_section_the_neighbour_that_stayed_tells_the_place() -> None:
    after = BEFORE.replace("* Snow falls in winter.\n", "")
    after = after.replace("Trains go", "Snow falls in winter. A [[plough]] pushes it away. Trains go")
    assert _only(after) == (Scenario.MISSING_SENTENCE, ["Trains go through it."])


@pytest.mark.parametrize(
    "after",
    [
        BEFORE.replace("[[Bridge|bridges]]", "[[Viaduct|bridges]]"),
        BEFORE.replace("[[Bridge|bridges]]", "[[Viaduct|viaducts]]"),
    ],
    ids=["other page", "other words"],
)
def test_a_link_in_the_place_of_another_is_a_retarget(after: str) -> None:
    assert _only(after) == Reject.RETARGET


def test_some_of_the_same_words_in_another_place_of_the_sentence_are_a_retarget() -> None:
    before = BEFORE + "The [[Bridge|bridges]] of the old town carry every train over the wide river."
    after = BEFORE + "Every train of the old town goes over the wide river on [[Viaduct|long bridges]]."
    assert _only(after, before) == Reject.RETARGET


@pytest.mark.parametrize(
    "old", ["[https://example.org signal]", "[[:Category:Signals|signal]]", "[[:fr:Signal|signal]]"]
)
def test_words_that_led_out_of_the_wiki_s_articles_are_a_retarget(old: str) -> None:
    before = BEFORE.replace("A signal keeps", f"A {old} keeps")
    assert _only(BEFORE.replace("A signal keeps", "A [[signal]] keeps"), before) == Reject.RETARGET


def test_a_translator_who_drops_the_link_in_brackets_retargets() -> None:
    before = BEFORE.replace("A signal keeps", "A Signal ([[en/Manual/Signals]]) keeps")
    after = BEFORE.replace("A signal keeps", "A [[de/Handbuch/Signale|Signal]] keeps")
    assert _only(after, before) == Reject.RETARGET


def test_text_in_the_place_of_other_text_is_replaced() -> None:
    after = BEFORE.replace("They cost money.", "Sie kosten viel [[Geld]].")
    assert _only(after) == Reject.REPLACED


def test_text_in_the_place_of_other_text_is_replaced_however_much_is_added_before_it() -> None:
    after = BEFORE.replace("* Fog comes in autumn.", "* Im [[Januar]] schneit es viel.")
    after = after.replace("== Notes", "== Ships ==\nThey swim. They float. They sink. They rust.\n\n== Notes")
    assert _only(after) == Reject.REPLACED


def test_text_that_is_twice_as_long_as_what_it_replaces_is_replaced() -> None:
    longer = "Man zahlt viel. Das [[Geld]] geht schnell aus. Wer weiß das schon? Niemand kennt den Preis."
    assert _only(BEFORE.replace("They cost money. Nobody knows how much.", longer)) == Reject.REPLACED


def test_a_section_in_the_place_of_another_tells_no_place() -> None:
    notes = BEFORE[BEFORE.index("== Notes ==") :]
    ships = "== Ships ==\nThey swim. They float. They sink. They rust away. Men sail them.\n\n"
    translated = "== Anmerkungen ==\n* Nebel kommt im Herbst.\n* Im [[Januar]] schneit es viel.\n"
    assert _only(BEFORE.replace(notes, ships + translated)) == Reject.NO_PLACE


def test_a_page_that_loses_most_sentences_is_rewritten() -> None:
    after = "Trains need signals. A [[signal]] keeps trains apart. Und das ist alles. Mehr gibt es nicht."
    assert _only(after) == Reject.REWRITTEN


@pytest.mark.parametrize(
    "broken", ["[[signal]", "[[signal", "[signal|signal]", "((Signal|signal))", "{{signal", "[[[Signal|signal]]"]
)
def test_a_link_that_was_written_wrongly_is_a_repair(broken: str) -> None:
    before = BEFORE.replace("A signal keeps", f"A {broken} keeps")
    assert _judged(BEFORE.replace("A signal keeps", "A [[signal]] keeps"), before)["Signal"] == Reject.REPAIR


def test_a_macro_that_was_written_wrongly_is_a_repair() -> None:
    naming = Naming()
    text = 'Other formats: {{Glossary("GIF")}}, BROKEN and more. One more sentence.'
    before, after = (
        Version.of(Page("Page", text.replace("BROKEN", macro), Markup.MARKDOWN, "en"), naming)
        for macro in ('{Glossary("JPEG")}}', '{{Glossary("JPEG")}}')
    )
    assert list(added_links(before, after).values()) == [Reject.REPAIR]


def test_words_from_a_sentence_that_is_still_there_were_in_the_prose() -> None:
    before = BEFORE.replace("Snow falls in winter.", "Snowflakes fall in winter and in spring.")
    after = before.replace("* Snowflakes fall", "* [[Snowflakes]]\n* Snowflakes always fall")
    expected = ["Fog comes in autumn.", "Snowflakes fall in winter and in spring."]
    assert _only(after, before) == (Scenario.MISSING_SENTENCE, expected)


def test_words_from_a_table_were_outside_of_the_prose() -> None:
    before = BEFORE + "\n{|\n| The quick brown fox || jumps\n|}\n"
    assert _only(BEFORE + "* The quick brown [[fox]]\n", before) == Reject.OUTSIDE_OF_PROSE


def test_a_section_of_which_nothing_stayed_tells_no_place() -> None:
    moved = BEFORE.replace("* Fog comes in autumn.\n* Snow falls in winter.\n", "A [[calendar]] helps here.\n")
    assert _only(moved + "== Weather ==\nFog comes in autumn. Snow falls in winter.\n") == Reject.NO_PLACE


def test_a_link_to_the_page_itself_is_told() -> None:
    assert _only(BEFORE.replace("A signal", "A [[train]] signal")) == Reject.TO_ITSELF


def test_a_page_without_prose_before_is_told() -> None:
    assert _only("A [[ship]] swims.", "{{Stub}}") == Reject.NO_PAGE_BEFORE


@pytest.mark.parametrize(
    "after",
    [
        BEFORE.replace("A signal", "A [[bridge]] signal"),
        BEFORE.replace("A signal", "A [https://example.org signal]"),
        BEFORE.replace("A signal", "A [[Bridge#Arch|signal]]"),
        BEFORE,
    ],
    ids=["linked before", "to another site", "another section of a linked page", "nothing"],
)
def test_what_is_no_link_to_another_page_is_not_looked_at(after: str) -> None:
    assert _judged(after) == {}


def test_a_target_counts_once_at_its_first_place() -> None:
    after = BEFORE.replace("A signal", "A [[signal]]").replace("need signals", "need [[Signal|signals]]")
    (verdict,) = _judged(after).values()
    assert isinstance(verdict, AddedLink)
    assert verdict.gold == (0,)
    assert (verdict.target, verdict.link.mention, verdict.sentence) == ("Signal", "signals", 0)


def test_a_link_in_a_line_that_turns_pages_is_navigation() -> None:
    assert _only(BEFORE + "\n[[Fog|Next: fog]] »\n") is Reject.NAVIGATION


SPANISH_BEFORE = """Los trenes son largos. Todos lo saben. Van muy lejos.

== Señales ==
The colours of a lamp are told in [[en/Manual/Lamp]]. Nobody has translated this.

== Notas ==
No hay notas. Nadie las escribe.
"""


def _in_spanish(after: str) -> AddedLink | Reject:
    before, later = (
        Version.of(Page("es/Manual/Trenes", text, Markup.WIKITEXT, "es"), Naming()) for text in (SPANISH_BEFORE, after)
    )
    (verdict,) = added_links(before, later).values()
    return verdict


@pytest.mark.parametrize("target", ["es/Manual/Lamp", "es/Manual/Farol"])
def test_a_page_that_the_text_linked_to_in_another_language_is_a_retarget_wherever_it_stands(target: str) -> None:
    after = SPANISH_BEFORE.replace("The colours of a lamp are told in [[en/Manual/Lamp]].", "")
    assert _in_spanish(after.replace("Van muy lejos.", f"Llevan un [[{target}|farol]].")) is Reject.RETARGET


def test_a_page_that_the_text_still_links_to_in_another_language_is_none() -> None:
    verdict = _in_spanish(SPANISH_BEFORE.replace("Van muy lejos.", "Van muy lejos. Llevan un [[es/Manual/Lamp]]."))
    assert isinstance(verdict, AddedLink)


def test_a_page_of_other_folders_than_the_lost_one_in_another_language_is_none() -> None:
    after = SPANISH_BEFORE.replace("[[en/Manual/Lamp]]", "another place")
    verdict = _in_spanish(after.replace("Van muy lejos.", "Van muy lejos. Hay [[es/Lugares/Montes|montes]]."))
    assert isinstance(verdict, AddedLink)


def test_words_that_led_to_a_page_that_other_words_of_the_sentence_still_lead_to_are_a_retarget() -> None:
    before = BEFORE.replace("A tunnel is dark.", "A [[Tunnel|tunnel digger]] digs a [[Tunnel]] in the dark.")
    assert _only(before.replace("[[Tunnel|tunnel digger]]", "[[Digger|tunnel digger]]"), before) is Reject.RETARGET


def test_a_link_that_a_sentence_had_twice_and_has_once_is_not_lost_where_the_same_words_show_it() -> None:
    before = BEFORE.replace("A tunnel is dark.", "A [[Tunnel]] is dark where the [[Tunnel|hole]] and a hill meet.")
    after = before.replace("[[Tunnel|hole]] and a hill", "[[Tunnel|hole]] and a [[hill]]").replace(
        "[[tunnel]]", "tunnel"
    )
    assert _only(after, before)[0] is Scenario.TEXT_PRESENT  # type: ignore[index]


def test_an_address_in_the_brackets_of_a_title_is_broken_markup() -> None:
    before = BEFORE.replace("They cost money.", "They cost [[https://wiki.example.org/Money]].")
    after = before.replace("[[https://wiki.example.org/Money]]", "[[Money]]")
    assert _only(after, before) is Reject.REPAIR


def test_an_address_whose_bracket_was_escaped_is_broken_markup() -> None:
    before = "Bread rises.\n\nIn a [kitchen](/docs//Kitchen\\) it is warm (see [`oven`](/docs/Oven)) and dry.\n"
    after = before.replace("/docs//Kitchen\\", "/docs/Kitchen")
    verdicts = added_links(
        *(Version.of(Page("Bread", text, Markup.MARKDOWN, "en"), Naming()) for text in (before, after))
    )
    assert [verdict for key, verdict in verdicts.items() if "itchen" in key] == [Reject.REPAIR]


def test_text_behind_a_reworded_sentence_does_not_stand_beside_the_one_before_it() -> None:
    after = BEFORE.replace(
        "They cost money.",
        "One of them has to cost money, as all do. A [[mason]] builds it. He works in good weather.",
    )
    assert _only(after) == (Scenario.MISSING_SPAN, ["They cost money.", "Nobody knows how much."])


def test_a_reworded_sentence_before_more_text_was_there_and_lacked_the_mention() -> None:
    after = BEFORE.replace(
        "They cost money.", "One of them has to cost a [[mason]] money. He works hard. He needs good weather."
    )
    assert _only(after) == (Scenario.MISSING_MENTION, ["They cost money."])
