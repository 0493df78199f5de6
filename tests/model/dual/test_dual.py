from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.tiny_encoders import tiny_encoder

from linkspot.encoders.encoder import TokenIds, Vectors
from linkspot.encoders.special_tokens import SpecialTokens
from linkspot.encoders.torch_encoder import TorchEncoder, load_encoder
from linkspot.model.dual.dual import Dual, DualReader, identity_of
from linkspot.model.dual.feature_table import NAMES, PAGE_NAMES
from linkspot.model.dual.head import Head
from linkspot.model.dual.store import MemoryStore, Store, VectorStore
from linkspot.model.dual.texts import DualSettings
from linkspot.model.inputs import Inputs, TokenBudget
from linkspot.model.mlp import Mlp
from linkspot.parsing import parse
from linkspot.records import Entity, Markup, Page, Precedent

SPECIAL = SpecialTokens(2, 3, 0)
BUDGET = TokenBudget(longest=128, title=8, mentions=8, lead=24, section=8, sentence=40)
MILL = Entity("Old mill", "A mill beside the bridge.", ("mill",))
TEXT = "The river flows. The bridge is old.\n\n## Trains\n\nA train leaves. Signals keep trains apart. Wagons wait.\n"
PAGE = parse(Page("Town", TEXT, Markup.MARKDOWN, "en"))


class Counting:
    """Counts what goes through an encoder."""

    def __init__(self, encoder: TorchEncoder) -> None:
        self._encoder = encoder
        self.dimensions, self.longest = encoder.dimensions, encoder.longest
        self.sequences = self.most_at_once = 0

    def encode(self, sequences: Sequence[TokenIds]) -> list[Vectors]:
        self.sequences += len(sequences)
        self.most_at_once = max(self.most_at_once, len(sequences))
        return self._encoder.encode(sequences)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture
def encoder(folder: Path) -> Counting:
    return Counting(TorchEncoder(load_encoder(str(folder)), SPECIAL.padding))


def reader(
    folder: Path, encoder: Counting, settings: DualSettings | None = None, store: Store | None = None
) -> DualReader:
    inputs = Inputs.of_folder(folder, SPECIAL, BUDGET)
    return DualReader(encoder, inputs, settings or DualSettings(), identity_of(folder), store)


def model(read: DualReader) -> Dual:
    chance = np.random.default_rng(0)
    heads = [
        Mlp(*(chance.normal(size=shape).astype(np.float32) for shape in ((4, size), (4,), (1, 4), (1,))))
        for size in (len(NAMES), len(PAGE_NAMES))
    ]
    return Dual(read, Head(heads[0], heads[1]))


@pytest.mark.parametrize("chunk", [0, 64])
def test_every_sentence_and_title_has_a_vector_of_length_one(folder: Path, encoder: Counting, chunk: int) -> None:
    found = reader(folder, encoder, DualSettings(chunk)).page_vectors(PAGE)
    assert found.sentences.shape == (5, encoder.dimensions)
    assert found.titles.shape == (2, encoder.dimensions)
    np.testing.assert_allclose(np.linalg.norm(found.sentences, axis=1), 1, rtol=1e-4)


def test_a_sentence_alone_does_not_know_its_neighbours_and_one_in_a_chunk_does(folder: Path, encoder: Counting) -> None:
    other = parse(Page("Town", TEXT.replace("A train leaves", "A boat leaves"), Markup.MARKDOWN, "en"))
    for chunk, is_same in ((0, True), (128, False)):
        read = reader(folder, encoder, DualSettings(chunk))
        one, two = read.page_vectors(PAGE).sentences[3], read.page_vectors(other).sentences[3]
        assert np.allclose(one, two, atol=1e-5) == is_same


def test_the_prefix_goes_before_every_text(folder: Path, encoder: Counting) -> None:
    plain = reader(folder, encoder)
    told = reader(folder, encoder, DualSettings(0, "the old ", "the old "))
    assert not np.allclose(plain.page_vectors(PAGE).sentences, told.page_vectors(PAGE).sentences, atol=1e-3)
    assert not np.allclose(plain.target_vectors(MILL, "en").names, told.target_vectors(MILL, "en").names, atol=1e-3)


