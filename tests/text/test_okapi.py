import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from linkspot.text.okapi import OkapiIndex

TEXTS = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1), min_size=1, max_size=6)


@given(TEXTS, st.lists(st.sampled_from("abcdefg"), min_size=1))
def test_scores_are_those_of_rank_bm25(texts: list[list[str]], query: list[str]) -> None:
    np.testing.assert_allclose(OkapiIndex(texts).scores(query), BM25Okapi(texts).get_scores(query), rtol=0, atol=1e-9)


def test_a_word_of_most_texts_gets_a_share_of_the_mean_idf() -> None:
    index = OkapiIndex([["a", "b"], ["a", "c"], ["a", "d"], ["e", "f"]])
    assert 0 < index.scores(["a"])[0] < index.scores(["b"])[0]


def test_texts_without_words_score_nothing() -> None:
    assert OkapiIndex([]).scores(["a"]) == []
    assert OkapiIndex([[], []]).scores(["a"]) == [0.0, 0.0]
