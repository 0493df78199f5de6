"""Messages in many languages: complete, with PLURAL and GENDER, and chosen as people wish."""

import json
import re
from importlib import resources

import pytest

from linkspot.service.page.messages import Messages, languages, messages_in, preferred

FOLDER = resources.files("linkspot.service.page.i18n")
_CHOICE = re.compile(r"\{\{(?:PLURAL|GENDER):[^{}]*\}\}")


def _file(code: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads(FOLDER.joinpath(f"{code}.json").read_text(encoding="utf-8"))
    return {key: text for key, text in texts.items() if key != "@metadata"}


def _message(language: str, text: str) -> Messages:
    return Messages(language, {"it": text})


def test_there_are_thirteen_languages_and_a_documentation_of_every_message() -> None:
    assert set(languages()) == {"ar", "de", "en", "es", "fr", "hi", "id", "ja", "pt", "ru", "sw", "uk", "zh-hans"}
    assert _file("qqq").keys() == _file("en").keys()


@pytest.mark.parametrize("code", sorted(set(languages()) - {"en"}))
def test_every_message_is_translated_and_uses_the_same_arguments(code: str) -> None:
    texts, english = _file(code), _file("en")
    assert texts.keys() == english.keys()
    for key, text in texts.items():
        assert text.strip(), key
        arguments = set(re.findall(r"\$\d", _CHOICE.sub("", text)))
        assert arguments == set(re.findall(r"\$\d", _CHOICE.sub("", english[key]))), key
        assert ("{{PLURAL" in text) == ("{{PLURAL" in english[key]), key
        assert text.count("{{") == text.count("}}")


def test_numbers_take_the_form_of_their_language() -> None:
    russian = _message("ru", "{{PLURAL:$1|$1 место|$1 места|$1 мест}}")
    numbers = (1, 3, 5, 11, 21, 112)
    assert [russian("it", number) for number in numbers] == [
        "1 место", "3 места", "5 мест", "11 мест", "21 место", "112 мест",
    ]  # fmt: skip
    arabic = _message("ar", "{{PLURAL:$1|0|1|2|few|many|other}}")
    assert [arabic("it", number) for number in (0, 1, 2, 3, 11, 100)] == ["0", "1", "2", "few", "many", "other"]
    french = _message("fr", "{{PLURAL:$1|one|other}}")
    assert [french("it", number) for number in (0, 1, 2)] == ["one", "one", "other"]
    exact = _message("en", "{{PLURAL:$1|0=none|one|other}}")
    assert [exact("it", number) for number in (0, 1, 7)] == ["none", "one", "other"]
    assert _message("ja", "{{PLURAL:$1|$1件}}")("it", 3) == "3件"


def test_gender_takes_the_third_form_or_the_first_where_it_is_not_known() -> None:
    three = _message("ar", "{{GENDER:$1|m|f|n}}")
    assert [three("it", gender) for gender in ("male", "female", "unknown")] == ["m", "f", "n"]
    assert _message("ru", "{{GENDER:$1|m}}")("it", "female") == "m"


def test_arguments_are_text_and_nothing_in_them_is_read() -> None:
    message = _message("en", "a $1 b $2 c $3")
    assert message("it", "{{PLURAL:2|x|y}}", "$1") == "a {{PLURAL:2|x|y}} b $1 c $3"


def test_a_language_is_chosen_as_the_browser_wishes() -> None:
    wishes = {
        "de-AT,de;q=0.9,en;q=0.8": "de",
        "en;q=0.5, sw;q=0.9": "sw",
        "zh-TW": "zh-hans",
        "xx, ar;q=0.1": "ar",
        "ru;q=0, fr;q=0.2": "fr",
        "": "en",
        "*": "en",
        "de;q=broken, ;;;,": "en",
    }
    assert {wish: preferred(wish) for wish in wishes} == wishes
    assert messages_in("xx").language == "en"
    assert [messages_in(code).direction for code in ("ar", "ja")] == ["rtl", "ltr"]
