"""The judged set: its labels fit its pages, and answers are judged by them."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from bench.__main__ import main
from bench.judged.measurement import JudgedAnswer, keep_verdicts, kept_verdicts, report
from bench.judged.pair import FRESH, KEPT, PAGES, PAIRS, Pair, PairClass, RightPlace, page_of, pairs
from bench.judged.verdict import EditQuality, Verdict, judge

import linkspot
from linkspot.answers.answer import Answer
from linkspot.parsing import parse
from linkspot.records import Action, Article, Entity, LinkKind, Page, Place
from linkspot.source_map import Span

FIRST_SET = [*pairs(PAIRS), *pairs(KEPT)]
EVERY_PAIR = [*FIRST_SET, *pairs(FRESH)]
PAGE_NAMES = sorted(path.name for path in PAGES.iterdir())
# Small words that tell the languages of one script from another, and letters where the script does so already.
SMALL_WORDS = {
    "de": "der die das und ist ein eine den mit dem von im auf zu wurde",
    "en": "the of and to is was that it for with a by are",
    "es": "el la los las y de que en un del se por una con fue",
    "fi": "on ja ei se oli sen joka jonka vuonna ovat kun hän sekä",
    "fr": "le la les et des du un une est dans à de au par",
    "hu": "a az és volt egy is hogy csak nem aki amely",
    "id": "dan di pada yang ini itu dengan dari adalah untuk tahun sebuah",
    "it": "il la di e che un si dei del con per le nel è una i gli",
    "pl": "w i na z się do od przez jest był ma oraz roku",
    "pt": "o a os e de do da em um uma com para foi na é",
    "ru": "в и на с не из его он как был она по для году",
    "sw": "ya na wa kwa ni za katika la yake huu cha",
    "tr": "ve bir bu için olarak her ile da de en vardır",
    "uk": "з та у до й на його що як із ми які по року",
}
LETTERS = {
    "ar": r"[\u0621-\u064a]",
    "he": r"[\u05d0-\u05ea]",
    "hi": r"[\u0904-\u0939]",
    "ja": r"[\u3041-\u30ff]",
    "ko": r"[\uac00-\ud7a3]",
    "zh": r"[\u4e00-\u9fff]",
}


def language_of(text: str) -> str:
    """Return the language whose letters, else whose small words, are the most frequent in a text."""
    letters = {language: len(re.findall(pattern, text)) / len(text) for language, pattern in LETTERS.items()}
    if letters["ja"] > 0.2:  # Japanese has Chinese characters, too
        return "ja"
    likely = max(letters, key=letters.__getitem__)
    if letters[likely] > 0.3:
        return likely
    words = Counter(re.findall(r"[\w']+", text.lower()))
    return max(SMALL_WORDS, key=lambda language: sum(words[word] for word in SMALL_WORDS[language].split()))


def sentences(name: str) -> list[str]:
    return [sentence.text for _, sentence in parse(page_of(name)).sentences]


@pytest.mark.parametrize("name", PAGE_NAMES)
def test_a_page_and_its_leads_are_written_in_the_language_that_it_says(name: str) -> None:
    assert language_of(" ".join(sentences(name))) == name[:2]
    assert language_of(" ".join(pair.target.lead for pair in EVERY_PAIR if pair.page == name)) == name[:2]


@pytest.mark.parametrize("name", PAGE_NAMES)
def test_a_page_is_short_and_has_sections_and_pairs(name: str) -> None:
    article = parse(page_of(name))
    assert 8 <= len(article.sentences) <= 25
    assert len(article.sections) >= 3
    assert article.title
    assert article.language == name[:2]
    assert any(pair.page == name for pair in EVERY_PAIR)


@pytest.mark.parametrize("pair", EVERY_PAIR, ids=lambda pair: pair.key)
def test_the_labels_of_a_pair_stand_in_its_page(pair: Pair) -> None:
    article = parse(page_of(pair.page))
    assert pair.language == article.language
    for right in pair.right:
        (sentence,) = [sentence.text for _, sentence in article.sentences if right.quote in sentence.text]
        assert [word for word in right.words if word not in sentence] == []
    text = "\n".join(section.text for section in article.sections)
    assert [word for word in pair.not_words if word not in text] == []
    links = [link for section in article.sections for link in section.links if link.kind is LinkKind.PAGE]
    assert set(pair.exists) <= {link.mention for link in links}


def test_right_words_are_never_false_friends() -> None:
    assert [pair.key for pair in EVERY_PAIR for right in pair.right if set(right.words) & set(pair.not_words)] == []


def test_there_are_enough_pairs_of_every_class_and_each_pair_occurs_once() -> None:
    counts = Counter(pair.pair_class for pair in EVERY_PAIR)
    assert min(counts[name] for name in PairClass) >= 15
    assert all(len({pair.language for pair in EVERY_PAIR if pair.pair_class is name}) >= 14 for name in PairClass)
    assert len({pair.key for pair in EVERY_PAIR}) == len(EVERY_PAIR)


def test_the_fresh_set_has_enough_pairs_of_the_classes_that_it_is_for() -> None:
    counts = Counter(pair.pair_class for pair in pairs(FRESH))
    needed = {PairClass.PART: 30, PairClass.FRIENDS: 25, PairClass.LINKED: 10, PairClass.INFLECTED: 10}
    assert all(counts[name] >= number for name, number in needed.items())
    assert {pair.page for pair in pairs(FRESH)}.isdisjoint(pair.page for pair in FIRST_SET)


def test_a_third_of_every_class_is_kept_apart() -> None:
    counts, kept = (Counter(pair.pair_class for pair in group) for group in (FIRST_SET, pairs(KEPT)))
    assert {name: kept[name] for name in PairClass} == {name: round(counts[name] / 3) for name in PairClass}


TEXT = "The parish of Paris is old. Painters came to Paris from [[Rome]].\n\n== Food ==\nBread is baked early."
PAGE = Page("France", TEXT, "wikitext", "en")
PARIS = Entity("Paris")


def a_pair(pair_class: PairClass = PairClass.WORDS, **labels: object) -> Pair:
    right = (RightPlace("The parish of", ("Paris",)),)
    pair = Pair("page", "en", pair_class, PARIS, right, False, ("parish",), (), "")
    return replace(pair, **labels)


def an_answer(*places: Place, entity: Entity = PARIS, **facts: object) -> Answer:
    article = parse(PAGE)
    answer = Answer(PAGE, article, entity, "by hand", places, (), is_nowhere=not places)
    return replace(answer, **facts)


def linking(words: str, after: str = "", link: str = "") -> Place:
    """A place that links the first such words after some others."""
    article = parse(PAGE)
    start = article.sections[0].text.index(words, article.sections[0].text.index(after))
    number = next(n for n, sentence in enumerate(article.sections[0].sentences) if sentence.end > start)
    span = Span(start, start + len(words))  # the page begins without markup, so its offsets are the markup's
    text = article.sections[0].sentences[number].text
    return Place(0, number, 1.0, Action.LINK_WORDS, "", span, link or f"[[Paris|{words}]]", span, text=text)


def adding(article: Article, section: int, sentence: int) -> Place:
    own = article.sections[section].sentences[sentence]
    return Place(section, sentence, 1.0, Action.ADD_TO_SENTENCE, "", own.source, "[[Paris]]", text=own.text)


def test_the_right_words_make_place_advice_and_edit_right() -> None:
    verdict = judge(a_pair(), an_answer(linking("Paris")))
    assert verdict == Verdict(True, True, EditQuality.BEST, claims_friend=False, says_linked=False)


def test_other_words_that_are_fine_are_told_from_the_best() -> None:
    right = (RightPlace("The parish of", ("of Paris", "Paris")),)
    verdict = judge(a_pair(right=right), an_answer(linking("Paris")))
    assert verdict.advice
    assert verdict.takes_edit
    assert verdict.edit is EditQuality.FINE


def test_a_false_friend_in_the_right_sentence_is_a_wrong_claim() -> None:
    verdict = judge(a_pair(), an_answer(linking("parish")))
    assert verdict == Verdict(True, False, EditQuality.OTHER_WORDS, claims_friend=True, says_linked=False)


def test_wrong_words_in_the_right_sentence_are_wrong_advice_but_no_false_friend() -> None:
    verdict = judge(a_pair(), an_answer(linking("old")))
    assert verdict == Verdict(True, False, EditQuality.OTHER_WORDS, claims_friend=False, says_linked=False)


def test_a_part_of_a_false_friend_and_one_in_a_later_place_are_claims() -> None:
    assert judge(a_pair(), an_answer(linking("paris"))).claims_friend
    later = judge(a_pair(), an_answer(linking("Paris"), linking("parish")))
    assert later.place
    assert later.claims_friend
    assert not later.advice


def test_right_words_that_hold_a_false_friend_are_no_claim() -> None:
    pair = a_pair(right=(RightPlace("The parish of", ("parish of Paris",)),))
    assert not judge(pair, an_answer(linking("parish of Paris"))).claims_friend


def test_another_sentence_is_a_wrong_place() -> None:
    verdict = judge(a_pair(), an_answer(linking("Paris", after="Painters")))
    assert not verdict.place
    assert not verdict.advice
    assert not verdict.takes_edit


def test_advice_to_add_is_wrong_only_where_words_stand() -> None:
    answer = an_answer(adding(parse(PAGE), 0, 0))
    assert judge(a_pair(), answer) == Verdict(True, False, EditQuality.MISSING, claims_friend=False, says_linked=False)
    verdict = judge(a_pair(PairClass.ABSENT), answer)
    assert verdict.advice
    assert verdict.edit is None


@pytest.mark.parametrize("is_right", [True, False])
def test_nowhere_is_as_right_as_its_label(is_right: bool) -> None:
    verdict = judge(a_pair(PairClass.FRIENDS, nowhere=is_right), an_answer())
    assert (verdict.place, verdict.advice) == (is_right, is_right)


def test_a_place_for_an_absurd_target_is_wrong() -> None:
    pair = a_pair(PairClass.ABSURD, right=(), nowhere=True)
    verdict = judge(pair, an_answer(adding(parse(PAGE), 1, 0)))
    assert (verdict.place, verdict.advice) == (False, False)


def test_an_edit_that_adds_no_link_or_changes_the_text_is_broken() -> None:
    for link in ("Paris", "[[Paris|Lyon]]", "[[London|Paris]]", "[[Paris]] [[Paris]]", "[[Paris|Pa]][[Rome|ris]]"):
        assert judge(a_pair(), an_answer(linking("Paris", link=link))).edit is EditQuality.BROKEN


def test_a_link_that_is_there_must_be_said_first() -> None:
    rome = Entity("Rome")
    pair = replace(a_pair(), pair_class=PairClass.LINKED, target=rome, right=(), nowhere=True, exists=("Rome",))
    existing = linkspot.suggest(PAGE, rome, "string-match")
    said = judge(pair, existing)
    assert said.says_linked
    assert said.advice == (not existing.places)
    later = judge(pair, replace(existing, notes=("Nowhere.", *existing.notes), places=()))
    assert not later.says_linked
    assert not later.advice


def test_a_link_that_is_not_there_must_not_be_said() -> None:
    existing = linkspot.suggest(PAGE, Entity("Rome"), "string-match").existing
    assert not judge(a_pair(), an_answer(linking("Paris"), existing=existing)).advice


def test_the_report_counts_right_and_wrong_answers_and_those_before() -> None:
    right, wrong = judge(a_pair(), an_answer(linking("Paris"))), judge(a_pair(), an_answer(linking("parish")))
    friends = a_pair(PairClass.FRIENDS)
    cases = [
        JudgedAnswer(a_pair(), right, wrong),
        JudgedAnswer(a_pair(), wrong, wrong),
        JudgedAnswer(friends, wrong, right),
    ]
    text = report(cases)
    assert "| words | 2 | 1.000 | 1.000 | 0.000 | 0.500 | 0.000 | 0.500 | 0.000 | 0.500 |" in text
    assert "False friends claimed, in the best 5 places: 1 of 1; before: 0" in text
    assert "| words | 1 | 1.000 | 1.000 | 1.000 | 1.000 |" in report([JudgedAnswer(a_pair(), right)])


def test_kept_verdicts_come_back_and_a_pair_without_one_is_an_error(tmp_path: Path) -> None:
    verdicts = [judge(a_pair(), an_answer(linking(words))) for words in ("Paris", "parish")]
    two = [a_pair(), a_pair(target=Entity("Lyon"))]
    file = tmp_path / "before.jsonl"
    assert kept_verdicts(file, two) == [None, None]
    keep_verdicts(two, verdicts, file)
    assert kept_verdicts(file, two[::-1]) == verdicts[::-1]
    with pytest.raises(SystemExit, match=r"no verdict on page: Nice; run the older code with --as-before again"):
        kept_verdicts(file, [a_pair(target=Entity("Nice"))])


def test_options_are_for_measurements_that_take_some() -> None:
    with pytest.raises(SystemExit, match="labels takes no options; leave out --kept"):
        main(["labels", "--kept"])
