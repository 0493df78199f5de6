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
from linkspot.parsing.prose import Prose
from linkspot.ranking.ranker import DEFAULT_RANKER, RANKERS, Ranker, fingerprint, is_quick, open_ranker
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
ALONE = [name for name, entry in RANKERS.items() if not entry.takes]
# Those that take weights or other rankers are opened with tiny ones. A language model has tests of its own.
TOLD = sorted(set(RANKERS) - set(ALONE) - {"llm-pairwise"})
every_ranker = pytest.mark.parametrize("ranker", [*ALONE, *TOLD, *MODELS], indirect=True)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What opens each ranker that takes weights, and each kind of model: tiny ones, of random numbers."""
    folder = tmp_path_factory.mktemp("weights")
    models = {kind: str(tiny_model(folder / kind, ModelKind(kind))) for kind in MODELS}
    encoder, writer = tiny_encoder(folder / "encoder"), tiny_writer(folder / "writer")
    return models | {
        "cascade": f"cascade:bm25,3,{models['window']}",
        "embedding": f"embedding:{encoder}",
        "entqa": f"entqa:{encoder},{models['dual']}",
        "get": f"get:{writer}",
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


@every_ranker
@settings(deadline=None)
@given(entity=ENTITIES, language=st.sampled_from(["en", "ru", "ja", "th", "ar", "bn", "tr", "xx"]))
def test_every_candidate_has_a_finite_score_for_any_entity(ranker: Ranker, entity: Entity, language: str) -> None:
    page = article(*SENTENCES, language=language)
    scores = ranker.score(entity, page)
    assert len(scores) == count(page)
    assert all(type(score) is float and math.isfinite(score) for score in scores)


@every_ranker
@settings(deadline=None)
@given(sentences=st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip)))
def test_every_candidate_has_a_score_on_any_page(ranker: Ranker, sentences: list[str]) -> None:
    page = article(*sentences)
    assert len(ranker.score(Entity("Signal", "A signal."), page)) == count(page)


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
    assert len(ranker.score(entity, article(*SENTENCES))) == len(SENTENCES)


@every_ranker
def test_a_page_without_prose_has_no_scores(ranker: Ranker) -> None:
    assert ranker.score(Entity("Signal", "A signal."), article()) == []


@every_ranker
def test_the_same_question_has_the_same_answer_whatever_was_asked_between(ranker: Ranker) -> None:
    page, entity = article(*SENTENCES), Entity("Signal", "A signal.")
    first = ranker.score(entity, page)
    ranker.score(Entity("Train"), article("A train."))
    assert ranker.score(entity, page) == first


@pytest.mark.parametrize("name", [*ALONE, *TOLD])
def test_another_process_gives_the_same_answer(name: str, names: dict[str, str]) -> None:
    program = f"""
import json
from linkspot.ranking.ranker import open_ranker
from linkspot.records import Article, Entity, Markup, Section, Sentence
from linkspot.source_map import Span
text = "A signal. A train."
sentences = (Sentence("A signal.", 0, 9, Span(0, 9)), Sentence("A train.", 10, 18, Span(10, 18)))
page = Article("Rail", "en", (Section("", 1, text, sentences),), Markup.HTML)
print(json.dumps(open_ranker({names.get(name, name)!r}).score(Entity("Signal", "Signals."), page)))
"""
    runs = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True) for _ in range(2)
    ]
    assert runs[0].stdout == runs[1].stdout
    assert len(json.loads(runs[0].stdout)) == 2
    assert runs[0].stderr == ""


@every_ranker
def test_a_ranker_changes_nothing_that_it_is_given(ranker: Ranker) -> None:
    page, entity = article(*SENTENCES), Entity("Signal", "A signal.", ("signals",))
    copies = copy.deepcopy((page, entity))
    ranker.score(entity, page)
    assert (page, entity) == copies


@pytest.mark.parametrize("ranker", ALONE, indirect=True)
def test_two_thousand_sentences_take_no_more_than_seconds(ranker: Ranker) -> None:
    page = article(*[f"Train {index} stops at the signal of station {index % 97}." for index in range(2000)])
    entity = Entity("Signal", "A signal tells the driver of a train whether the block ahead is free.")
    ranker.score(entity, article("A signal."))
    start = time.perf_counter()
    assert len(ranker.score(entity, page)) == 2000
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize("name", sorted(set(ALONE) - {"random"}))
def test_the_one_sentence_that_names_the_target_comes_first(name: str) -> None:
    page = article("Ships sail.", "Planes fly.", "Trains stop at a signal.", "Cars drive.", "People walk.")
    scores = open_ranker(name).score(Entity("Signal", "A signal."), page)
    assert scores.index(max(scores)) == 2


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownRanker, match=r"'bm26'.*bm25, cascade, embedding, .*random, string-match"):
        open_ranker("bm26")
    assert DEFAULT_RANKER in RANKERS


def test_a_ranker_is_the_same_wherever_it_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = {name: fingerprint(name) for name in ALONE}
    (tmp_path / "file").write_text("anything")
    monkeypatch.chdir(tmp_path)
    assert {name: fingerprint(name) for name in ALONE} == here
    assert len(set(here.values())) == len(here)


def test_rankers_that_run_no_model_are_known_to_be_quick() -> None:
    assert {name for name in RANKERS if is_quick(name)} == {"random", "string-match", "bm25"}
    assert not is_quick("embedding:e5")
    assert not is_quick("some/folder")
