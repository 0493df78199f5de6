import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, trainers

from linkspot.encoders import packed
from linkspot.encoders.tokenizer import TOKENIZER, FastTokenizer, open_tokenizer
from linkspot.encoders.unigram_tokenizer import (
    _TRUSTED,
    UnigramTokenizer,
    _digest_of,
    write_unigram_tokenizer,
)
from linkspot.errors import UnusableInput
from linkspot.model.shipped import shipped_model

TEXTS = [
    "The river flows through the town, and the old mill stands beside the bridge.",
    "Mto unapita mjini, na kinu cha zamani kiko karibu na daraja; maji ya mto ni mengi.",
    "Реката тече през града, а старата мелница стои до моста.",
    "川は町を流れ、古い水車が橋のそばに立っている。",
    "ወንዙ በከተማው ውስጥ ይፈሳል። อาคารเก่าอยู่ข้างสะพาน",
]
ODD = [
    "",
    " ",
    "  two  spaces ",
    "\n\t",
    "<s>",
    "a<s>b</s>  c",
    "<s><s>",
    "<unk>",
    "a \n<mask> b",
    "<mask>  <mask>",
    "<end> \u3000<mask>\x1c<end>\x1c\x85<end>",
    "～~",
    "ﬁ½Ⅳ",
    "🦫🦫 ok 🦫",
    "e\u0301é",
    "\u200b\u00ad",
    "▁_▁",
]
WORDS = st.sampled_from([*"".join(TEXTS).split(), *ODD])


