"""Pages and targets that the model knows little about: the answer says so."""

import pytest

import linkspot
from linkspot.answers.answer import Answer
from linkspot.records import Action, Entity, Markup

LEAD = "A railway signal is a visual device that tells the driver of a train whether the line is clear."
SIGNAL = Entity("Railway signal", LEAD)
RAILWAY = "Trains run on rails. A driver has to know whether the line ahead is clear. Points guide trains to a track."
LIST = "\n".join(f"* [[{name}]]" for name in ("Amman", "Bern", "Cairo", "Dakar", "Erevan", "Fes", "Gomel", "Homs"))
UNKNOWN_SCRIPTS = {
    "nqo": "ߒߞߏ ߦߋ߫ ߛߓߍߟߌ ߣߊߕߊ ߟߋ߬ ߘߌ߫. ߞߊ߲ߜߍ ߟߊ߫ ߛߋߒߞߏߦߊ ߞߊ߬ߙߊ߲.",
    "chr": "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ. ᎠᏂᏴᏫᏯ ᎨᏒ.",
    "zgh": "ⵜⴰⵎⴰⵣⵉⵖⵜ ⵉⴳⴰ ⵓⵜⵍⴰⵢ. ⴰⵎⵓⵔⴰⴽⵓⵛ.",
}


def answer(text: str, target: Entity = SIGNAL, language: str = "en", ranker: str = "linkspot") -> Answer:
    return linkspot.suggest(text, target, markup=Markup.WIKITEXT, language=language, ranker=ranker)


def says(found: Answer, words: str) -> bool:
    return any(words in note for note in found.notes)


@pytest.mark.parametrize("language", UNKNOWN_SCRIPTS)
def test_a_script_that_the_model_never_learned_is_said(language: str) -> None:
    assert says(answer(UNKNOWN_SCRIPTS[language], language=language), "never learned most letters")


@pytest.mark.parametrize(
    ("language", "text"), [("am", "ሰላም ለዓለም። ኢትዮጵያ አገር ናት።"), ("ja", "犬は走る。猫は寝る。"), ("en", RAILWAY)]
)
def test_a_script_that_it_knows_is_no_matter(language: str, text: str) -> None:
    assert not says(answer(text, language=language), "letters")


def test_rankers_that_compare_words_read_every_script() -> None:
    assert not says(answer(UNKNOWN_SCRIPTS["nqo"], language="nqo", ranker="bm25"), "letters")


def test_a_target_without_a_lead_is_asked_for_one() -> None:
    assert says(answer(RAILWAY, Entity("Semaphore")), "Only the name of “Semaphore” is known")
    assert not says(answer(RAILWAY), "Only the name")


def test_a_name_is_enough_where_its_words_stand_in_the_page() -> None:
    found = answer(RAILWAY, Entity("Points"))
    assert found.places[0].action is Action.LINK_WORDS
    assert not says(found, "Only the name")


def test_a_page_that_is_a_list_is_called_one() -> None:
    assert says(answer(LIST), "Most of this page is a list")


def test_a_page_of_one_sentence_is_called_short() -> None:
    found = answer("Trains run on rails.")
    assert says(found, "very short (1 sentence)")
    assert len(found.places) <= 1


def test_a_page_without_prose_has_no_place() -> None:
    found = answer("{{Infobox}}\n[[Category:Rails]]")
    assert not found.places
    assert says(found, "no prose to link from")


@pytest.mark.slow
def test_a_page_of_five_thousand_sentences_is_answered_with_what_is_likely_at_all() -> None:
    found = answer(" ".join(f"Line {number} was closed in the year it was built." for number in range(5_000)))
    assert says(found, "owhere")
    assert all((place.probability or 0) < 0.5 for place in found.places)
