"""What every ranker of the table owes its users."""

import copy
import json
import math
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tiny_encoders import tiny_encoder, tiny_model, tiny_writer

from linkspot.errors import UnknownRanker
from linkspot.model.config import ModelKind
from linkspot.parsing import parse
from linkspot.parsing.prose import Prose
from linkspot.ranking.fingerprint import fingerprint
from linkspot.ranking.ranker import (
    DEFAULT_RANKER,
    RANKERS,
    SHIPPED,
    Ranker,
    Reads,
    is_model,
    is_quick,
    open_ranker,
    score_some,
)
from linkspot.records import Article, Entity, Markup, Page

SENTENCES = (
    "Trains stop at a signal.",
    "Сигналы стоят у дороги.",
    "列車は信号機で止まる。",
    "รถไฟหยุดที่สัญญาณ",
    "القطار يقف عند الإشارة.",
    "ট্রেন সংকেতে থামে।",
    "🎉 !!! …",
    "Call `window.open()` 42 times.",
)
MODELS = ("window", "triple", "article", "dual")
PLAIN = [name for name, entry in RANKERS.items() if not entry.takes]
# Those that take weights or other rankers are opened with tiny ones. A language model has tests of its own.
WITH_ARGUMENT = sorted(set(RANKERS) - set(PLAIN) - {"llm-pairwise"})
EVERY = [*PLAIN, *WITH_ARGUMENT, "entqa, context=5", "get, context=5", *MODELS]
every_ranker = pytest.mark.parametrize("ranker", EVERY, indirect=True)
every_small_ranker = pytest.mark.parametrize("ranker", [name for name in EVERY if name != SHIPPED], indirect=True)
the_shipped_model = pytest.mark.parametrize("ranker", [SHIPPED], indirect=True)
SOME = settings(max_examples=25, deadline=None)  # of examples, for each of many rankers
FEW = settings(max_examples=8, deadline=None)  # of examples, for a model of full size


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What opens each ranker that takes weights, and each kind of model: tiny ones, of random numbers."""
    folder = tmp_path_factory.mktemp("weights")
    models = {kind: str(tiny_model(folder / kind, ModelKind(kind))) for kind in MODELS}
    encoder, writer = tiny_encoder(folder / "encoder"), tiny_writer(folder / "writer")
    return models | {
        "without-precedents": f"without-precedents:{models['dual']}",
        "cascade": f"cascade:bm25,3,{models['window']}",
        "embedding": f"embedding:{encoder}",
        "entqa": f"entqa:{encoder},{models['dual']}",
        "get": f"get:{writer}",
        "entqa, context=5": f"entqa:{encoder},{models['dual']},context=5",
        "get, context=5": f"get:{writer},context=5",
    }


@pytest.fixture(scope="module")
def ranker(request: pytest.FixtureRequest, names: dict[str, str]) -> Ranker:
    return open_ranker(names.get(request.param, request.param))


def article(*sentences: str, language: str = "en") -> Article:
    prose, position = Prose(Page("Rail", "\n".join(sentences), Markup.MARKDOWN, language)), 0
    for index, sentence in enumerate(sentences):
        if index and not index % 4:
            prose.heading(f"Part {index}", 2)
        prose.write(sentence, position, position + len(sentence))
        prose.end_block()
        position += len(sentence) + 1
    return prose.article()


def count(page: Article) -> int:
    return sum(len(section.sentences) for section in page.sections)


NAMES = st.text(min_size=1, max_size=20).filter(str.strip)
ENTITIES = st.builds(Entity, NAMES, st.text(max_size=60), st.lists(NAMES, max_size=10).map(tuple))
LANGUAGES = st.sampled_from(["en", "ru", "ja", "th", "ar", "bn", "tr", "xx"])
PAGES = st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip))


def _has_finite_scores(ranker: Ranker, entity: Entity, page: Article) -> None:
    scores = ranker.score(entity, page)
    assert len(scores.places) == count(page)
    assert all(type(score) is float and math.isfinite(score) for score in (*scores.places, scores.nowhere))


@every_small_ranker
@SOME
@given(entity=ENTITIES, language=LANGUAGES)
def test_every_candidate_has_a_finite_score_for_any_entity(ranker: Ranker, entity: Entity, language: str) -> None:
    _has_finite_scores(ranker, entity, article(*SENTENCES, language=language))


@the_shipped_model
@FEW
@given(entity=ENTITIES, language=LANGUAGES)
def test_the_shipped_model_scores_every_candidate_for_any_entity(ranker: Ranker, entity: Entity, language: str) -> None:
    _has_finite_scores(ranker, entity, article(*SENTENCES, language=language))


@every_small_ranker
@SOME
@given(sentences=PAGES)
def test_every_candidate_has_a_finite_score_on_any_page(ranker: Ranker, sentences: list[str]) -> None:
    _has_finite_scores(ranker, Entity("Signal", "A signal."), article(*sentences))


@the_shipped_model
@FEW
@given(sentences=PAGES)
def test_the_shipped_model_scores_every_candidate_on_any_page(ranker: Ranker, sentences: list[str]) -> None:
    _has_finite_scores(ranker, Entity("Signal", "A signal."), article(*sentences))


@every_ranker
@pytest.mark.parametrize(
    "entity",
    [
        Entity("Signal"),
        Entity("Signal", lead=""),
        Entity("Signal", mentions=tuple(f"signal {index}" for index in range(10))),
        Entity("🎉"),
        Entity("?!"),
        Entity("", mentions=("signal",)),
    ],
    ids=["title only", "empty lead", "ten mentions", "emoji", "punctuation", "no title"],
)
def test_a_meagre_entity_is_scored_like_any_other(ranker: Ranker, entity: Entity) -> None:
    assert len(ranker.score(entity, article(*SENTENCES)).places) == len(SENTENCES)


@every_ranker
@pytest.mark.parametrize("half", ["\ud800", "\ud83d x \ude00"])
def test_halves_of_characters_are_scored_like_any_other_text(ranker: Ranker, half: str) -> None:
    page = article(f"Trains stop at a {half} signal.", half, "Cars drive.")
    for entity in (
        Entity("Signal", "A signal."),
        Entity(f"Sig{half}nal", f"A {half} signal.", (half, f"signal{half}")),
        Entity("", mentions=(half,)),
    ):
        _has_finite_scores(ranker, entity, page)


@every_ranker
def test_a_page_without_prose_has_no_scores(ranker: Ranker) -> None:
    assert ranker.score(Entity("Signal", "A signal."), article()).places == ()


@every_ranker
def test_a_ranker_says_what_it_reads_and_gives_one_kind_of_scores_for_all_pages(ranker: Ranker) -> None:
    assert ranker.reads in Reads
    kinds = {ranker.score(Entity("Signal"), page).are_logits for page in (article(), article(*SENTENCES))}
    assert len(kinds) == 1  # an evaluation asks about a page without prose to know the kind
    assert ranker.reads is Reads.PAGES or kinds == {False}


@every_ranker
def test_some_candidates_score_as_they_do_among_all(ranker: Ranker) -> None:
    page, entity = article(*SENTENCES), Entity("Signal", "A signal.")
    scores = ranker.score(entity, page)
    some = score_some(ranker, entity, page, [5, 0, 2])
    assert len(some.places) == 3
    if ranker.reads is not Reads.WINDOWS:  # whose nowhere is below the places that were asked for
        assert some.places == pytest.approx(scores.some([5, 0, 2]).places, abs=1e-4)


@every_ranker
def test_the_same_question_has_the_same_answer_whatever_was_asked_between(ranker: Ranker) -> None:
    page, entity = article(*SENTENCES), Entity("Signal", "A signal.")
    first = ranker.score(entity, page).places
    ranker.score(Entity("Train"), article("A train."))
    assert ranker.score(entity, page).places == first


@pytest.fixture(scope="module")
def there(names: dict[str, str]) -> dict[str, list[float]]:
    """What each ranker answers in another process; one answers for all."""
    opened = {name: names.get(name, name) for name in (*PLAIN, *WITH_ARGUMENT)}
    program = f"""
