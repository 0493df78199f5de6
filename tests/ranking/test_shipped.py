"""The model that comes with linkspot: whatever it learned, this much holds of it."""

import math
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from tests.tiny_encoders import tiny_model

import linkspot
from linkspot import Entity, Markup, Page, parse
from linkspot.encoders.onnx_encoder import EncoderFacts
from linkspot.errors import UnusableInput
from linkspot.model.config import CARD, HEADS, ModelConfig, ModelKind
from linkspot.model.cross.scoring import PageScores
from linkspot.model.shipped import shipped_model
from linkspot.ranking.fingerprint import fingerprint
from linkspot.ranking.neural import NeuralRanker, load_shipped
from linkspot.ranking.ranker import SHIPPED, open_ranker
from linkspot.records import Article

MOST_BYTES = 80_000_000

# A page in a script, and a target that one of its sentences names: the third.
PAGES = {
    "en": ("Ships sail. Planes fly. Trains stop at a signal. Cars drive. People walk.", "Signal"),
    "ru": ("Корабли плывут. Самолёты летят. Поезд стоит у светофора. Люди идут.", "Светофор"),
    "ja": ("船は海を行く。飛行機は空を飛ぶ。列車は信号機で止まる。人は歩く。", "信号機"),
    "th": ("เรือแล่นในทะเล\n\nเครื่องบินบินบนฟ้า\n\nรถไฟหยุดที่สัญญาณ\n\nคนเดิน", "สัญญาณ"),
    "ar": ("السفن تبحر. الطائرات تطير. القطار يقف عند الإشارة. الناس يمشون.", "الإشارة"),
    "bn": ("জাহাজ চলে। বিমান ওড়ে। ট্রেন সংকেতে থামে। মানুষ হাঁটে।", "সংকেত"),
    "sw": ("Meli husafiri. Ndege huruka. Treni husimama kwenye ishara. Watu hutembea.", "Ishara"),
    "el": ("Τα πλοία πλέουν. Τα αεροπλάνα πετούν. Το τρένο σταματά στο σήμα. Οι άνθρωποι περπατούν.", "Σήμα"),
    "ko": ("배는 항해한다. 비행기는 난다. 기차는 신호기에서 멈춘다. 사람은 걷는다.", "신호기"),
    "he": ("ספינות שטות. מטוסים טסים. הרכבת עוצרת ברמזור. אנשים הולכים.", "רמזור"),
}


@pytest.fixture(scope="module")
def ranker() -> NeuralRanker:
    return load_shipped()


def _article(language: str, text: str) -> Article:
    return parse(Page("?", text, Markup.MARKDOWN, language))


def test_it_is_a_small_exported_model_with_a_card_that_names_its_data_and_licence() -> None:
    folder = shipped_model()
    assert sum(path.stat().st_size for path in folder.rglob("*")) < MOST_BYTES
    assert ModelConfig.of_folder(folder).kind is ModelKind.DUAL
    assert EncoderFacts.of_folder(folder).int8
    assert not list(folder.glob("*.py"))
    card = (folder / CARD).read_text(encoding="utf-8").lower()
    assert all(told in card for told in ("## licence", "licence mit", "## data", "cc by-sa", "gfdl", "## test"))


@pytest.mark.parametrize("language", PAGES)
def test_it_answers_in_every_language_and_again_the_same(ranker: NeuralRanker, language: str) -> None:
    text, title = PAGES[language]
    page = _article(language, text)
    scores = ranker.score(Entity(title), page).places
    assert len(scores) == len(page.sentences) > 2
    assert all(math.isfinite(score) for score in scores)
    assert len(set(scores)) == len(scores)
    assert ranker.score(Entity(title), _article(language, text)).places == scores


@pytest.mark.parametrize("language", PAGES)
def test_the_sentence_that_names_the_target_comes_first(ranker: NeuralRanker, language: str) -> None:
    text, title = PAGES[language]
    scores = ranker.score(Entity(title), _article(language, text)).places
    assert scores.index(max(scores)) == 2


def test_a_page_scores_alike_whatever_was_asked_before(ranker: NeuralRanker) -> None:
    page, entity = _article("en", "Buses stop at a crossing. Trams stop at a light."), Entity("Crossing")
    ranker.score(entity, _article("en", "Trams stop at a light. This sentence is longer than those of the other."))
    assert ranker.score(entity, page).places == linkspot.load(shipped_model()).score(entity, page).places


class _Watchful:
    """A model that notes how many threads are in it at once."""

    def __init__(self) -> None:
        self.inside = self.most = 0

    def scores(self, _entity: Entity, article: Article) -> PageScores:
        self.inside += 1
        self.most = max(self.most, self.inside)
        time.sleep(0.01)
        self.inside -= 1
        return PageScores(np.zeros(len(article.sentences), np.float32), 0.0)


def test_threads_take_turns() -> None:
    model = _Watchful()
    ranker, page = NeuralRanker(model), _article("en", "Dogs run. Wolves howl.")
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: ranker.score(Entity("Wolf"), page).places, range(8))) == [(0.0, 0.0)] * 8
    assert model.most == 1


def test_it_is_opened_once_however_often_it_is_asked() -> None:
    assert open_ranker(SHIPPED) is open_ranker(SHIPPED)


def test_it_takes_part_in_a_cascade(tmp_path: Path) -> None:
    page = _article("en", PAGES["en"][0])
    expensive = tiny_model(tmp_path / "expensive", ModelKind.WINDOW)
    for name in (
        f"cascade:{SHIPPED},2,{expensive}",
        f"cascade:bm25,2,{SHIPPED}",
        f"cascade:bm25,2,without-precedents:{SHIPPED}",
    ):
        scores = open_ranker(name).score(Entity("Signal"), page).places
        assert len(scores) == len(page.sentences)


def test_what_it_is_called_in_an_evaluation_changes_with_its_files(tmp_path: Path) -> None:
    copy = tmp_path / "copy, renamed"
    shutil.copytree(shipped_model(), copy)
    assert fingerprint(str(copy)) == fingerprint(SHIPPED)
    cascades = [f"cascade:bm25,3,{name}" for name in (SHIPPED, copy)]
    assert fingerprint(cascades[0]) == fingerprint(cascades[1])
    (copy / CARD).write_text("It ranks as before, whatever its card says.")
    assert fingerprint(str(copy)) == fingerprint(SHIPPED)
    head = bytearray((copy / HEADS).read_bytes())
    head[len(head) // 2] ^= 1
    (copy / HEADS).write_bytes(head)
    assert fingerprint(str(copy)) != fingerprint(SHIPPED)
    assert fingerprint(cascades[0]) != fingerprint(cascades[1])


def test_a_model_that_is_not_whole_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"lacks README\.md, linkspot\.json, .*; install linkspot again"):
        shipped_model(tmp_path / "none")
    shutil.copytree(shipped_model(), tmp_path / "some")
    (tmp_path / "some" / "embeddings.bin").unlink()
    with pytest.raises(UnusableInput, match=r"some lacks embeddings\.bin; .* or name another ranker"):
        shipped_model(tmp_path / "some")
