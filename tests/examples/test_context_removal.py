from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples.linked_pages import ALWAYS, NOWHERE, linked_page, linked_pages, seeds
from tests.surface import CHANCE, Row, joints, separability

from linkspot.corpora.corpus import CorpusSource
from linkspot.errors import UnusableInput
from linkspot.examples.candidates import candidates
from linkspot.examples.context_removal import ContextRemoval, remove_context, without_removal
from linkspot.examples.linked_example import LinkedExample
from linkspot.examples.removal_spots import Removal
from linkspot.examples.window_removal import removed_windows
from linkspot.parsing import parse
from linkspot.records import Article, Entity, Markup, Page, Section, Sentence
from linkspot.source_map import Span


def texts(article: Article) -> list[str]:
    return [sentence.text for _, sentence in article.sentences]


@given(linked_pages(), st.sampled_from(list(Removal)), seeds)
def test_the_mention_is_gone_when_it_should_be_and_nothing_else(
    linked: LinkedExample, wanted: Removal, draw: Random
) -> None:
    problem = remove_context(linked, draw, replace(ALWAYS[wanted], decoys=0))
    before, after = texts(linked.article), texts(problem.example.article)
    gold = problem.example.gold
    if problem.removal is Removal.NOTHING:
        assert after == before
        assert gold == (linked.sentence,)
    elif problem.removal is Removal.MENTION:
        assert after[linked.sentence] == before[linked.sentence].replace("zebra ", "")
        assert [*after[: linked.sentence], before[linked.sentence], *after[linked.sentence + 1 :]] == before
        assert gold == (linked.sentence,)
    else:
        assert "zebra" not in "".join(after)
        lost = [number for number, text in enumerate(before) if text not in after]
        assert lost == list(range(lost[0], lost[-1] + 1))
        assert len(lost) == 1 if problem.removal is Removal.SENTENCE else 2 <= len(lost) <= 5
        assert [text for number, text in enumerate(before) if number not in lost] == after
        section = linked.article.sentences[linked.sentence][0]
        around = [n for n in (lost[0] - 1, lost[-1] + 1) if 0 <= n < len(before)]
        expected = [before[n] for n in around if linked.article.sentences[n][0] == section]
        assert [after[number] for number in gold] == expected


@given(linked_pages(), st.sampled_from(list(Removal)), seeds)
def test_links_and_sentences_stay_in_their_places_whatever_is_cut(
    linked: LinkedExample, wanted: Removal, draw: Random
) -> None:
    problem = remove_context(linked, draw, ALWAYS[wanted])
    for section in problem.example.article.sections:  # the records check offsets themselves
        assert {text.strip() for text in section.gaps()} == {""}
        for link in section.links:
            number = link.target.removeprefix("T")
            assert link.mention == f"word{number}"
            assert any(
                s.start <= link.start < link.end <= s.end and s.text.startswith(f"Number {number} ")
                for s in section.sentences
            )


@given(linked_pages(), st.sampled_from(list(Removal)), seeds)
def test_a_decoy_is_never_right_and_was_treated_alike(linked: LinkedExample, wanted: Removal, draw: Random) -> None:
    problem = remove_context(linked, draw, ALWAYS[wanted])
    before, after = texts(linked.article), texts(problem.example.article)
    assert not set(problem.decoys) & set(problem.example.gold)
    if problem.removal is Removal.MENTION:
        assert all(after[number] not in before for number in problem.decoys)
    untouched = [section for section in problem.example.article.sections if section in linked.article.sections]
    touched = {number for number, (index, _) in enumerate(problem.example.article.sentences)
               if problem.example.article.sections[index] not in untouched}  # fmt: skip
    assert set(problem.decoys) <= touched


@pytest.mark.parametrize(
    ("lengths", "wanted", "got"),
    [
        ([3], Removal.SPAN, Removal.SPAN),
        ([2], Removal.SPAN, Removal.SENTENCE),
        ([1, 5], Removal.SPAN, Removal.MENTION),
        ([1, 5], Removal.SENTENCE, Removal.MENTION),
    ],
)
def test_a_removal_that_would_leave_nothing_falls_back_to_the_next_milder_one(
    lengths: list[int], wanted: Removal, got: Removal
) -> None:
    assert remove_context(linked_page(lengths, 0), Random(0), ALWAYS[wanted]).removal is got


