import os
import pickle
import subprocess
import sys
from argparse import Namespace
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.tiny_encoders import tiny_encoder, tiny_writer
from tokenizers.normalizers import Replace
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer, BertConfig, BertModel

from linkspot.encoders.encoder import MOST_TOKENS, Encoder, TokenIds, Vectors
from linkspot.errors import UnknownRanker, UnusableInput
from linkspot.model.inputs import TokenBudget
from linkspot.parsing import parse
from linkspot.ranking.cascade import CascadeRanker
from linkspot.ranking.encoder_folder import open_folder
from linkspot.ranking.entqa import EntQARanker
from linkspot.ranking.get import GetRanker
from linkspot.ranking.ranker import open_ranker
from linkspot.records import Entity, Markup, Page

MILL = Entity("Old mill", "A mill beside the bridge.", ("mill",))
TRAIN = Entity("Train", "Wagons that follow a locomotive on rails.")
TEXT = """The river flows. The bridge, which stands beside the old mill of the town, is much older than the station.

## Trains

A train leaves. Signals keep trains apart. Wagons wait until all of them are loaded, one after another.
"""
PAGE = parse(Page("Town", TEXT, Markup.MARKDOWN, "en"))
SHORT, LONG = "A mill.", "The mill stands beside the bridge of the old town, where the river flows. " * 3
CLOSE = {"atol": 1e-4, "rtol": 0}


class Seeing:
    """An encoder that notes what it is given."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.dimensions, self.longest = encoder.dimensions, encoder.longest
        self.seen: list[TokenIds] = []

    def encode(self, sequences: Sequence[TokenIds]) -> list[Vectors]:
        self.seen += sequences
        return self._encoder.encode(sequences)


def spied(ranker: EntQARanker) -> tuple[Seeing, Seeing]:
    """Put an eye on both encoders of a ranker."""
    ranker._passages, ranker._entities = (
        replace(opened, encoder=Seeing(opened.encoder)) for opened in (ranker._passages, ranker._entities)
    )
    return ranker._passages.encoder, ranker._entities.encoder  # type: ignore[return-value]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two encoders whose vectors differ, one of passages and one of entities."""
    made = tmp_path_factory.mktemp("pair")
    special = ("[unused1]", "[unused2]")
    first, second = (
        tiny_encoder(made / name, seed=seed, spread=0.3, special=special) for seed, name in enumerate("pe")
    )
    return first, second


@pytest.fixture
def entqa(folders: tuple[Path, Path]) -> EntQARanker:
    return EntQARanker.of_encoders(*folders)


@pytest.fixture(scope="module")
def state(folders: tuple[Path, Path]) -> OrderedDict[str, torch.Tensor]:
    """The weights of both encoders under the names that the authors' code gives them, pooling layers included."""
    held: OrderedDict[str, torch.Tensor] = OrderedDict()
    for prefix, folder in zip(("mention_encoder", "entity_encoder"), folders, strict=True):
        whole = BertModel(BertConfig.from_pretrained(folder))
        whole.load_state_dict(BertModel.from_pretrained(folder, add_pooling_layer=False).state_dict(), strict=False)
        held |= {f"{prefix}.{name}": value for name, value in whole.state_dict().items()}
        held[f"{prefix}.embeddings.position_ids"] = torch.arange(512)[None]  # as transformers 4 kept it
    return held


def saved_by_authors(path: Path, state: OrderedDict[str, torch.Tensor], **others: Any) -> Path:
    """Write a checkpoint with all that the authors' training puts beside the weights."""
    weights = torch.nn.Parameter(torch.zeros(2))
    optimiser = torch.optim.AdamW([weights])
    weights.sum().backward()
    optimiser.step()
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda _step: 1.0)
    settings = Namespace(model="retriever.pt", lr=2e-6, gpus="0,1", blink=True, device=torch.device("cuda"))
    held = {
        "opt": settings,
        "sd": state,
        "perf": 0.98,
        "epoch": 3,
        "opt_sd": optimiser.state_dict(),
        "scheduler_sd": schedule.state_dict(),
        "tr_loss": 1.5,
        "step_num": 10,
        "logging_loss": 1.0,
    }
    torch.save(held | others, path)
    return path


