"""The fuzzer: the same number gives the same page, every law can be broken, and sample pages keep them all."""

from dataclasses import replace

import pytest
from bench.fuzz_laws import FuzzCase, drawn_case, fault_of
from bench.fuzz_material import Material
from bench.fuzz_mutations import MutatedPages
from bench.fuzz_shrinking import shrunk

from linkspot.answers.samples import SAMPLES
from linkspot.parsing import parse
from linkspot.records import Article, Markup, Page
from linkspot.source_map import SourceMap, TextRun

MATERIAL = [
    *(Material(page.text, page.markup, "en") for sample in SAMPLES for page in (sample.page(), sample.target())),
]


def _moved(article: Article) -> Article:
    """Return the article with every piece of text one character further in the page."""
    sections = []
    for section in article.sections:
        runs = [
            TextRun(run.start, run.end, run.source_start + 1, run.source_end + 1) for run in section.source_map.runs
        ]
        sections.append(replace(section, source_map=SourceMap(tuple(runs))))
    return replace(article, sections=tuple(sections))


def test_the_same_number_gives_the_same_page() -> None:
    first, again = (MutatedPages(MATERIAL, seed=7).page(41) for _ in range(2))
    assert first[0] == again[0]
    assert first[0] != MutatedPages(MATERIAL, seed=8).page(41)[0]


@pytest.mark.parametrize("first", range(0, 300, 100))
def test_mutated_sample_pages_keep_the_laws(first: int) -> None:
    pages = MutatedPages(MATERIAL, seed=1)
    for number in range(first, first + 100):
        case = drawn_case(*pages.page(number))
        assert fault_of(case) == "", (number, case.page.text)


def test_text_in_the_wrong_place_is_found_and_shrunk() -> None:
    page = Page("", "The wolf ran. It was gray.", Markup.WIKITEXT, "en")
    assert fault_of(FuzzCase(page, _moved(parse(page)))) in {
        "a run is not what the page says",
        "a run is outside of the page",
    }
    assert fault_of(FuzzCase(page, parse(page), "Wolf", "wolf")) == ""


def test_a_page_is_shrunk_as_far_as_it_shows_the_same_fault() -> None:
    page = Page("", "The wolf ran.", "no markup", "en")
    fault = fault_of(FuzzCase(page))
    assert fault.startswith("UnknownMarkup")
    assert shrunk(FuzzCase(page), fault).page.text == ""