import json
from linkspot import Entity, Markup, Page, parse
from linkspot.ranking.ranker import open_ranker
page = parse(Page("Rail", "A signal. A train.", Markup.MARKDOWN, "en"))
rankers = {opened!r}
scores = {{name: open_ranker(opened).score(Entity("Signal", "Signals."), page) for name, opened in rankers.items()}}
print(json.dumps({{name: one.places for name, one in scores.items()}}))
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stderr == ""
    answers: dict[str, list[float]] = json.loads(run.stdout)
    return answers


@pytest.mark.parametrize("name", [*PLAIN, *WITH_ARGUMENT])
def test_another_process_gives_the_same_answer(name: str, names: dict[str, str], there: dict[str, list[float]]) -> None:
    page = parse(Page("Rail", "A signal. A train.", Markup.MARKDOWN, "en"))
    here = open_ranker(names.get(name, name)).score(Entity("Signal", "Signals."), page).places
    assert there[name] == list(here)
    assert len(here) == 2


@every_ranker
def test_a_ranker_changes_nothing_that_it_is_given(ranker: Ranker) -> None:
    page, entity = article(*SENTENCES), Entity("Signal", "A signal.", ("signals",))
    copies = copy.deepcopy((page, entity))
    ranker.score(entity, page)
    assert (page, entity) == copies