def test_the_checkpoint_of_entqas_authors_scores_as_its_two_encoders_do(
    entqa: EntQARanker,
    state: OrderedDict[str, torch.Tensor],
    folders: tuple[Path, Path],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    capfd.readouterr()
    ranker = EntQARanker.of_checkpoint(saved_by_authors(tmp_path / "retriever.pt", state), folders[0])
    np.testing.assert_allclose(ranker.score(MILL, PAGE).places, entqa.score(MILL, PAGE).places, **CLOSE)
    assert capfd.readouterr() == ("", "")
    swapped = EntQARanker.of_encoders(*reversed(folders))
    assert not np.allclose(swapped.score(MILL, PAGE).places, entqa.score(MILL, PAGE).places, atol=1e-3)


@pytest.mark.parametrize("is_zip", [True, False], ids=["torch since 1.6", "torch before 1.6"])
def test_weights_alone_and_those_of_blink_are_read_too(
    entqa: EntQARanker,
    state: OrderedDict[str, torch.Tensor],
    folders: tuple[Path, Path],
    tmp_path: Path,
    is_zip: bool,
) -> None:
    names = {"mention_encoder.": "context_encoder.bert_model.", "entity_encoder.": "cand_encoder.bert_model."}
    blink = OrderedDict((names[key[: key.index(".") + 1]] + key[key.index(".") + 1 :], v) for key, v in state.items())
    for weights in (state, blink):
        torch.save(weights, tmp_path / "weights.bin", _use_new_zipfile_serialization=is_zip)
        found = EntQARanker.of_checkpoint(tmp_path / "weights.bin", folders[0]).score(MILL, PAGE).places
        np.testing.assert_allclose(found, entqa.score(MILL, PAGE).places, **CLOSE)


class Evil:
    """Runs a program when it is unpickled by anyone who trusts it."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, (f"touch {self._mark}",)


@pytest.mark.parametrize("form", ["checkpoint", "old checkpoint", "pickle", "newer pickle"])
def test_a_pickle_with_code_in_it_is_refused_and_does_not_run(
    state: OrderedDict[str, torch.Tensor], folders: tuple[Path, Path], tmp_path: Path, form: str
) -> None:
    path, evil = tmp_path / "retriever.pt", Evil(tmp_path / "it-ran")
    if form == "checkpoint":
        saved_by_authors(path, state, scheduler_sd=evil)
    elif form == "old checkpoint":
        torch.save({"sd": state, "opt": evil}, path, _use_new_zipfile_serialization=False)
    else:
        path.write_bytes(pickle.dumps({"sd": evil}, protocol=2 if form == "pickle" else 5))
    why = "torch.save did not write it" if form == "newer pickle" else f"would call {os.system.__module__}.system"
    with pytest.raises(UnusableInput, match=rf"retriever\.pt is refused: .*{why}") as told:
        EntQARanker.of_checkpoint(path, folders[0])
    assert "\n" not in str(told.value)
    assert not (tmp_path / "it-ran").exists()
    if "pickle" in form:  # the trap does spring where it is trusted
        pickle.loads(path.read_bytes())
        assert (tmp_path / "it-ran").exists()


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"\x80\x02K\x01.", bytes(range(256)) * 20, b"PK\x03\x04" + b"x" * 99]
)
def test_a_file_that_is_no_checkpoint_gets_one_line(folders: tuple[Path, Path], tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "retriever.pt"
    path.write_bytes(content)
    with pytest.raises(
        UnusableInput, match=r"retriever\.pt (is refused: it is damaged|does not hold two encoders)"
    ) as told:
        EntQARanker.of_checkpoint(path, folders[0])
    assert "\n" not in str(told.value)


def test_a_checkpoint_of_other_things_or_of_another_shape_says_what_was_expected(
    state: OrderedDict[str, torch.Tensor], folders: tuple[Path, Path], tmp_path: Path
) -> None:
    with pytest.raises(UnusableInput, match=r"none\.pt is not a file"):
        EntQARanker.of_checkpoint(tmp_path / "none.pt", folders[0])
    torch.save({"reader.weight": torch.zeros(2)}, tmp_path / "reader.pt")
    with pytest.raises(UnusableInput, match=r"two encoders; found reader\.weight, expected .* mention_encoder\."):
        EntQARanker.of_checkpoint(tmp_path / "reader.pt", folders[0])
    other = tiny_encoder(tmp_path / "other", special=tuple(f"[more{n}]" for n in range(8)), longest=128)
    torch.save(state, tmp_path / "weights.pt")
    with pytest.raises(
        UnusableInput, match=r"weights\.pt does not have the shape of .*other: \d of its weights .*position"
    ):
        EntQARanker.of_checkpoint(tmp_path / "weights.pt", other)
    lacking = {name: value for name, value in state.items() if "layer.1.output" not in name}
    torch.save(lacking, tmp_path / "lacking.pt")
    with pytest.raises(UnusableInput, match=r"4 of its weights are missing"):
        EntQARanker.of_checkpoint(tmp_path / "lacking.pt", folders[0])


def test_entqa_compares_the_first_tokens_of_sentence_and_of_title_with_lead(folders: tuple[Path, Path]) -> None:
    ranker = EntQARanker.of_encoders(*folders)
    tokenizer = AutoTokenizer.from_pretrained(folders[0])

    def first(folder: Path, ids: list[int]) -> torch.Tensor:
        model = BertModel.from_pretrained(folder, add_pooling_layer=False)
        with torch.no_grad():
            return model(torch.tensor([[2, *ids, 3]])).last_hidden_state[0, 0]

    def tokens(text: str) -> list[int]:
        return list(tokenizer(text, add_special_tokens=False)["input_ids"])

    end = tokenizer.convert_tokens_to_ids("[unused2]")
    entity = first(folders[1], [*tokens(MILL.title), end, *tokens(MILL.lead)])
    wanted = [
        max(
            float(torch.cosine_similarity(first(folders[0], ids[start : start + 30]), entity, dim=0))
            for start in range(0, max(1, len(ids) - 14), 16)
        )
        for ids in (tokens(sentence.text) for _, sentence in PAGE.sentences)
    ]
    assert any(len(tokens(sentence.text)) > 30 for _, sentence in PAGE.sentences)
    np.testing.assert_allclose(ranker.score(MILL, PAGE).places, wanted, **CLOSE)


def test_entqa_reads_a_text_in_passages_as_its_authors_did_and_loses_no_token(entqa: EntQARanker) -> None:
    for size in range(1, 100):
        passages = [ids[1:-1] for ids in entqa._split(tuple(range(size)))]
        assert passages == [tuple(range(16 * n, min(16 * n + 30, size))) for n in range(len(passages))]
        assert passages[-1][-1] == size - 1
        assert len(passages) == 1 or passages[-2][-1] < size - 1


def test_entqa_reads_as_much_of_an_entity_as_its_authors_did(entqa: EntQARanker) -> None:
    seen = spied(entqa)[1].seen
    entqa.score_texts(replace(MILL, lead=LONG * 9), [SHORT])
    entqa.score_texts(Entity("Old mill"), [SHORT])
    assert [len(seen[0]), len(seen[1]) < 10] == [128, True]


def test_entqa_reads_the_sentence_alone_or_in_its_context_as_told(folders: tuple[Path, Path]) -> None:
    alone, told = EntQARanker.of_encoders(*folders), EntQARanker.of_encoders(*folders, context_sentences=5)
    texts = [sentence.text for _, sentence in PAGE.sentences]
    np.testing.assert_allclose(alone.score(MILL, PAGE).places, alone.score_texts(MILL, texts), **CLOSE)
    sections = [" ".join(texts[:2])] * 2 + [" ".join(texts[2:])] * 3
    np.testing.assert_allclose(told.score(MILL, PAGE).places, alone.score_texts(MILL, sections), **CLOSE)


def test_the_context_of_both_can_be_named_on_the_command_line(folders: tuple[Path, Path], writer: Path) -> None:
    for name, told in (
        (f"entqa:{folders[0]},{folders[1]}", EntQARanker.of_encoders(*folders, context_sentences=1)),
        (f"entqa:{folders[0]}", EntQARanker.of_encoders(folders[0], folders[0], context_sentences=1)),
        (f"get:{writer}", GetRanker.of_folder(writer, context_sentences=1)),
    ):
        places = open_ranker(f"{name},context=1").score(MILL, PAGE).places
        assert places == told.score(MILL, PAGE).places
        assert places != pytest.approx(open_ranker(name).score(MILL, PAGE).places)
        with pytest.raises(UnknownRanker, match="'context=five' is not a number of sentences; write it like context=5"):
            open_ranker(f"{name},context=five")


def test_an_entity_is_encoded_once_and_a_passage_once_for_all_entities(folders: tuple[Path, Path]) -> None:
    ranker = EntQARanker.of_encoders(*folders)
    passages, entities = spied(ranker)
    first = ranker.score(MILL, PAGE).places
    ranker.score(TRAIN, PAGE)
    assert (len(passages.seen), len(entities.seen)) == (len(set(map(tuple, passages.seen))), 2)
    assert ranker.score(MILL, PAGE).places == first


def test_one_folder_may_be_both_encoders_and_two_of_different_sizes_may_not(folders: tuple[Path, Path]) -> None:
    assert len(EntQARanker.of_encoders(folders[0], folders[0]).score(MILL, PAGE).places) == 5
    opened = open_folder(folders[0], TokenBudget())
    wide = Seeing(opened.encoder)
    wide.dimensions = 64
    with pytest.raises(UnusableInput, match=r"vectors of 32 numbers and entities of 64"):
        EntQARanker(opened, replace(opened, encoder=wide))


@pytest.fixture(scope="module", params=["bart", "t5"])
def writer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_writer(tmp_path_factory.mktemp(request.param), request.param)


def test_the_likelihood_is_that_of_the_titles_tokens_one_after_another(writer: Path) -> None:
    tokenizer, model = AutoTokenizer.from_pretrained(writer), AutoModelForSeq2SeqLM.from_pretrained(writer).eval()
    title = tokenizer(MILL.title, add_special_tokens=False)["input_ids"]
    # What a decoder has written before the title: what starts it and, in BART, the beginning that it writes itself.
    written = [3, 2] if model.config.model_type == "bart" else [0]
    logs = []
    with torch.no_grad():
        source = tokenizer(SHORT, return_tensors="pt")
        for token in title:
            logits = model(**source, decoder_input_ids=torch.tensor([written])).logits[0, -1]
            logs.append(float(logits[token] - logits.logsumexp(0)))
            written.append(token)
    (found,) = GetRanker.of_folder(writer).score_texts(MILL, [SHORT])
    assert found == pytest.approx(sum(logs) / len(logs), abs=1e-4)
    assert len(title) > 2


def score_texts(name: str, folders: tuple[Path, Path], writer: Path) -> Callable[[list[str]], Sequence[float]]:
    ranker = EntQARanker.of_encoders(*folders) if name == "entqa" else GetRanker.of_folder(writer)
    return lambda texts: ranker.score_texts(MILL, texts)


@pytest.mark.parametrize("name", ["entqa", "get"])
def test_texts_score_together_as_they_do_alone_whatever_their_lengths(
    name: str, folders: tuple[Path, Path], writer: Path
) -> None:
    texts = [f"Wagon {number} waits. " * (1 + number % 5) for number in range(40)] + [SHORT, LONG]
    together = score_texts(name, folders, writer)(texts)
    score = score_texts(name, folders, writer)
    np.testing.assert_allclose(together, [score([text])[0] for text in texts], **CLOSE)
    np.testing.assert_allclose(score(texts[::-1])[::-1], together, **CLOSE)
    assert len({round(number, 4) for number in together}) > 20


def test_what_fills_up_a_batch_changes_nothing(folders: tuple[Path, Path], writer: Path) -> None:
    for name in ("entqa", "get"):
        (alone,), (beside, _) = (score_texts(name, folders, writer)(texts) for texts in ([SHORT], [SHORT, LONG]))
        assert beside == pytest.approx(alone, abs=1e-4)


def test_batches_are_bounded_by_the_words_that_a_title_is_chosen_from(
    writer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranker, sizes = GetRanker.of_folder(writer), []
    run = ranker._run

    def noting(ids: Any, mask: Any, title: list[int]) -> Any:
        sizes.append((len(ids), len(title)))
        return run(ids, mask, title)

    monkeypatch.setattr(ranker, "_run", noting)
    ranker.score_texts(Entity("A very old mill beside the bridge"), [f"Wagon {number}." for number in range(200)])
    assert len(sizes) > 1
    assert all(texts * tokens * 16 <= MOST_TOKENS for texts, tokens in sizes)
    assert sum(texts for texts, _ in sizes) == 200


def test_get_reads_a_sentence_alone_unless_told_and_then_keeps_it_whole(writer: Path) -> None:
    alone, told = GetRanker.of_folder(writer), GetRanker.of_folder(writer, context_sentences=5)
    texts = [sentence.text for _, sentence in PAGE.sentences]
    assert alone.score(MILL, PAGE).places == pytest.approx(alone.score_texts(MILL, texts), abs=1e-4)
    sections = [" ".join(texts[:2])] * 2 + [" ".join(texts[2:])] * 3
    assert told.score(MILL, PAGE).places == pytest.approx(alone.score_texts(MILL, sections), abs=1e-4)
    wordy = f"{LONG.replace('.', ',') * 2}and on. " * 6  # five before the sentence would leave no room for itself
    many = parse(Page("Long", f"{wordy} {SHORT} {wordy}", Markup.MARKDOWN, "en"))
    place = next(number for number, (_, sentence) in enumerate(many.sentences) if sentence.text == SHORT)
    (near,) = told._passages(many, [place])
    kept = told._tokenizer.decode(near, skip_special_tokens=True)
    assert "▁A▁mill." in kept.replace(" ", "")
    assert 64 < len(near) <= 512


def test_get_asks_for_some_candidates_alone_and_stands_behind_a_cheaper_ranker(writer: Path) -> None:
    ranker = GetRanker.of_folder(writer)
    whole = ranker.score(MILL, PAGE).places
    assert ranker.score_some(MILL, PAGE, [3, 1]).places == pytest.approx([whole[3], whole[1]], abs=1e-4)
    both = CascadeRanker(open_ranker("bm25"), ranker, best=2).score(MILL, PAGE).places
    assert np.isfinite(both).all()
    assert len(set(both)) == 5


@pytest.mark.parametrize("name", ["entqa", "get"])
def test_they_never_say_nowhere(name: str, folders: tuple[Path, Path], writer: Path) -> None:
    ranker = EntQARanker.of_encoders(*folders) if name == "entqa" else GetRanker.of_folder(writer)
    scores = ranker.score(Entity("Quark"), PAGE)
    assert min(scores.places) > scores.nowhere


def test_a_title_of_which_nothing_is_left_says_the_same_of_all_texts(writer: Path) -> None:
    ranker = GetRanker.of_folder(writer)
    ranker._tokenizer.backend_tokenizer.normalizer = Replace("\u200b", "")  # as SentencePiece does
    assert ranker.score_texts(Entity("\u200b"), [SHORT, LONG]) == (0.0, 0.0)
    assert ranker.score_texts(MILL, [""])[0] < 0


@pytest.mark.parametrize("name", ["entqa", "get"])
def test_no_texts_have_no_scores(name: str, folders: tuple[Path, Path], writer: Path) -> None:
    assert score_texts(name, folders, writer)([]) == ()


def test_weights_without_a_tokenizer_take_anothers(writer: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    AutoModelForSeq2SeqLM.from_pretrained(writer).save_pretrained(bare)
    found = GetRanker.of_folder(bare, tokenizer=writer).score(MILL, PAGE).places
    assert found == GetRanker.of_folder(writer).score(MILL, PAGE).places


def test_an_encoder_alone_cannot_write(folders: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"is a bert model, which cannot write text; expected .* BART, T5 or mBART"):
        GetRanker.of_folder(folders[0])
    with pytest.raises(UnusableInput, match=r"has no config\.json"):
        GetRanker.of_folder(tmp_path)


def test_importing_them_imports_neither_torch_nor_transformers_and_opening_them_without_says_what_to_install(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    program = """
import sys
sys.modules["torch"] = sys.modules["transformers"] = None
from linkspot.errors import MissingExtra
from linkspot.ranking.entqa import EntQARanker
from linkspot.ranking.get import GetRanker
for open_it in (
    lambda: EntQARanker.of_encoders(sys.argv[1], sys.argv[2]),
    lambda: EntQARanker.of_checkpoint("retriever.pt", sys.argv[1]),
    lambda: GetRanker.of_folder(sys.argv[1]),
):
    try:
        open_it()
    except MissingExtra as error:
        print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, *folders], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert all("pip install 'linkspot[train]'" in line for line in lines)
