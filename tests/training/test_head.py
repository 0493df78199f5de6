from dataclasses import replace

import numpy as np
import pytest
import torch

from linkspot.errors import UnusableInput
from linkspot.model.dual.feature_table import NAMES, PRECEDENT_COLUMNS
from linkspot.training.head import HeadSettings, fit, mean_of, refit
from linkspot.training.head_rows import HeadSample, Rows, and_alone, listwise_of_pages
from linkspot.training.losses import listwise

SETTINGS = HeadSettings(networks=2, hidden=16, batch=8, rate=5e-3, epochs=10)
ON = replace(SETTINGS, networks=1)
CUE = NAMES.index("lead_similarity")


def samples(count: int, seed: int, cue: int = CUE, noise: float = 0.3) -> list[HeadSample]:
    """Pages whose right sentence stands out in one feature; a page where none does is for nowhere."""
    chance = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        n = int(chance.integers(4, 20))
        matrix = chance.normal(size=(n, len(NAMES))).astype(np.float32)
        matrix[:, cue] = noise * matrix[:, cue]
        is_nowhere = chance.random() < 0.3
        gold = () if is_nowhere else (int(chance.integers(n)),)
        matrix[list(gold), cue] += 2
        found.append(HeadSample(matrix, gold))
    return found


def test_many_pages_at_once_have_the_loss_of_each_by_itself() -> None:
    pages = [HeadSample(one.matrix, one.gold, frozenset({0, 3}) - set(one.gold)) for one in samples(9, 0) if one.gold]
    pages.append(HeadSample(pages[0].matrix, (0, 1, 2)))
    rows = Rows.of(pages)
    scores = torch.randn(len(rows.inputs), generator=torch.Generator().manual_seed(0))
    single, start = [], 0
    for page in pages:
        kept = [n for n in range(len(page.matrix)) if n not in page.ignored]
        whole = torch.zeros(len(page.matrix))
        whole[kept] = scores[start : start + len(kept)]
        single.append(listwise(whole, page.gold, page.ignored, has_nowhere=False))
        start += len(kept)
    assert listwise_of_pages(scores, rows).item() == pytest.approx(torch.stack(single).mean().item(), rel=1e-5)


def test_pages_that_are_taken_out_are_the_same_pages() -> None:
    pages = [one for one in samples(9, 0) if one.gold]
    rows = Rows.of(pages).take(torch.tensor([4, 1]))
    again = Rows.of([pages[4], pages[1]])
    for one, other in ((rows.inputs, again.inputs), (rows.right, again.right), (rows.page, again.page)):
        assert torch.equal(one, other)


def test_figures_count_ties_against_the_scorer() -> None:
    rows = Rows.of([one for one in samples(30, 0) if one.gold])
    assert rows.figures(lambda matrix: matrix[:, CUE]).hits_at_1 > 0.9
    assert rows.figures(lambda matrix: np.zeros(len(matrix), np.float32)).hits_at_1 == 0


def test_a_head_learns_where_and_whether() -> None:
    head = fit(samples(200, 0), samples(60, 1), SETTINGS, seed=0)
    tests = samples(100, 2)
    assert Rows.of(tests).figures(head.place).hits_at_1 > 0.9
    judged = [(head.scores(one.matrix), not one.gold) for one in tests]
    right = [(found.nowhere > found.places.max()) == is_nowhere for found, is_nowhere in judged]
    assert np.mean(right) > 0.85


def test_the_same_seed_gives_the_same_head() -> None:
    heads = [fit(samples(40, 0), samples(20, 1), SETTINGS, seed=3) for _ in range(2)]
    matrix = samples(1, 5)[0].matrix
    assert np.array_equal(heads[0].place(matrix), heads[1].place(matrix))


def test_networks_that_are_averaged_say_the_mean() -> None:
    networks = [fit(samples(30, n), samples(9, 1), SETTINGS, seed=n).nowhere for n in range(3)]
    inputs = np.random.default_rng(0).normal(size=(5, networks[0].hidden_weight.shape[1])).astype(np.float32)
    np.testing.assert_allclose(mean_of(networks)(inputs), np.mean([one(inputs) for one in networks], axis=0), atol=1e-4)


def test_learning_on_helps_where_a_wiki_differs_and_never_harms_on_validation() -> None:
    head = fit(samples(100, 0), samples(40, 1), SETTINGS, seed=0)
    other = NAMES.index("is_last_of_page")
    validation = Rows.of(samples(60, 3, other))
    adapted = refit(head, samples(200, 2, other), samples(60, 3, other), ON, seed=0)
    assert validation.figures(adapted.place).mrr > validation.figures(head.place).mrr + 0.2


def test_a_head_that_cannot_be_bettered_is_kept() -> None:
    easy = samples(20, 1, noise=0.01)
    head = fit(samples(200, 0, noise=0.01), easy, SETTINGS, seed=0)
    assert Rows.of(easy).figures(head.place).mrr == 1
    noise = [HeadSample(one.matrix, (0,)) for one in samples(30, 7)]
    kept = refit(head, noise, easy, replace(ON, epochs=2), seed=0)
    assert kept.place is head.place


def test_nothing_to_learn_from_is_told() -> None:
    nowhere = [HeadSample(one.matrix, ()) for one in samples(3, 0)]
    with pytest.raises(UnusableInput, match="no example to learn from"):
        fit(nowhere, samples(9, 0), SETTINGS, seed=0)
    with pytest.raises(UnusableInput, match="no example to validate on"):
        fit(samples(9, 0), nowhere, SETTINGS, seed=0)


def test_what_has_precedents_is_learned_without_them_as_well() -> None:
    told, untold = samples(2, 0)
    untold = untold.alone()
    found = and_alone([told, untold])
    assert len(found) == 3
    assert (found[2].gold, found[2].is_stranger) == (told.gold, told.is_stranger)
    others = [column for column in range(len(NAMES)) if column not in PRECEDENT_COLUMNS]
    assert np.array_equal(found[2].matrix[:, others], told.matrix[:, others])
    assert not found[2].matrix[:, PRECEDENT_COLUMNS].any()


def test_a_head_that_could_rely_on_precedents_finds_places_without_them() -> None:
    sure = NAMES.index("precedent_sentence")

    def both(count: int, seed: int) -> list[HeadSample]:
        found = samples(count, seed)
        for one in found:
            one.matrix[list(one.gold), sure] += 20
        return found

    head = fit(both(200, 0), both(50, 1), SETTINGS, seed=0)
    tried = [one for one in both(100, 2) if one.gold]
    assert Rows.of(tried).figures(head.place).hits_at_1 > 0.95
    assert Rows.of([one.alone() for one in tried]).figures(head.place).hits_at_1 > 0.8
