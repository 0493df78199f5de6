import time
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.records import Entity
from linkspot.source_map import Span
from linkspot.text.mentions import Exactness, Mention, MentionFinder, known_names

EXACT, FOLDED, NEAR = Exactness.EXACT, Exactness.FOLDED, Exactness.NEAR


def find_mentions(text: str, names: Iterable[str], language: str) -> list[Mention]:
    return MentionFinder(names, language).find(text)


def found(text: str, name: str, language: str) -> list[tuple[str, Exactness]]:
    return [(mention.span.cut(text), mention.exactness) for mention in find_mentions(text, [name], language)]


@pytest.mark.parametrize(
    ("text", "name", "language", "expected"),
    [
        ("A Signal stops trains.", "Signal", "en", [("Signal", EXACT)]),
        ("A signal stops trains.", "Signal", "en", [("signal", FOLDED)]),
        ("Two signals stop trains.", "Signal", "en", [("signals", NEAR)]),
        ("Die GROSSE STRASSE.", "Straße", "de", [("STRASSE", FOLDED)]),
        ("Un cafe\u0301 noir.", "café", "fr", [("cafe\u0301", EXACT)]),
        ("Un cafe noir.", "café", "fr", [("cafe", NEAR)]),
        ("Управление сигналами.", "Сигнал", "ru", [("сигналами", NEAR)]),
        ("Острови Тихого океану.", "Тихий океан", "uk", [("Тихого океану", NEAR)]),
        ("Hän on talossa.", "talo", "fi", [("talossa", NEAR)]),
        ("İSTANBUL'da yaşar.", "istanbul", "tr", [("İSTANBUL", FOLDED)]),
        ("신호기를 세우다.", "신호기", "ko", [("신호기를", NEAR)]),
        ("ভারতের রাজধানী", "ভারত", "bn", [("ভারতের", NEAR)]),
        ("زار والقاهرة", "القاهرة", "ar", [("والقاهرة", NEAR)]),
        ("زار مَدِينَة", "مدينة", "ar", [("مَدِينَة", FOLDED)]),
        ("הוא גר בירושלים", "ירושלים", "he", [("בירושלים", NEAR)]),
        ("日本の首都は東京都です", "東京", "ja", [("東京", EXACT)]),
        ("กรุงเทพมหานคร", "กรุงเทพ", "th", [("กรุงเทพ", EXACT)]),
        ("Written in C++ today.", "C++", "en", [("C++", EXACT)]),
        ("a New-York minute", "New York", "en", [("New-York", FOLDED)]),
        ("Party 🎉!", "🎉", "en", [("🎉", EXACT)]),
    ],
)
def test_mentions_are_found_in_the_forms_of_their_language(
    text: str, name: str, language: str, expected: list[tuple[str, Exactness]]
) -> None:
    assert found(text, name, language) == expected


@pytest.mark.parametrize(
    ("text", "name", "language"),
    [
        ("The artist painted.", "Art", "en"),  # a part of a word
        ("He lives in Iran.", "Iraq", "en"),
        ("China and Canada.", "Chile", "en"),
        ("Let us go.", "US", "en"),
        ("In 1977 and 19761.", "1976", "en"),
        ("Boeing 747s fly.", "Boeing 737", "en"),
        ("Something new, York said.", "New York", "en"),
        ("con gà", "gã", "vi"),
        ("A car.", "Carbon", "en"),
        ("Written in C.", "C++", "en"),
    ],
)
def test_other_words_are_no_mentions(text: str, name: str, language: str) -> None:
    assert found(text, name, language) == []


def test_the_longest_name_wins_and_mentions_do_not_overlap() -> None:
    mentions = find_mentions("New York City is in New York.", ["New York", "New York City"], "en")
    assert [(mention.name, mention.span) for mention in mentions] == [
        ("New York City", Span(0, 13)),
        ("New York", Span(20, 28)),
    ]


def test_of_two_names_for_the_same_words_the_closer_one_is_told() -> None:
    (mention,) = find_mentions("Some signals.", ["Signal", "signals"], "en")
    assert (mention.name, mention.exactness) == ("signals", EXACT)


def test_names_without_a_word_or_sign_are_never_found() -> None:
    assert find_mentions("a - b _ c", ["", " ", "-", "_"], "en") == []


LETTERS = "abcßéİIıﬁе́ёй東カがｶﾞ가กรุ̣ভার مَ-' .()9"
TEXT = st.text(alphabet=LETTERS, max_size=40)
LANGUAGE = st.sampled_from(["en", "tr", "ru", "ar", "he", "ko", "fi", "vi", "ja", "th", "bn"])


@given(TEXT, st.text(alphabet=LETTERS, min_size=1, max_size=6), TEXT, LANGUAGE)
def test_a_name_between_blanks_is_found_by_its_very_letters(before: str, name: str, after: str, language: str) -> None:
    is_bare_word = name.isalnum()
    text = f"{before} {name} {after}"
    covered = {i for m in find_mentions(text, [name], language) for i in range(m.span.start, m.span.end)}
    if is_bare_word:
        assert set(range(len(before) + 1, len(before) + 1 + len(name))) <= covered


@given(TEXT, st.lists(st.text(alphabet=LETTERS, max_size=6), max_size=4), LANGUAGE)
def test_mentions_are_in_order_inside_the_text_and_apart(text: str, names: list[str], language: str) -> None:
    end = 0
    for mention in find_mentions(text, names, language):
        assert end <= mention.span.start < mention.span.end <= len(text)
        assert mention.name in names
        end = mention.span.end


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Mercury (planet)", {"Mercury (planet)", "Mercury"}),
        ("水星（惑星）", {"水星（惑星）", "水星"}),
        ("en/Manual/Signals", {"en/Manual/Signals", "Signals"}),
        ("AC/DC", {"AC/DC"}),
        ("Solar_System", {"Solar System"}),
        ("Window: open() method", {"Window: open() method", "open()", "Window.open"}),
    ],
)
def test_what_only_tells_a_title_from_others_is_no_part_of_the_name(title: str, expected: set[str]) -> None:
    assert set(known_names(Entity(title), "en")) == expected


def test_the_title_is_known_before_the_mentions_and_each_name_once() -> None:
    assert known_names(Entity("Dog", mentions=("hound", "Dog")), "en") == ("Dog", "hound")


@pytest.mark.no_cover
def test_a_long_text_costs_time_in_proportion() -> None:
    finder = MentionFinder(["signal", "block signal"], "en")

    def seconds(text: str) -> float:
        times = []
        for _ in range(5):
            start = time.process_time()
            finder.find(text)
            times.append(time.process_time() - start)
        return min(times)

    text = "Trains stop at a block signal, and é waits. " * 200
    assert seconds(text * 8) < 8 * 2.5 * seconds(text)
