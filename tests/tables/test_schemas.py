import pyarrow as pa

from linkspot.parsing import parse
from linkspot.records import Markup, Page
from linkspot.tables.schemas import SECTIONS, article_of, reject_rows, section_rows

PAGE = Page(
    "Dog",
    "The [[wolf]] came. [[File:x.png]] See [https://example.org this].\n\n== Diet ==\nMeat.",
    Markup.WIKITEXT,
    "en",
)


def test_an_article_comes_out_of_a_table_as_it_went_in() -> None:
    article = parse(PAGE)
    rows = pa.array([section_rows(article, str.title)], SECTIONS).to_pylist()[0]
    back = article_of("Dog", "en", rows)
    assert [(s.title, s.level, s.text) for s in back.sections] == [(s.title, s.level, s.text) for s in article.sections]
    assert [s.text for _, s in back.sentences] == [s.text for _, s in article.sentences]


def test_only_links_to_pages_are_kept_and_they_lead_to_keys() -> None:
    rows = section_rows(parse(PAGE), str.title)
    assert [(link["target"], rows[0]["text"][link["start"] : link["end"]]) for link in rows[0]["links"]] == [
        ("Wolf", "wolf")
    ]


def test_rejects_are_rows_by_reason() -> None:
    assert reject_rows({"b": 2, "a": 1, "none": 0}) == [{"reason": "a", "count": 1}, {"reason": "b", "count": 2}]
