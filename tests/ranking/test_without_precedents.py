from dataclasses import replace
from pathlib import Path

from tests.tiny_encoders import tiny_model

from linkspot.model.config import ModelKind
from linkspot.parsing import parse
from linkspot.ranking.ranker import has_logits, open_ranker
from linkspot.records import Entity, Markup, Page, Precedent

PAGE = parse(Page("Town", "The river flows. A train leaves. Wagons wait.", Markup.WIKITEXT, "en"))
MILL = Entity("Old mill", "A mill beside the bridge.")
TOLD = replace(MILL, precedents=(Precedent("fr", "Trains", ("Le train part.",), 0, 0.5, 0.0, 0.0, 3),))


def test_a_ranker_that_is_told_of_the_page_alone_does_not_know_precedents(tmp_path: Path) -> None:
    model = tiny_model(tmp_path / "dual", ModelKind.DUAL)
    ranker, alone = open_ranker(str(model)), open_ranker(f"alone:{model}")
    assert ranker.score(TOLD, PAGE) != ranker.score(MILL, PAGE)
    assert alone.score(TOLD, PAGE) == ranker.score(MILL, PAGE)
    assert (alone.nowhere, has_logits(alone)) == (ranker.nowhere, has_logits(ranker))
    assert not has_logits(open_ranker("alone:bm25"))
