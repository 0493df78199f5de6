import pytest

from linkspot.text.mentions import Exactness, Forms, MentionFinder
from linkspot.text.noun_classes import other_numbers


@pytest.mark.parametrize(
    ("title", "sentence", "written"),
    [
        ("Mkulima", "Wakulima hulima.", "Wakulima"),
        ("Mzinga", "Kuna mizinga ya nyuki.", "mizinga"),
        ("Kikapu", "Wanauza vikapu sokoni.", "vikapu"),
        ("Jambo", "Mambo ni mengi.", "Mambo"),
    ],
)
def test_many_of_a_swahili_noun_are_a_form_of_one(title: str, sentence: str, written: str) -> None:
    (mention,) = MentionFinder([title], "sw", Forms.KNOWN).find(sentence)
    assert mention.span.cut(sentence) == written
    assert mention.exactness is Exactness.NEAR


def test_short_words_and_other_beginnings_have_no_other_number() -> None:
    assert other_numbers("watu") == ()
    assert other_numbers("nyuki") == ("wuki",)
    assert other_numbers("sokoni") == ()


def test_other_languages_have_no_noun_classes() -> None:
    assert MentionFinder(["Mkulima"], "en", Forms.KNOWN).find("Wakulima hulima.") == []
