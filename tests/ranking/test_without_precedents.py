from dataclasses import replace
from pathlib import Path

import pytest
from tests.tiny_encoders import tiny_model

from linkspot.model.config import ModelKind
from linkspot.parsing import parse
from linkspot.ranking.fingerprint import fingerprint
from linkspot.ranking.ranker import Reads, open_ranker
from linkspot.records import Entity, Markup, Page, Precedent

PAGE = parse(Page("Town", "The river flows. A train leaves. Wagons wait.", Markup.WIKITEXT, "en"))
MILL = Entity("Old mill", "A mill beside the bridge.")
WITH_PRECEDENT = replace(MILL, precedents=(Precedent("fr", "Trains", ("Le train part.",), 0, 0.5, 0.0, 0.0, 3),))


@pytest.mark.parametrize("name", ["without-precedents", "alone"])  # the latter is its old name
def test_a_ranker_without_precedents_scores_as_if_there_were_none(name: str, tmp_path: Path) -> None:
    model = tiny_model(tmp_path / "dual", ModelKind.DUAL)
    ranker, without = open_ranker(str(model)), open_ranker(f"{name}:{model}")
    assert ranker.score(WITH_PRECEDENT, PAGE) != ranker.score(MILL, PAGE)
    assert without.score(WITH_PRECEDENT, PAGE) == ranker.score(MILL, PAGE)
    assert without.score(MILL, PAGE).are_logits


def test_in_a_cascade_it_hides_precedents_too(tmp_path: Path) -> None:
    model = tiny_model(tmp_path / "dual", ModelKind.DUAL)
    ranker = open_ranker(f"cascade:bm25,2,{model}")
    for without in (f"cascade:bm25,2,without-precedents:{model}", f"without-precedents:cascade:bm25,2,{model}"):
        assert open_ranker(without).score(WITH_PRECEDENT, PAGE) == ranker.score(MILL, PAGE)
    assert ranker.score(WITH_PRECEDENT, PAGE) != ranker.score(MILL, PAGE)


@pytest.mark.parametrize(
    ("kind", "reads"),
    [(ModelKind.WINDOW, Reads.WINDOWS), (ModelKind.ARTICLE, Reads.PAGES), (ModelKind.DUAL, Reads.PAGES)],
)
def test_a_ranker_around_another_reads_what_that_one_reads(kind: ModelKind, reads: Reads, tmp_path: Path) -> None:
    model = tiny_model(tmp_path / kind, kind)
    for name in ("{}", "without-precedents:{}", "cascade:bm25,2,{}", "cascade:bm25,2,without-precedents:{}"):
        assert open_ranker(name.format(model)).reads is reads
    assert open_ranker("without-precedents:bm25").reads is Reads.TEXTS
    assert open_ranker(f"cascade:{model},2,bm25").reads is Reads.TEXTS


def test_stored_rankings_of_its_old_name_are_its_own() -> None:
    assert fingerprint("without-precedents:bm25") == fingerprint("alone:bm25")
    assert fingerprint("alone:bm25").startswith("alone:bm25 (")  # as it stands in manifests
