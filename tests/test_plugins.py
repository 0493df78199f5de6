import pytest

from linkspot.errors import UnusableInput
from linkspot.plugins import PlugIn, deferred, plug_ins, resolved


def test_a_name_is_resolved_to_what_it_stands_for() -> None:
    from linkspot.ranking.bm25 import BM25Ranker

    assert resolved("linkspot.ranking.bm25:BM25Ranker") is BM25Ranker
    assert isinstance(deferred("linkspot.ranking.bm25:BM25Ranker")(k1=2.0), BM25Ranker)


def test_a_group_that_nothing_registers_in_is_empty() -> None:
    assert plug_ins("linkspot.nothing") == {}


def test_a_plug_in_says_what_brings_it() -> None:
    assert str(PlugIn("x", "a:B", "package", "2.0", "ranks by chance")) == "ranks by chance (package 2.0)"
    assert str(PlugIn("x", "a:B", "package", "2.0")) == "of the package package 2.0"


@pytest.mark.parametrize("target", ["no_such_module:Ranker", "linkspot.records:NoSuchClass", "not a name"])
def test_a_plug_in_that_cannot_be_imported_is_named_with_what_to_do(target: str) -> None:
    with pytest.raises(UnusableInput, match=f"the package p registers x as {target}, .* imported .*uninstall"):
        PlugIn("x", target, "p").load()