def _stations(trains: int) -> Article:
    return article(*[f"Train {one} of {trains} stops at the signal of station {one % 97}." for one in range(trains)])


@pytest.mark.no_cover
@pytest.mark.parametrize("ranker", [name for name in PLAIN if is_quick(name)], indirect=True)
def test_two_thousand_sentences_take_a_quick_ranker_no_more_than_seconds(ranker: Ranker) -> None:
    page = _stations(2000)
    entity = Entity("Signal", "A signal tells the driver of a train whether the block ahead is free.")
    ranker.score(entity, article("A signal."))
    start = time.process_time()
    assert len(ranker.score(entity, page).places) == 2000
    assert time.process_time() - start < 2


@pytest.mark.no_cover
@the_shipped_model
def test_four_times_as_long_a_page_takes_a_model_about_four_times_as_long(ranker: Ranker) -> None:
    seconds = []
    for page in (_stations(40), _stations(160)):
        start = time.process_time()
        ranker.score(Entity("Signal", "A signal."), page)
        seconds.append(time.process_time() - start)
    assert seconds[1] < 8 * seconds[0]  # sixteen times, if each sentence were read with all others


# To the paper's baselines all sentences of a short section are one span.
@pytest.mark.parametrize("name", sorted(set(PLAIN) - {"random", "bm25:paper", "string-match:paper"}))
def test_the_one_sentence_that_names_the_target_comes_first(name: str) -> None:
    page = article("Ships sail.", "Planes fly.", "Trains stop at a signal.", "Cars drive.", "People walk.")
    scores = open_ranker(name).score(Entity("Signal", "A signal."), page).places
    assert scores.index(max(scores)) == 2


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(
        UnknownRanker, match=r"'bm26'.*bm25, bm25:paper, cascade, .*random, string-match, .*without-prec"
    ):
        open_ranker("bm26")
    assert DEFAULT_RANKER in RANKERS
    with pytest.raises(UnknownRanker, match="'bm25:papers' is not a form of the ranker bm25; write it as bm25 or bm25"):
        open_ranker("bm25:papers")


def test_a_ranker_is_the_same_wherever_it_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [*PLAIN, *(f"cascade:bm25,3,{name}" for name in PLAIN), *(f"without-precedents:{name}" for name in PLAIN)]
    here = {name: fingerprint(name) for name in names}
    for name in PLAIN:
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("anything")
    monkeypatch.chdir(tmp_path)
    assert {name: fingerprint(name) for name in names} == here
    assert len(set(here.values())) == len(here)


def test_rankers_that_run_no_model_are_known_to_be_quick() -> None:
    assert {name for name in RANKERS if is_quick(name)} == {
        "random",
        "string-match",
        "string-match:paper",
        "bm25",
        "bm25:paper",
    }
    assert not is_quick("embedding:e5")
    assert not is_quick("some/folder")


def test_the_shipped_model_is_known_to_be_one_like_those_of_folders() -> None:
    assert DEFAULT_RANKER == SHIPPED == next(iter(RANKERS))
    assert {name for name in RANKERS if is_model(name)} == {SHIPPED}
    assert is_model("some/folder")
