"""Pages that once took a time that grows with the square of their length."""

from collections.abc import Callable
from time import process_time

import pytest

from linkspot.parsing.html.page import declared_language
from linkspot.parsing.wikitext.redirects import redirect_target

SHAPES: dict[str, tuple[Callable[[str], object], Callable[[int], str]]] = {
    "tags without an end": (declared_language, lambda n: "<html " * n),
    "blanks in a tag": (declared_language, lambda n: "<html" + " " * n),
    "attributes without a value": (declared_language, lambda n: "<body " + "lang " * n),
    "blanks after the word of a redirect": (redirect_target, lambda n: "#redirect" + " " * n),
    "blanks before a redirect": (redirect_target, lambda n: " " * n),
    "categories above a redirect": (redirect_target, lambda n: "[[a:b]]\n" * n),
    "a bracket without an end": (redirect_target, lambda n: "#redirect [[" + "a" * n),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_the_page_takes_about_four_times_as_long(shape: str) -> None:
    read, page = SHAPES[shape]
    small, large = (_seconds(read, page(size)) for size in (20_000, 80_000))
    assert large < 8 * small + 0.1


def _seconds(read: Callable[[str], object], text: str) -> float:
    times = []
    for _ in range(3):
        start = process_time()
        read(text)
        times.append(process_time() - start)
    return min(times)


def test_a_redirect_is_read_as_before() -> None:
    assert redirect_target("[[Category:Towns]] \n\n #REDIRECT : [[Stone Town|x]]") == "Stone Town"
    assert redirect_target("# redirect[[ Dhow ]]") == "Dhow"
    assert redirect_target("#redirect [[]]") is None


def test_the_declared_language_is_found_behind_other_attributes() -> None:
    assert declared_language('<!DOCTYPE html>\n<html class="a b"\n dir=ltr lang="sw-TZ">') == "sw-tz"
