import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.text.inflections import are_forms
from linkspot.text.mentions import Exactness, Forms, MentionFinder

EXACT, NEAR = Exactness.EXACT, Exactness.NEAR


def found(text: str, name: str, language: str) -> list[tuple[str, Exactness]]:
    mentions = MentionFinder([name], language, Forms.KNOWN).find(text)
    return [(mention.span.cut(text), mention.exactness) for mention in mentions]


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("Banksy", "Banks"),
        ("Paris", "parish"),
        ("Policy", "police"),
        ("Universe", "university"),
        ("Mars", "marsh"),
        ("Cher", "Cheryl"),
        ("New", "news"),
        ("Star", "start"),
        ("Peru", "per"),
        ("Athens", "Athena"),
        ("Communism", "communist"),
        ("AIDS", "aid"),
    ],
)
def test_another_english_word_is_no_form_of_a_title(name: str, word: str) -> None:
    assert found(f"It is {word} again.", name, "en") == []


@pytest.mark.parametrize(
    ("text", "name", "language"),
    [
        ("signals", "Signal", "en"),
        ("signal", "Signals", "en"),
        ("cities", "City", "en"),
        ("wolves", "Wolf", "en"),
        ("businesses", "Business", "en"),
        ("Bahnhöfen", "Bahnhof", "de"),
        ("Züge", "Zug", "de"),
        ("gares", "Gare", "fr"),
        ("estaciones", "Estación", "es"),
        ("сигналами", "Сигнал", "ru"),
        ("железной руды", "Железная руда", "ru"),
        ("Тихого океану", "Тихий океан", "uk"),
        ("планети", "Планета", "uk"),
        ("pociągami", "Pociągi", "pl"),
        ("talossa", "talo", "fi"),
        ("ভারতের", "ভারত", "bn"),
        ("ভারতেও", "ভারত", "bn"),  # a particle behind the ending
        ("সিপাহি", "সিপাহী", "bn"),  # another spelling
        ("Петербурзі", "Петербург", "uk"),
        ("чисел", "Число", "uk"),
        ("Städte", "Stadt", "de"),
        ("Steel Mills", "Steel Mill", "pl"),
    ],
)
def test_inflected_forms_are_found_as_each_language_makes_them(text: str, name: str, language: str) -> None:
    assert found(text, name, language) == [(text, NEAR)]


@pytest.mark.parametrize(
    ("text", "name", "language", "linked"),
    [
        ("서울에서 만나요", "서울", "ko", "서울"),
        ("הוא גר בירושלים", "ירושלים", "he", "ירושלים"),
        ("زار والقاهرة", "القاهرة", "ar", "القاهرة"),
        ("Ali İstanbul'da yaşar.", "İstanbul", "tr", "İstanbul"),
    ],
)
def test_affixes_that_wikis_leave_outside_of_a_link_are_no_part_of_the_mention(
    text: str, name: str, language: str, linked: str
) -> None:
    assert found(text, name, language) == [(linked, EXACT)]


@pytest.mark.parametrize(
    ("name", "word", "language"),
    [("জাতি", "জাতীয়", "bn"), ("Ліс", "лісовий", "uk"), ("Автор", "авторка", "uk")],
)
def test_a_derived_word_is_no_form(name: str, word: str, language: str) -> None:
    assert found(word, name, language) == []


@pytest.mark.parametrize(
    ("name", "word"), [("Australia", "Australian"), ("Communism", "communist"), ("Ancient Egypt", "ancient Egyptians")]
)
def test_derived_words_are_found_by_those_who_ask_for_them(name: str, word: str) -> None:
    (mention,) = MentionFinder([name], "en", Forms.DERIVED).find(f"The {word} went.")
    assert mention.span.cut(f"The {word} went.") == word


@pytest.mark.parametrize(("name", "word"), [("Sea", "seal"), ("Law", "lawn"), ("Chile", "child"), ("War", "warn")])
def test_other_words_are_not_derived(name: str, word: str) -> None:
    assert MentionFinder([name], "en", Forms.DERIVED).find(f"The {word} went.") == []


def test_the_first_part_of_a_compound_is_no_form() -> None:
    assert found("die Entwicklungs-Werkzeuge", "Entwicklung", "de") == []


def test_a_name_of_software_keeps_its_english_plural_in_any_script() -> None:
    assert found("несколько man pages", "Man page", "ru") == [("man pages", NEAR)]


def test_serbian_is_compared_in_either_script() -> None:
    assert are_forms("voz", "vozovi", "sr") == are_forms("воз", "возови", "sr")


@given(st.text(max_size=12), st.text(max_size=12), st.sampled_from(["en", "uk", "tr", "xx", "vi", "ar"]))
def test_it_is_the_same_question_both_ways_round_where_there_is_a_table(one: str, other: str, language: str) -> None:
    assert are_forms(one, one, language)
    if language in {"en", "uk", "tr", "ar", "vi"}:
        assert are_forms(one, other, language) == are_forms(other, one, language)


def test_a_title_without_endings_is_never_longer_than_its_forms() -> None:
    assert not are_forms("komutan", "komuta", "tr")
    assert are_forms("komutan", "komutanlar", "tr")
    assert are_forms("signals", "signal", "en")