def test_nothing_is_encoded_twice(folder: Path, encoder: Counting, tmp_path: Path) -> None:
    with VectorStore(tmp_path / "v", encoder.dimensions) as store:
        first = model(reader(folder, encoder, store=store)).scores(MILL, PAGE)
        assert encoder.sequences == 5 + 2 + 2
    with VectorStore(tmp_path / "v", encoder.dimensions) as store:
        again = model(reader(folder, encoder, store=store))
        second = again.scores(MILL, replace(PAGE, id="another object"))
        assert encoder.sequences == 9
        again.scores(replace(MILL, lead="Another lead."), PAGE)
        assert encoder.sequences == 10
    assert np.array_equal(first.places, second.places)


@pytest.mark.parametrize("most", range(1, 9))
def test_a_full_store_loses_nothing_that_is_in_use(folder: Path, encoder: Counting, most: int) -> None:
    begun = parse(Page("Town", TEXT.partition("##")[0], Markup.MARKDOWN, "en"))
    read = reader(folder, encoder, store=MemoryStore(most * 400))
    read.page_vectors(begun)  # a part of the page: what else it has pushes that out
    found, expected = read.page_vectors(PAGE), reader(folder, encoder).page_vectors(PAGE)
    np.testing.assert_allclose(found.sentences, expected.sentences, atol=1e-3)
    np.testing.assert_allclose(found.titles, expected.titles, atol=1e-3)


def test_another_encoder_does_not_find_these_vectors(folder: Path, tmp_path: Path) -> None:
    other = tiny_encoder(tmp_path / "other", "roberta")
    assert identity_of(other) != identity_of(folder)
    assert identity_of(folder) == identity_of(folder)


def test_texts_prepared_together_have_the_vectors_that_they_have_alone(folder: Path, encoder: Counting) -> None:
    together, alone = reader(folder, encoder), reader(folder, encoder)
    assert together.prepare([(MILL, PAGE), (MILL, PAGE)]) == 9
    np.testing.assert_allclose(together.features(MILL, PAGE), alone.features(MILL, PAGE), atol=1e-4)


def test_an_entity_without_a_lead_is_known_by_its_names(folder: Path, encoder: Counting) -> None:
    found = reader(folder, encoder).target_vectors(Entity("Old mill"), "en")
    assert np.array_equal(found.names, found.lead)


def test_pages_of_any_length_are_scored(folder: Path, encoder: Counting) -> None:
    empty = parse(Page("Empty", "", Markup.MARKDOWN, "en"))
    assert len(model(reader(folder, encoder)).scores(MILL, empty).places) == 0
    long = parse(Page("Long", "A very long sentence, " * 300 + "ends. And a short one.", Markup.MARKDOWN, "en"))
    for chunk in (0, 64):
        found = model(reader(folder, encoder, DualSettings(chunk))).scores(MILL, long)
        assert np.isfinite([*found.places, found.nowhere]).all()
        assert len(found.places) == 2


def test_a_long_page_takes_no_more_memory_at_once_than_a_part_of_it(folder: Path, encoder: Counting) -> None:
    text = " ".join(f"Train number {n} waits at the bridge." for n in range(300))
    page = parse(Page("Trains", text, Markup.MARKDOWN, "en"))
    vectors = reader(folder, encoder).page_vectors(page).sentences
    assert len(vectors) == 300
    assert 100 < encoder.most_at_once < 150
    alone = parse(Page("Trains", "Train number 299 waits at the bridge.", Markup.MARKDOWN, "en"))
    np.testing.assert_allclose(reader(folder, encoder).page_vectors(alone).sentences[0], vectors[-1], atol=1e-3)


def test_a_precedents_passage_is_read_like_a_page_and_counts(folder: Path, encoder: Counting) -> None:
    passage = ("Le train part.", "Le signal garde les trains.")
    told = replace(MILL, precedents=(Precedent("fr", "Trains", passage, 1, 0.75, 1.0, 0.5, 5),))
    read = reader(folder, encoder)
    read.prepare([(told, PAGE)])
    assert encoder.sequences == 5 + 2 + 2 + 2  # its title is one of the page's
    dual = model(read)
    assert not np.allclose(dual.scores(told, PAGE).places, dual.scores(MILL, PAGE).places)
    assert encoder.sequences == 11
    (vectors,) = read.target_vectors(told, "en").precedents
    alone = parse(Page("Trains", "## Trains\n\n" + "\n\n".join(passage), Markup.MARKDOWN, "fr"))
    np.testing.assert_allclose(vectors.sentences, read.page_vectors(alone).sentences, atol=1e-3)
