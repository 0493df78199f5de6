"""Heads that learn from the links of one protocol are tried on the links of both."""

from collections import Counter
from random import Random

import numpy as np
from bench.protocol_heads import ProtocolCase, _differences, _learned, _mean, _some, _table, _tried

from linkspot.examples.dataset_reader import InsertionExample
from linkspot.insertions.rules import Protocol
from linkspot.model.dual.feature_table import NAMES
from linkspot.parsing import parse
from linkspot.records import Entity, Example, Page, Scenario
from linkspot.training.head_rows import HeadSample

ARTICLE = parse(Page("Dog", "It barks. It guards sheep. It descends from the wolf. It sleeps.", "markdown", "en"))
SENTENCES = len(ARTICLE.sentences)


def case(wiki: str, seed: int, *, is_told: bool) -> ProtocolCase:
    """Return a link whose right place the first feature tells, or nothing does."""
    draw = Random(seed)
    gold = draw.randrange(SENTENCES)
    matrix = np.random.default_rng(seed).normal(size=(SENTENCES, len(NAMES))).astype(np.float32)
    matrix[:, 0] = [float(number == gold) for number in range(SENTENCES)] if is_told else 0.0
    example = Example(Entity("Wolf"), ARTICLE, (gold,))
    scenario = Scenario.MISSING_MENTION if seed % 4 else Scenario.TEXT_PRESENT
    return ProtocolCase(wiki, InsertionExample(example, scenario, "en", wiki, str(seed)), HeadSample(matrix, (gold,)))


def links(count: int, start: int, *, is_told: bool) -> list[ProtocolCase]:
    return [case("ab"[number % 2], start + number, is_told=is_told) for number in range(count)]


CLEAR = {"train": links(60, 0, is_told=True), "validation": links(20, 100, is_told=True)}
VAGUE = {"train": links(60, 200, is_told=False), "validation": links(20, 300, is_told=False)}
TESTS = {Protocol.STRICT: links(40, 400, is_told=True), Protocol.PAPER: links(40, 500, is_told=False)}


def test_a_head_of_clear_links_is_better_on_clear_tests_and_the_report_says_by_how_much() -> None:
    clear, vague = (_tried(_learned(splits, None, 0), TESTS) for splits in (CLEAR, VAGUE))
    rows = {"Random": vague, "clear": clear, "vague": vague}
    strict, paper = _differences(rows)
    assert "on the links of `--protocol strict`: MRR +0." in strict
    assert "p = 0.000" in strict
    assert "on the links of `--protocol paper`" in paper
    lines = [*_table(rows, TESTS)]
    assert "Tested on links that `--protocol strict` finds (a 20, b 20):" in lines
    assert "| | all (40) | Present (10) | Missing (30) |" in lines


def test_equal_draws_take_as_many_links_of_each_wiki_and_others_with_another_seed() -> None:
    sizes = Counter({"a": 7, "b": 3})
    one, other = (_some(CLEAR["train"], sizes, seed) for seed in (0, 1))
    assert Counter(link.wiki for link in one) == Counter(link.wiki for link in other) == sizes
    assert {link.insertion.event for link in one} != {link.insertion.event for link in other}


def test_the_figures_of_several_heads_are_averaged_link_by_link() -> None:
    one, other = (_tried(lambda case, sign=sign: sign * case.sample.matrix[:, 0], TESTS) for sign in (1, -1))
    averaged = _mean([one, other])[Protocol.STRICT]
    assert all(result.hits_at_1 == 0.5 for result in averaged)
