from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.evaluation.published_repair import repair_seams, repaired
from linkspot.examples.published_rows import PublishedQuery, PublishedWindow
from linkspot.records import Entity, Scenario

KEPT = (
    "3.14",
    "e.g.",
    "U.S.A.",
    "J.R.R.",
    "J.R.R. Tolkien",
    "index.md",
    "README.md",
    "Node.js",
    "System.IO",
    "https://example.org/Wiki.Page?a=b.Cd",
    "http://example.org/wiki.Page",
    "www.Example.Org",
    "a.b@Example.org",
    "wait...what",
    "Wait… no",
    "v1.2.Beta",
    "12:30",
    "1,000.50",
    "(sic!)",
    "Yahoo!,",
    "p.m.",
)


@pytest.mark.parametrize(
    ("glued", "fixed", "language"),
    [
        ("It ended here.Then it began.", "It ended here. Then it began.", "en"),
        ("Was it so?Nobody knows.", "Was it so? Nobody knows.", "en"),
        ("Es war so.Über allem lag Schnee.", "Es war so. Über allem lag Schnee.", "de"),
        ("Это было здесь.Потом всё кончилось.", "Это было здесь. Потом всё кончилось.", "ru"),
        ("यह एक घर है।वह बड़ा है।", "यह एक घर है। वह बड़ा है।", "hi"),
        ("東京は首都です。大阪は都市です。", "東京は首都です。大阪は都市です。", "ja"),
        ("他来了。她走了。", "他来了。她走了。", "zh"),
        ("กรุงเทพเป็นเมืองหลวงเชียงใหม่เป็นเมือง", "กรุงเทพเป็นเมืองหลวงเชียงใหม่เป็นเมือง", "th"),
    ],
)
def test_sentences_that_touch_get_a_space_where_the_script_has_any(glued: str, fixed: str, language: str) -> None:
    assert repair_seams(glued, language) == fixed


@pytest.mark.parametrize("kept", KEPT)
def test_what_only_looks_like_a_seam_is_left_alone(kept: str) -> None:
    for text in (f"They say {kept} of it.", kept, f"({kept})", f"It is {kept}"):
        assert repair_seams(text, "en") == text


words = st.lists(st.sampled_from(["trees", "grow", "in", "winter", "slowly", "and", *KEPT]), min_size=3, max_size=8)


@given(words, words)
def test_the_seam_is_found_among_all_that_looks_like_one(first: list[str], second: list[str]) -> None:
    before, behind = "Old " + " ".join(first) + " forests.", "Then " + " ".join(second) + " ended."
    assert repair_seams(before + behind, "en") == f"{before} {behind}"


@given(st.text(alphabet="ab AB.!?…\"'()1東。ไก\n—:/", max_size=60), st.sampled_from(["en", "ja", "th", "xx"]))
def test_only_spaces_are_added_and_once_is_enough(text: str, language: str) -> None:
    fixed = repair_seams(text, language)
    assert "".join(fixed.split()) == "".join(text.split())
    assert len(fixed) >= len(text)
    assert repair_seams(fixed, language) == fixed


def query_of(
    *texts: str, gold: int = 0, section: str = "History", lead: str = "", language: str = "en"
) -> PublishedQuery:
    windows = tuple(PublishedWindow(text, section) for text in texts)
    return PublishedQuery("en/0", language, Scenario.MISSING_SENTENCE, Entity("A"), "B", lead, windows, gold)


def test_a_joint_is_mended_as_other_windows_have_it() -> None:
    glued = "the mills of NATOThe river is wide and slow"
    query = query_of(glued, "long ago the mills of NATO The river is wide and slow, so they say")
    assert repaired(query).windows[0].text == "the mills of NATO The river is wide and slow"
    assert repaired(query_of(glued, "Nothing alike")).windows[0].text == glued
    from_lead = query_of(glued, lead="the mills of NATO\n\nThe river is wide and slow")
    assert repaired(from_lead).windows[0].text == "the mills of NATO\nThe river is wide and slow"


def test_a_joint_is_mended_in_scripts_without_spaces_as_the_others_were_made() -> None:
    query = query_of(
        "東京は日本の首都である。大阪は西日本の都市である。",
        "昔、東京は日本の首都である。 大阪は西日本の都市である。",
        language="ja",
    )
    assert repaired(query).windows[0].text == "東京は日本の首都である。 大阪は西日本の都市である。"


def test_wrong_windows_are_mended_like_right_ones() -> None:
    texts = ("It ended here.Then  it\n\n began.", "It went on.Much \n later it stopped. ")
    for gold in (0, 1):
        windows = repaired(query_of(*texts, gold=gold)).windows
        assert [window.text for window in windows] == [
            "It ended here. Then it\nbegan.",
            "It went on. Much\nlater it stopped.",
        ]


def test_a_heading_is_set_off_unless_it_may_be_part_of_a_word() -> None:
    texts = ("HistoryThe mill is old.", "Historyless it was.", "History The mill.", "A History1 of it")
    assert [window.text for window in repaired(query_of(*texts)).windows] == ["History The mill is old.", *texts[1:]]
    assert repaired(query_of("The mill.", section="")).windows[0].text == "The mill."


def test_a_wrong_window_that_was_right_but_for_the_seam_is_right_then() -> None:
    query = query_of("It ended.Then it began.", "It ended. Then it began.", "It rains.")
    assert (query.right, repaired(query).right) == ((0,), (0, 1))


texts = st.text(alphabet="ab AB.!?\n", min_size=1, max_size=40).filter(str.strip)


@given(st.lists(texts, min_size=1, max_size=6), st.data())
def test_no_window_is_lost_moved_or_worded_anew(found: list[str], data: st.DataObject) -> None:
    query = query_of(*found, gold=data.draw(st.integers(0, len(found) - 1)))
    fixed = repaired(query)
    assert replace(fixed, windows=query.windows) == query
    for before, after in zip(query.windows, fixed.windows, strict=True):
        assert "".join(before.text.split()) == "".join(after.text.split())
        assert after.text == after.text.strip()
    assert set(query.right) <= set(fixed.right)
