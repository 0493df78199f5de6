import pytest

from linkspot.text.mentions import Exactness
from linkspot.text.name_parts import PartFinder


def parts(name: str, sentences: list[str], language: str = "en", lead: str = "") -> list[list[str]]:
    finder = PartFinder([name], sentences, lead, language)
    mentions = [(text, finder.find(number, text)) for number, text in enumerate(sentences)]
    assert all(mention.exactness is Exactness.PART for _, found in mentions for mention in found)
    return [[mention.span.cut(text) for mention in found] for text, found in mentions]


def test_a_last_name_stands_for_the_person_once_named() -> None:
    sentences = ["Many read Tolstoy.", "Leo Tolstoy wrote novels.", "Later Tolstoy became a teacher."]
    assert parts("Leo Tolstoy", sentences)[::2] == [[], ["Tolstoy"]]


@pytest.mark.parametrize(
    "last",
    [
        "Anna Tolstoy became a teacher.",  # another person
        "Leo was a teacher.",  # a first name alone
        "A tolstoy is a shirt.",
    ],
)
def test_words_that_may_mean_something_else_stand_for_nobody(last: str) -> None:
    assert parts("Leo Tolstoy", ["Leo Tolstoy wrote novels.", last])[1] == []


def test_a_word_that_the_page_uses_for_any_such_thing_is_no_name() -> None:
    sentences = ["The Congo River is long.", "No other river is deeper.", "The River floods."]
    assert parts("Congo River", sentences)[2] == []


def test_the_lead_shows_what_a_word_means_too() -> None:
    sentences = ["Oxford University is old.", "Students of the University vote."]
    assert parts("Oxford University", sentences, lead="Oxford University is a university.")[1] == []


def test_the_last_two_words_of_a_phrase_stand_for_it() -> None:
    assert parts("Atlantic slave trade", ["The slave trade grew.", "They trade."]) == [["slave trade"], []]


@pytest.mark.parametrize(
    ("name", "sentence", "language", "lead", "part"),
    [
        ("Jean Sibelius", "Sibelius sävelsi aiheesta teoksia.", "fi", "Jean Sibelius oli säveltäjä.", "Sibelius"),
        ("Пушкин, Александр Сергеевич", "Здесь учился Пушкин.", "ru", "Русский поэт.", "Пушкин"),
        ("Marschalkó János", "A kőoroszlánokat Marschalkó faragta.", "hu", "Magyar szobrász.", "Marschalkó"),
        ("गौतम बुद्ध", "बुद्ध ने उपदेश दिया।", "hi", "गौतम बुद्ध एक श्रमण थे।", "बुद्ध"),
        (
            "Jean-Baptiste Colbert",
            "Colbert soutint le projet.",
            "fr",
            "Jean-Baptiste Colbert était ministre.",
            "Colbert",
        ),
        ("Jan Hus", "Der böhmische Reformator Hus starb.", "de", "Jan Hus war Theologe.", "Hus"),
        ("Ferdinand von Zeppelin", "Hier baute Graf Zeppelin.", "de", "Ferdinand von Zeppelin flog.", "Zeppelin"),
        ("Abraham Lincoln", "Then President Lincoln spoke.", "en", "Abraham Lincoln was a lawyer.", "Lincoln"),
        ("J. R. R. Tolkien", "Tolkien luki sen.", "fi", "J. R. R. Tolkien oli kirjailija.", "Tolkien"),
        ("John Dunlop", "So half der Tierarzt Dunlop.", "de", "John Dunlop war Tierarzt.", "Dunlop"),
        ("Клопотенко Євген", "Кухар Клопотенко готує.", "uk", "Євген Клопотенко — шеф-кухар.", "Клопотенко"),
        ("İstanbul Boğazı", "Kuleden hem Boğaz görünür.", "tr", "İstanbul Boğazı bir su yoludur.", "Boğaz"),
        ("费迪南德·冯·李希霍芬", "名称由李希霍芬提出。", "zh", "费迪南德·冯·李希霍芬是地理学家。", "李希霍芬"),
    ],
)
def test_with_a_lead_a_family_name_is_enough(name: str, sentence: str, language: str, lead: str, part: str) -> None:
    assert parts(name, [sentence], language, lead) == [[part]]
    assert parts(name, [sentence], language) == [[]]


@pytest.mark.parametrize(
    ("name", "sentence", "language", "lead"),
    [
        ("Leo Tolstoy", "Anna Tolstoy came.", "en", "Leo Tolstoy was a writer."),
        ("Congo River", "The River floods.", "en", "The Congo River is a river."),
        ("गंगा नदी", "नदी बहती है।", "hi", "गंगा नदी भारत की एक नदी है।"),
        ("Leo Tolstoy", "Leo came.", "en", "Leo Tolstoy was a writer."),
        ("John Dunlop", "So half Karl Dunlop.", "de", "John Dunlop war Tierarzt."),
        ("التراث غير المادي", "الإرث المادي قديم.", "ar", "التراث غير المادي هو الممارسات."),
    ],
)
def test_a_lead_shows_that_a_word_is_no_family_name(name: str, sentence: str, language: str, lead: str) -> None:
    assert parts(name, [sentence], language, lead) == [[]]


def test_a_noun_with_its_article_stands_for_the_name_in_arabic() -> None:
    sentences = ["الدولة الفاطمية في مصر.", "كان العصر الفاطمية طويلا."]
    assert parts("الدولة الفاطمية", sentences, "ar")[1] == ["الفاطمية"]


@pytest.mark.parametrize(
    ("name", "sentence", "language", "part"),
    [
        ("Atlantic slave trade", "It led the British slave trade.", "en", "slave trade"),
        ("John Boyd Dunlop", "Tyres by John Dunlop sold well.", "en", "John Dunlop"),
        ("التراث الثقافي غير المادي", "في قائمة التراث غير المادي عام.", "ar", "التراث غير المادي"),
        ("Savonlinnan oopperajuhlat", "Linnassa on nykyään oopperajuhlat.", "fi", "oopperajuhlat"),
        ("明治時代", "明治以降、生産は減った。", "ja", "明治"),
    ],
)
def test_a_phrase_that_says_enough_needs_no_introduction(name: str, sentence: str, language: str, part: str) -> None:
    assert parts(name, [sentence], language) == [[part]]


def test_a_part_in_the_page_s_own_title_is_not_the_person() -> None:
    sentences = ["A Széchenyi lánchíd az első híd.", "Itt várt Széchenyi."]
    lead = "Széchenyi István magyar politikus volt."
    finder = PartFinder(["Széchenyi István"], sentences, lead, "hu", "Széchenyi lánchíd")
    assert [len(finder.find(number, text)) for number, text in enumerate(sentences)] == [0, 1]
