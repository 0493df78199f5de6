import math

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.text.bm25 import WordIndex, terms

TEXTS = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1), min_size=1, max_size=6)


@given(TEXTS, st.lists(st.sampled_from("abcdefg"), min_size=1))
def test_scores_are_those_of_bm25s(texts: list[list[str]], query: list[str]) -> None:
    rival = bm25s.BM25(k1=1.5, b=0.75, auto_compile=False)
    rival.index(texts, show_progress=False)
    np.testing.assert_allclose(WordIndex(texts).scores(query), rival.get_scores(query), atol=1e-4)


def test_a_rare_word_weighs_more() -> None:
    index = WordIndex([["a", "b"], ["a"], ["a"]])
    assert index.idf("never") > index.idf("b") > index.idf("a")
    assert index.idf("b") == pytest.approx(math.log(1 + 2.5 / 1.5))


def test_inflected_forms_meet_in_their_beginnings() -> None:
    assert set(terms("Signale", "de")) & set(terms("Signalen", "de")) == {"signa"}


def test_no_texts_have_no_scores() -> None:
    assert WordIndex([]).scores(["a"]) == []