def test_a_sentence_that_is_but_its_mention_stays_as_it_is() -> None:
    text = "Zebra. Other."
    section = Section("", 1, text, (Sentence("Zebra.", 0, 6, NOWHERE),))
    linked = LinkedExample(Entity("Zebra"), Article("A", "en", (section,), Markup.WIKITEXT), 0, Span(0, 5))
    problem = remove_context(linked, Random(0), ALWAYS[Removal.SPAN])
    assert (problem.removal, problem.example.article) == (Removal.NOTHING, linked.article)


def test_the_papers_shares_hold() -> None:
    linked, draw = linked_page([12, 12], 5), Random(4)
    counts = Counter(remove_context(linked, draw).removal for _ in range(1_000))
    assert [round(counts[removal] / 1_000, 2) for removal in Removal] == pytest.approx([0.4, 0.2, 0.3, 0.1], abs=0.04)


def test_what_is_left_whole_changes_no_proportion_of_the_others() -> None:
    removal = ContextRemoval(decoys=3)
    assert removal.leaving_whole(0.4) == removal
    tenth = removal.leaving_whole(0.1)
    assert (tenth.nothing, tenth.decoys) == (0.1, 3)
    assert (tenth.mention, tenth.sentence, tenth.span) == pytest.approx((0.3, 0.45, 0.15))


def test_the_same_seed_removes_the_same() -> None:
    linked = linked_page([9, 4, 7], 11)
    assert [remove_context(linked, Random(n)) for n in range(20)] == [
        remove_context(linked, Random(n)) for n in range(20)
    ]


def test_candidates_that_name_the_target_are_ignored_unless_they_are_right() -> None:
    linked = linked_page([3, 3], 1, mention="horse")  # no known name, but the words of the link itself
    section = linked.article.sections[1]
    changed = section.text.replace("word4", "zebra").replace("word5", "horse")
    sentences = tuple(replace(own, text=changed[own.start : own.end]) for own in section.sentences)
    other = replace(section, text=changed, sentences=sentences, links=())
    article = replace(linked.article, sections=(linked.article.sections[0], other))
    problem = without_removal(replace(linked, article=article))
    assert (problem.example.gold, problem.ignored) == ((1,), {4, 5})


def test_without_treated_negatives_the_rest_of_the_page_is_untouched() -> None:
    linked = linked_page([9, 9], 3)
    problem = remove_context(linked, Random(1), replace(ALWAYS[Removal.SENTENCE], decoys=0))
    assert problem.decoys == ()
    assert problem.example.article.sections[1] is linked.article.sections[1]


@pytest.mark.parametrize("shares", [{"nothing": 0.5}, {"nothing": -0.1, "mention": 0.7}, {"decoys": -1}])
def test_shares_that_are_none_are_refused_in_one_line(shares: dict[str, float]) -> None:
    with pytest.raises(UnusableInput, match="of context removal"):
        ContextRemoval(**shares)  # type: ignore[arg-type]


def test_a_mention_that_is_still_linked_is_no_linked_example() -> None:
    linked = linked_page([3], 1)
    other = linked.article.sections[0].links[0]
    with pytest.raises(ValueError, match="still linked"):
        LinkedExample(linked.entity, linked.article, 0, Span(other.start, other.end))


def linked_examples(articles: list[Article], draw: Random, most: int) -> list[LinkedExample]:
    """Links of real pages, each taken off, with its own target as the entity."""
    found = []
    for article in draw.sample(articles, len(articles)):
        numbers = {(index, own.start): n for n, (index, own) in enumerate(article.sentences)}
        for index, section in enumerate(article.sections):
            for link in section.links[:2]:
                own = next((s for s in section.sentences if s.start <= link.start and link.end <= s.end), None)
                if own is not None and len(found) < most:
                    bare = replace(section, links=tuple(other for other in section.links if other is not link))
                    sections = (*article.sections[:index], bare, *article.sections[index + 1 :])
                    page = replace(article, sections=sections)
                    place = Span(link.start, link.end)
                    found.append(LinkedExample(Entity(link.target), page, numbers[index, own.start], place))
    return found