@pytest.fixture(scope="module")
def library() -> Tokenizer:
    """A small unigram tokenizer of the library, with all steps that one for a hundred languages has."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace("  ", " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<s>", "</s>", "<unk>", AddedToken("<mask>", lstrip=True), AddedToken("<end>", rstrip=True)]
    trainer = trainers.UnigramTrainer(
        vocab_size=150, special_tokens=special, unk_token="<unk>", show_progress=False, initial_alphabet=["▁"]
    )
    tokenizer.train_from_iterator(TEXTS[:4], trainer)
    return tokenizer


@pytest.fixture(scope="module")
def pieces(library: Tokenizer, tmp_path_factory: pytest.TempPathFactory) -> UnigramTokenizer:
    folder = tmp_path_factory.mktemp("pieces")
    assert write_unigram_tokenizer(library.to_str().encode(), folder)
    library.save(str(folder / TOKENIZER))
    return UnigramTokenizer(folder)


@pytest.mark.parametrize("text", [*TEXTS, *ODD])
def test_pieces_say_what_the_library_says(library: Tokenizer, pieces: UnigramTokenizer, text: str) -> None:
    assert pieces.ids([text]) == FastTokenizer(library).ids([text])


@given(st.lists(WORDS | st.text(max_size=8), max_size=12), st.sampled_from(["", " "]))
@settings(max_examples=300)
def test_pieces_say_what_the_library_says_of_any_text(
    library: Tokenizer, pieces: UnigramTokenizer, words: list[str], between: str
) -> None:
    text = between.join(words)
    assert pieces.ids([text]) == FastTokenizer(library).ids([text])


def test_letters_that_are_unknown_in_a_row_are_one_token(library: Tokenizer, pieces: UnigramTokenizer) -> None:
    unknown = library.token_to_id("<unk>")
    (ids,) = pieces.ids(["ወንዙ mill"])
    assert ids.count(unknown) == 1
    assert len(ids) > 2


def test_the_shipped_model_reads_texts_as_the_library_does() -> None:
    folder = shipped_model()
    whole = FastTokenizer(Tokenizer.from_buffer(packed.read(folder / TOKENIZER)))
    opened = open_tokenizer(folder)
    assert isinstance(opened, UnigramTokenizer)
    texts = [*TEXTS, *ODD, *(" ".join(TEXTS[n:] + ODD) for n in range(len(TEXTS)))]
    assert opened.ids(texts) == whole.ids(texts)


def test_a_tokenizer_that_works_in_another_way_has_no_pieces(library: Tokenizer, tmp_path: Path) -> None:
    assert not write_unigram_tokenizer(Tokenizer(models.WordPiece({"[UNK]": 0})).to_str().encode(), tmp_path)
    told = json.loads(library.to_str())
    told["model"]["byte_fallback"] = True
    assert not write_unigram_tokenizer(json.dumps(told).encode(), tmp_path)
    first = Tokenizer.from_str(library.to_str())
    first.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(prepend_scheme="first")])
    assert not write_unigram_tokenizer(first.to_str().encode(), tmp_path)
    for token in (
        AddedToken("<other>", normalized=False, single_word=True),
        AddedToken("<other>", normalized=True),
        AddedToken("<other> ", normalized=False),
    ):
        other = Tokenizer.from_str(library.to_str())
        assert other.add_tokens([token]) == 1
        assert not write_unigram_tokenizer(other.to_str().encode(), tmp_path)
    assert not list(tmp_path.iterdir())


def test_damaged_pieces_are_told_in_one_line(library: Tokenizer, tmp_path: Path) -> None:
    write_unigram_tokenizer(library.to_str().encode(), tmp_path)
    for name in ("pieces.trie", "pieces.safetensors", "pieces.json"):
        whole = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(whole[: len(whole) // 2])
        with pytest.raises(UnusableInput, match=r"^the tokenizer of .* cannot be read; export the model again"):
            open_tokenizer(tmp_path)
        (tmp_path / name).write_bytes(whole)


def test_a_trie_with_one_wrong_byte_is_refused_before_it_is_mapped(library: Tokenizer, tmp_path: Path) -> None:
    write_unigram_tokenizer(library.to_str().encode(), tmp_path)
    whole = (tmp_path / "pieces.trie").read_bytes()
    draw = random.Random(5)
    for _ in range(100):
        damaged = bytearray(whole)
        damaged[draw.randrange(len(damaged))] ^= draw.randrange(1, 256)
        (tmp_path / "pieces.trie").write_bytes(damaged)
        with pytest.raises(UnusableInput, match="is not as it was exported"):
            open_tokenizer(tmp_path)


def test_pieces_of_an_older_export_without_a_digest_are_not_used(library: Tokenizer, tmp_path: Path) -> None:
    write_unigram_tokenizer(library.to_str().encode(), tmp_path)
    library.save(str(tmp_path / "tokenizer.json"))
    settings = json.loads((tmp_path / "pieces.json").read_text())
    del settings["digest"]
    (tmp_path / "pieces.json").write_text(json.dumps(settings))
    assert isinstance(open_tokenizer(tmp_path), FastTokenizer)


def test_a_trie_that_is_made_to_harm_is_not_even_opened(library: Tokenizer, tmp_path: Path) -> None:
    write_unigram_tokenizer(library.to_str().encode(), tmp_path)
    library.save(str(tmp_path / TOKENIZER))
    settings, whole = json.loads((tmp_path / "pieces.json").read_text()), (tmp_path / "pieces.trie").read_bytes()
    draw = random.Random(11)
    for _ in range(30):  # some of them crash a process that maps them
        hostile = bytearray(whole)
        for _ in range(20):
            hostile[draw.randrange(16, len(hostile))] = draw.randrange(256)
        (tmp_path / "pieces.trie").write_bytes(hostile)
        settings["digest"] = _digest_of(tmp_path)
        (tmp_path / "pieces.json").write_text(json.dumps(settings))
        assert open_tokenizer(tmp_path).ids(TEXTS) == FastTokenizer(library).ids(TEXTS)
    (tmp_path / TOKENIZER).unlink()
    with pytest.raises(UnusableInput, match="export the model again"):
        open_tokenizer(tmp_path)


def test_the_trie_of_the_model_that_comes_with_linkspot_is_trusted() -> None:
    settings = json.loads((shipped_model() / "pieces.json").read_text(encoding="utf-8"))
    assert frozenset({settings["digest"]}) == _TRUSTED
