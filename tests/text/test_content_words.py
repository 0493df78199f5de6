import pytest

from linkspot.text.content_words import content_words


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Those people, which were there, would TRADE in slaves.", "en", ["people", "TRADE", "slaves"]),
        ("Die Züge fahren durch diese Städte.", "de", ["Züge", "fahren", "Städte"]),
        ("イエスの教えはキリスト教の中心である。", "ja", ["イエス", "キリスト教", "中心"]),
        ("北京是中国的首都。", "zh", ["北京", "中国", "首都"]),
        ("ປະເທດລາວ", "lo", []),  # no segmenter knows Lao
    ],
)
def test_words_are_whole_as_they_stand_and_say_something(text: str, language: str, expected: list[str]) -> None:
    assert content_words(text, language) == expected


def test_each_word_is_named_once() -> None:
    assert content_words("Signal, Signal!", "en") == ["Signal"]
