import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.calls import calls_of

import linkspot
from linkspot import Entity, LinkspotError, Markup, Page, suggest, suggest_many
from linkspot.answers.answer_table import COLUMNS
from linkspot.answers.samples import SAMPLES
from linkspot.encoders.encoder import Encoder, TokenIds, Vectors
from linkspot.model.config import ModelConfig
from linkspot.model.dual.dual import Dual
from linkspot.model.inputs import Inputs
from linkspot.model.shipped import shipped_model
from linkspot.parsing.wikitext import page as wikitext
from linkspot.ranking.neural import NeuralRanker, open_encoder

DOG = Page("Dog", "The dog descends from the wolf. It eats meat.", Markup.WIKITEXT, "en")
CAT = Page("Cat", "The cat is no dog. It drinks milk.\n\n== Diet ==\nCats eat meat, too.", Markup.WIKITEXT, "en")
WOLF, MEAT = Entity("Wolf", "A wild animal."), Entity("Meat", "Food from animals.")


class _CountingEncoder:
    """An encoder that notes what goes through it."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.dimensions = encoder.dimensions
        self.encoded: Counter[tuple[int, ...]] = Counter()

    def encode(self, sequences: Sequence[TokenIds]) -> list[Vectors]:
        self.encoded.update(tuple(int(token) for token in ids) for ids in sequences)
        return self._encoder.encode(sequences)


@pytest.mark.parametrize("ranker", ["linkspot", "bm25"])
def test_many_answers_are_those_of_suggest(ranker: str) -> None:
    pages, targets = [sample.page() for sample in SAMPLES], [sample.target() for sample in SAMPLES]
    assert list(suggest_many(pages, targets, ranker, 3)) == [
        suggest(page, target, ranker, 3) for page, target in zip(pages, targets, strict=True)
    ]
    crossed = suggest_many([DOG, CAT], [WOLF, MEAT, "Milk"], ranker, all_pairs=True, anyway=True)
    assert list(crossed) == [
        suggest(page, target, ranker, anyway=True) for page in (DOG, CAT) for target in (WOLF, MEAT, "Milk")
    ]


def test_each_page_and_each_target_is_parsed_once_in_any_order() -> None:
    target = Page("Milk", "A white drink.", Markup.WIKITEXT, "en")
    pairs = suggest_many([DOG, CAT, DOG, CAT], [WOLF, WOLF, target, target], "string-match")
    assert calls_of(wikitext.parse, lambda: list(pairs)) == 3 + 4  # and the link of each answer is read again
    crossed = suggest_many([DOG, CAT], [WOLF, MEAT, target], "string-match", all_pairs=True)
    assert calls_of(wikitext.parse, lambda: list(crossed)) == 3 + 6


def test_each_page_and_each_target_is_encoded_once() -> None:
    folder = shipped_model()
    config = ModelConfig.of_folder(folder)
    encoder = _CountingEncoder(open_encoder(folder, config))
    inputs = Inputs.of_folder(folder, config.special, config.budget)
    ranker = NeuralRanker(Dual.of_folder(folder, encoder, inputs, config))
    answers = list(suggest_many([DOG, CAT, DOG], [WOLF, MEAT, Entity("Milk")], ranker, all_pairs=True))
    assert len(answers) == 9
    assert set(encoder.encoded.values()) == {1}
    assert len(encoder.encoded) > 6


def test_answers_are_made_when_they_are_asked_for_and_can_be_counted_before(tmp_path: Path) -> None:
    good, bad = tmp_path / "Dog.wiki", tmp_path / "Cat.wiki"
    good.write_text(DOG.text, encoding="utf-8")
    bad.write_bytes(b"\xff\xff\xff")
    answers = suggest_many([good, bad], iter([WOLF, WOLF]), "bm25", language="en")
    assert len(answers) == 2
    assert repr(answers) == "<Answers: 2 for 2 pages, made one by one while you iterate>"
    one_by_one = iter(answers)
    assert next(one_by_one).places[0].text == "The dog descends from the wolf."
    with pytest.raises(LinkspotError, match=r"Cat\.wiki is not text in UTF-8"):
        next(one_by_one)


def test_lists_that_do_not_make_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match=r"1 pages and 2 targets do not make pairs; .* all_pairs=True for every page"):
        suggest_many([DOG], [WOLF, MEAT])
    with pytest.raises(TypeError, match="pages is a list of them, not one Page; write"):
        suggest_many(DOG, [WOLF])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="targets is a list of them, not one str"):
        suggest_many([DOG], "Wolf")
    with pytest.raises(TypeError, match="a target is an Entity, a Page, a path or a title, not int"):
        suggest_many([DOG], [5])  # type: ignore[list-item]


def test_a_table_has_one_row_for_each_place_and_one_for_an_answer_without() -> None:
    answers = suggest_many([DOG, CAT], [WOLF, Entity("Zoroaster", id="Q3")], "bm25")
    table = answers.to_arrow()
    assert {field.name: str(field.type).replace("double", "float64") for field in table.schema} == COLUMNS
    first, *_, last = table.to_pylist()
    (place, *others) = suggest(DOG, WOLF, "bm25").places
    assert table.num_rows == len(others) + 2
    assert first == {
        "answer": 0,
        "page_title": "Dog",
        "page_id": "",
        "language": "en",
        "target_title": "Wolf",
        "target_id": "",
        "nowhere": False,
        "nowhere_probability": None,
        "rank": 1,
        "score": place.score,
        "probability": None,
        "action": "link_words",
        "section": "",
        "sentence": "The dog descends from the wolf.",
        "reason": place.reason,
        "link": "[[wolf]]",
        "source_start": 26,
        "source_end": 30,
    }
    assert (last["answer"], last["target_id"], last["nowhere"], last["rank"], last["link"]) == (
        1,
        "Q3",
        True,
        None,
        None,
    )


def test_a_data_frame_is_the_same_table() -> None:
    answers = suggest_many([DOG, CAT], [WOLF, MEAT], "linkspot", all_pairs=True)
    frame, table = answers.to_pandas(), answers.to_arrow()
    assert list(frame.columns) == table.column_names
    assert frame.astype(object).where(frame.notna(), None).to_dict("records") == table.to_pylist()
    assert linkspot.suggest_many([], []).to_pandas().empty


_WITHOUT_LIBRARIES = """
import sys
sys.modules["pyarrow"] = sys.modules["pandas"] = None  # as if they were not installed
import linkspot
answers = linkspot.suggest_many([], [], "bm25")
for work in (answers.to_arrow, answers.to_pandas, lambda: linkspot.open_index(".")):
    try:
        work()
    except linkspot.LinkspotError as error:
        print(error)
"""


def test_tables_and_indexes_name_the_command_that_installs_what_they_need() -> None:
    command = [sys.executable, "-c", _WITHOUT_LIBRARIES]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines() == [
        "to_arrow() needs pyarrow; run: pip install 'linkspot[data]'",
        "to_pandas() needs pandas; run: pip install 'linkspot[data]'",
        "an index needs pyarrow; run: pip install 'linkspot[data]'",
    ]
