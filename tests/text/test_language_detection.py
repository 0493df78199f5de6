import pytest

from linkspot import Markup, Page, suggest
from linkspot.text.language_detection import detected_language

TEXTS = {
    "sw": "Mbwa ni mnyama wa kufugwa anayelinda nyumba na mifugo ya wakulima.",
    "en": "The dog guards the house and the sheep of the farmers.",
    "uk": "Собака охороняє хату та вівці селян уже багато тисяч років.",
    "ja": "犬は人間と共に暮らす動物で、家や羊を守ることができる。",
    "ar": "الكلب حيوان أليف يحرس البيت والأغنام منذ آلاف السنين.",
    "bn": "কুকুর একটি গৃহপালিত প্রাণী যা বাড়ি ও ভেড়া পাহারা দেয়।",
    "vi": "Chó là loài vật nuôi canh giữ nhà cửa và đàn cừu của nông dân.",
    "no": "Hunden er et husdyr som vokter huset og sauene til bøndene i bygda.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_a_text_tells_its_language(language: str) -> None:
    assert detected_language(TEXTS[language]) == language


@pytest.mark.parametrize("text", ["", "Rex", "12345 67890 " * 20, "= * # " * 50, "x"])
def test_a_text_of_a_few_letters_tells_nothing(text: str) -> None:
    assert detected_language(text) == ""


def test_an_answer_says_that_the_language_was_judged_by_the_text() -> None:
    page = Page("Mbwa", TEXTS["sw"], Markup.WIKITEXT, "")
    answer = suggest(page, "Nyumba", ranker="bm25")
    assert answer.article.language == "sw"
    assert answer.notes[-1].startswith("The page does not say its language; its text reads like “sw”.")
    assert answer.places[0].link == "[[nyumba]]"


def test_a_page_that_says_its_language_is_believed() -> None:
    html = f"<html lang=de><p>{TEXTS['sw']}</p>"
    answer = suggest(html, "Nyumba", ranker="bm25", markup="html")
    assert answer.article.language == "de"
    assert not [note for note in answer.notes if "language" in note]
