"""Tiny encoders with random weights, in Hugging Face folders: real architectures that train in seconds."""

from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    BertConfig,
    BertModel,
    DebertaV2Config,
    DebertaV2Model,
    ModernBertConfig,
    ModernBertModel,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaModel,
    T5Config,
    T5EncoderModel,
    T5ForConditionalGeneration,
    XLMRobertaConfig,
    XLMRobertaModel,
)

from linkspot.encoders.special_tokens import SpecialTokens
from linkspot.encoders.torch_encoder import load_encoder
from linkspot.model.config import ModelConfig, ModelKind
from linkspot.model.cross.network import HeadedNetwork
from linkspot.model.dual.feature_table import NAMES, PAGE_NAMES
from linkspot.model.dual.head import Head
from linkspot.model.dual.pca import Pca
from linkspot.model.mlp import Mlp

SIZE, LAYERS = 32, 2
_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
_TEXTS = [
    "The river flows through the town, and the old mill stands beside the bridge.",
    "A train leaves the station when all wagons are loaded; signals keep trains apart.",
    "Реката тече през града, а старата мелница стои до моста.",
    "川は町を流れ、古い水車が橋のそばに立っている。",
]


def tiny_encoder(
    folder: Path,
    family: str = "bert",
    longest: int = 512,
    dropout: float = 0.1,
    *,
    seed: int = 0,
    spread: float = 0.02,
    special: tuple[str, ...] = (),
) -> Path:
    """Write an encoder of a family, with a tokenizer that knows letters and some words, and return its folder.

    With weights of a wider spread than usual, texts that differ have vectors that differ much.
    """
    torch.manual_seed(seed)
    tokenizer = _tokenizer(special)
    model = _model(family, tokenizer.backend_tokenizer.get_vocab_size(), longest, dropout, spread)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def tiny_writer(folder: Path, family: str = "bart") -> Path:
    """Write an encoder with a decoder, whose tokenizer frames texts as its family does, and return its folder."""
    torch.manual_seed(0)
    tokenizer = _tokenizer()
    vocabulary = tokenizer.backend_tokenizer.get_vocab_size()
    begin, end = ("[CLS]", 2), ("[SEP]", 3)
    shape = {"vocab_size": vocabulary, "d_model": SIZE, "pad_token_id": 0, "eos_token_id": end[1]}
    model: PreTrainedModel
    if family == "bart":
        frame = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[begin, end])
        parts = {
            f"{part}_{name}": number
            for part in ("encoder", "decoder")
            for name, number in (("layers", LAYERS), ("attention_heads", 2), ("ffn_dim", 64))
        }
        ids = {"bos_token_id": begin[1], "decoder_start_token_id": end[1], "max_position_embeddings": 512}
        model = BartForConditionalGeneration(BartConfig(**shape, **parts, **ids, init_std=0.5))
    else:
        frame = processors.TemplateProcessing(single="$A [SEP]", special_tokens=[end])
        size = {"d_kv": 16, "d_ff": 64, "num_layers": LAYERS, "num_heads": 2, "decoder_start_token_id": 0}
        model = T5ForConditionalGeneration(T5Config(**shape, **size))
    tokenizer.backend_tokenizer.post_processor = frame
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def tiny_model(folder: Path, kind: ModelKind) -> Path:
    """Write a model of a kind that has learned nothing yet, and return its folder."""
    tiny_encoder(folder)
    config = ModelConfig(kind, SpecialTokens(first=2, separator=3, padding=0))
    if kind is ModelKind.DUAL:
        Head(_mlp(len(NAMES)), _mlp(len(PAGE_NAMES))).save(folder)
        chance = np.random.default_rng(0)
        Pca.of(*(chance.normal(size=(40, SIZE)).astype(np.float32) for _ in range(2))).save(folder)
    else:
        HeadedNetwork(load_encoder(folder), config).save_heads(folder)
    config.save(folder)
    return folder


def _mlp(inputs: int) -> Mlp:
    draw = np.random.default_rng(0)
    return Mlp(*(draw.normal(size=shape).astype(np.float32) for shape in ((8, inputs), (8,), (1, 8), (1,))))


def _tokenizer(special: tuple[str, ...] = ()) -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    letters = sorted({letter for text in _TEXTS for letter in text} | set(map(chr, range(32, 127))))
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=[*_SPECIAL, *special], initial_alphabet=letters)
    tokenizer.train_from_iterator(_TEXTS, trainer)
    names = {
        "pad_token": "[PAD]",
        "unk_token": "[UNK]",
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        "mask_token": "[MASK]",
    }
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


def _model(family: str, vocabulary: int, longest: int, dropout: float, spread: float) -> PreTrainedModel:
    shape = {
        "vocab_size": vocabulary,
        "hidden_size": SIZE,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": 2,
        "intermediate_size": 64,
        "pad_token_id": 0,
        "initializer_range": spread,
    }
    noise = {"hidden_dropout_prob": dropout, "attention_probs_dropout_prob": dropout}
    match family:
        case "bert":
            return BertModel(BertConfig(**shape, **noise, max_position_embeddings=longest), add_pooling_layer=False)
        case "roberta":
            config = RobertaConfig(**shape, **noise, max_position_embeddings=longest + 1)
            return RobertaModel(config, add_pooling_layer=False)
        case "xlm-roberta":
            config = XLMRobertaConfig(**shape, **noise, max_position_embeddings=longest + 1)
            return XLMRobertaModel(config, add_pooling_layer=False)
        case "deberta-v2":
            config = DebertaV2Config(
                **shape,
                **noise,
                max_position_embeddings=longest,
                relative_attention=True,
                position_buckets=16,
                pos_att_type=["p2c", "c2p"],
                type_vocab_size=0,
            )
            return DebertaV2Model(config)
        case "modernbert":
            ends = {"bos_token_id": 2, "eos_token_id": 3, "cls_token_id": 2, "sep_token_id": 3}
            return ModernBertModel(
                ModernBertConfig(**shape, **ends, max_position_embeddings=longest, attention_dropout=dropout)
            )
        case "t5":
            config = T5Config(
                vocab_size=vocabulary,
                d_model=SIZE,
                d_kv=16,
                d_ff=64,
                num_layers=LAYERS,
                num_heads=2,
                pad_token_id=0,
                dropout_rate=dropout,
            )
            return T5EncoderModel(config)
        case _:
            raise ValueError(f"no tiny encoder of the family {family!r}")
