import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.examples.cuts import Cut, CutArticle
from linkspot.examples.seams import word_spans
from linkspot.records import Article, Link, Markup, Section, Sentence
from linkspot.source_map import Span

NOWHERE = Span(0, 0)


def without_brackets(marked: str) -> str | None:
    """The sentence without the words that stand between ⟦ and ⟧, or nothing if that cannot be."""
    start, end = marked.index("⟦"), marked.index("⟧") - 1
    text = marked.replace("⟦", "").replace("⟧", "")
    article = page_of(text, joints=())
    cut = Cut(0, 0, 0, Span(start, end))
    return CutArticle(article, (cut,)).after.sections[0].text if cut.is_possible(article) else None


@pytest.mark.parametrize(
    ("marked", "repaired"),
    [
        ("The ⟦old mill⟧ is big.", "The is big."),
        ("They built a ⟦mill⟧.", "They built a."),
        ("Near the ⟦mill⟧, a road.", "Near the, a road."),
        ("Le ⟦moulin⟧ : vieux.", "Le : vieux."),  # French sets a space there, so it stays
        ("⟦Mills⟧, once common, are rare.", "Once common, are rare."),
        ("⟦1980⟧ року він помер.", "Року він помер."),
        ("Rye, ⟦oats⟧, wheat.", "Rye, wheat."),
        ("Rye, ⟦oats⟧.", "Rye."),
        ("Grain (rye, ⟦oats⟧) grows.", "Grain (rye) grows."),
        ("Grain (⟦rye⟧, oats) grows.", "Grain (oats) grows."),
        ("Grain (⟦rye⟧) grows.", "Grain grows."),
        ('Known as "⟦The Mill⟧", it fell.', "Known as, it fell."),
        ('Known as "⟦Old⟧ Mill" then.', 'Known as "Mill" then.'),
        ('Known as "Old ⟦Mill⟧" then.', 'Known as "Old" then.'),
        ("Dans l'⟦Afrique⟧ du nord.", "Dans du nord."),
        ("Two ⟦mill⟧s stand.", "Two stand."),
        ("Die ⟦Mühlen⟧-Bahn fährt.", "Die Bahn fährt."),
        ("HTML/⟦CSS⟧/JS is it.", "HTML/JS is it."),
        ("Rye – ⟦oats⟧ – wheat.", "Rye – wheat."),
        ("東京は⟦日本⟧の首都。", "東京はの首都。"),
        ("「⟦日本⟧」の首都。", "の首都。"),
        ("米、⟦麦⟧、豆。", "米、豆。"),
        ("বাংলা ⟦ভাষা⟧র কথা।", "বাংলা কথা।"),
        ("the ⟦mill⟧ is", "the is"),
        ("⟦Mill⟧.", None),
        ("(⟦Mill⟧)", None),
    ],
)
def test_the_text_around_cut_words_is_repaired(marked: str, repaired: str | None) -> None:
    assert without_brackets(marked) == repaired


@given(st.text(alphabet="ab ,.()-'\"«»東ไทยか—:A1", max_size=12), st.text(alphabet="xy東ก", min_size=1, max_size=3),
       st.text(alphabet="ab ,.()-'\"«»東ไทยか—:A1", max_size=12))  # fmt: skip
def test_no_seam_is_left_that_was_not_there(before: str, words: str, behind: str) -> None:
    text = before.lstrip() + words + behind.rstrip()
    start = len(before.lstrip())
    repaired = without_brackets(text[:start] + "⟦" + words + "⟧" + text[start + len(words) :])
    if repaired is None:
        return
    assert repaired == repaired.strip()
    for seam in ("  ", " ,", "( ", " )", ",,", " ."):
        assert repaired.count(seam) <= text.count(seam)
    assert not set(words) - {"東"} & set(repaired)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It's the old-time mill.", ["It's", "the", "old", "time", "mill"]),
        ("東京タワーは高い", ["東", "京", "タワー", "は", "高", "い"]),
        ("ไปเมือง", ["ไป", "เมื", "อ", "ง"]),
        ("বাংলা ভাষা", ["বাংলা", "ভাষা"]),
    ],
)
def test_words_of_every_script_are_whole(text: str, words: list[str]) -> None:
    assert [span.cut(text) for span in word_spans(text, 0, len(text))] == words


def page_of(*sentences: str, joints: tuple[str, ...], links: tuple[str, ...] = ()) -> Article:
    """A page of one section, with what stands between its sentences and links on some of its words."""
    text, found = "", []
    for sentence, joint in zip(sentences, (*joints, ""), strict=True):
        found.append(Sentence(sentence, len(text), len(text) + len(sentence), NOWHERE))
        text += sentence + joint
    starts = [(words, text.index(words)) for words in links]
    linked = tuple(Link(words, words, start, start + len(words), NOWHERE) for words, start in starts)
    return Article("A", "en", (Section("", 1, text, tuple(found), linked),), markup=Markup.WIKITEXT)


@pytest.mark.parametrize(
    ("joints", "joint"), [((" ", " "), " "), (("\n", "  "), "\n"), (("  ", "\n"), "\n"), (("", ""), "")]
)
def test_a_line_that_ended_beside_a_cut_sentence_still_ends(joints: tuple[str, str], joint: str) -> None:
    page = CutArticle(page_of("One.", "Two.", "Three.", joints=joints), (Cut(0, 1, 1),))
    assert page.after.sections[0].text == f"One.{joint}Three."


def test_no_link_of_what_is_cut_is_left_and_others_lose_at_most_a_sign() -> None:
    article = page_of("One dog", "and cat.", "Three, four.", joints=(" ", " "), links=("dog and", "Three,", "four"))
    without_sentence = CutArticle(article, (Cut(0, 1, 1),)).after.sections[0]
    assert (without_sentence.text, [link.mention for link in without_sentence.links]) == (
        "One dog Three, four.",
        ["Three,", "four"],
    )
    start = article.sections[0].text.index("four")
    without_words = CutArticle(article, (Cut(0, 2, 2, Span(start, start + 4)),)).after.sections[0]
    assert (without_words.text, [link.mention for link in without_words.links]) == (
        "One dog and cat. Three.",
        ["dog and", "Three"],
    )