@pytest.fixture(scope="module", params=[(400, 28), pytest.param((150, 100_000), marks=pytest.mark.slow)])
def real_links(shared_data: Path, request: pytest.FixtureRequest) -> list[LinkedExample]:
    """Links of the first pages of some wikis; of the short ones alone, for which there are fewer decoys to make."""
    examples, (most, longest) = [], request.param
    for name in ("de", "fr", "zh", "ru"):
        corpus = CorpusSource(shared_data / "openttd" / f"openttd-{name}-pages-meta-history.xml.xz").open()
        pages: dict[str, Page] = {revision.page.title: revision.page for revision in corpus.revisions()}
        articles = [parse(page) for page in list(pages.values())[:most]]
        examples += linked_examples([one for one in articles if 8 < len(one.sentences) <= longest], Random(name), 700)
    return examples


def _rows(links: list[LinkedExample], removal: Removal) -> list[Row]:
    rows, draw = [], Random(2)
    for number, linked in enumerate(links):
        problem = remove_context(linked, draw, ALWAYS[removal])
        page = candidates(problem.example.article)
        for index in (*problem.example.gold, *problem.decoys) if problem.decoys else ():
            text = page[index].sentence.text
            features = [
                *joints(page[index], page[index].context),
                sum(text.count(seam) for seam in (" ,", " .", " ;", " )", "( ")),
                sum(text.count(seam) for seam in (",,", ", ,", ",.", "()", '""')),
                text[0].islower(),
                text[0] in ",.;:-)–",
            ]
            rows.append((number, index in problem.example.gold, features))
    return rows


@pytest.mark.shared_data
@pytest.mark.parametrize("removal", [Removal.MENTION, Removal.SENTENCE, Removal.SPAN])
def test_no_classifier_tells_right_candidates_from_decoys_by_their_joints(
    real_links: list[LinkedExample], removal: Removal
) -> None:
    rows = _rows(real_links, removal)
    assert sum(is_gold for _, is_gold, _ in rows) > 500
    assert abs(separability(rows) - 0.5) < CHANCE


def _window_rows(links: list[LinkedExample], removal: Removal) -> list[Row]:
    rows: list[Row] = []
    draw, elsewhere = Random(2), [one for linked in links[::9] for one in candidates(linked.article)]
    for number, linked in enumerate(links):
        window = removed_windows(linked, draw, elsewhere=lambda own: own.choice(elsewhere), settings=ALWAYS[removal])
        for candidate in (window.positive, *window.negatives):
            text = candidate.sentence.text
            features = [
                *joints(candidate, candidate.context),
                sum(text.count(seam) for seam in (" ,", " .", " ;", " )", "( ", ",,", ", ,", ",.", "()", '""')),
                text[0].islower(),
                len(text.split()),
                len(candidate.section.sentences),
                candidate.sentence_index - candidate.first,
            ]
            rows.append((number, candidate is window.positive, features))
    return rows


@pytest.mark.shared_data
@pytest.mark.parametrize(
    "removals",
    [(Removal.MENTION,), pytest.param((Removal.MENTION, Removal.SENTENCE, Removal.SPAN), marks=pytest.mark.slow)],
)
def test_a_removal_tells_no_more_of_the_right_window_than_the_page_itself(
    real_links: list[LinkedExample], removals: tuple[Removal, ...]
) -> None:
    links = real_links[:: 3 if len(real_links) > 1_000 else 5]
    natural = separability(_window_rows(links, Removal.NOTHING))  # sentences with links are longer, for instance
    for removal in removals:
        assert separability(_window_rows(links, removal)) < natural + CHANCE


@pytest.mark.shared_data
def test_a_repaired_sentence_of_a_real_page_has_no_new_seam(real_links: list[LinkedExample]) -> None:
    for linked in real_links:
        problem = remove_context(linked, Random(0), replace(ALWAYS[Removal.MENTION], decoys=0))
        if problem.removal is Removal.MENTION:
            before = linked.article.sentences[linked.sentence][1].text
            after = problem.example.article.sentences[linked.sentence][1].text
            for seam in ("  ", " ,", " .", "( ", " )", ",,", ", ,", "()"):
                assert after.count(seam) <= before.count(seam), (before, after)
            assert before[0].islower() or not after[0].islower()
