"""The wikitext parser on real wikis: nothing lost, nothing misplaced, and every link accounted for."""

import re
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from linkspot.corpora.corpus import current_pages, open_corpus
from linkspot.parsing.wikitext import page as wikitext
from linkspot.records import Article, Page

pytestmark = pytest.mark.shared_data

WHITE = re.compile(r"[ \t\n\r\f]")

# An account of links that owes nothing to the parser: plain expressions, each applied until it finds nothing more.
LINK = re.compile(r"\[\[[^\[\]|\n]+(?:\|[^\[\]]*)?\]\]")
REASONS = {
    "in a comment": r"(?s)<!--.*?(?:-->|\Z)",
    "in nowiki": r"(?si)<nowiki>.*?</nowiki>",
    "in a footnote or a gallery": r"(?si)<(ref|pre|gallery|math|source|includeonly)(?:\s[^<>]*)?(?<!/)>.*?</\1>",
    "in a template": r"\{\{(?:[^{}]|\{(?!\{)|\}(?!\}))*\}\}",
    "in an argument": r"\{\{\{[^{}]*\}\}\}",
    "a category, or a marker of translations": r"(?i)\[\[(?:category|translation):[^\[\]]*\]\]",
    "a file, or in its caption": (
        r"(?i)\[\[(?:file|image|media):(?:[^\[\]]|\[\[(?!file:)[^\[\]]*\]\]|\[(?!\[)|\](?!\]))*\]\]"
    ),
    "in a table": r"(?sm)^[ \t:]*\{\|(?:(?!^[ \t:]*\{\|).)*?^[ \t]*\|\}",
    "in a table or quotation of HTML": r"(?si)<(table|blockquote)\b(?:(?!<\1\b).)*?</\1>",
    "in a table without an end": r"(?sm)^[ \t:]*\{\|.*?(?=^==|\Z)",
    "in a heading": r"(?m)^=.*=[ \t]*$",
    "in a line that begins with a space": r"(?m)^ .*$",
    "in what is left of a broken template": r"(?m)^(?:\||\{\{|\}\}).*$",
    "an address in double brackets": r"\[\[https?:[^\[\]]*\]\]",
}
COVERS = {chr(0xE000 + index): reason for index, reason in enumerate(REASONS)}


def assert_every_offset_holds(page: Page, article: Article) -> None:
    for section in article.sections:
        for run in section.source_map.runs:
            if run.is_verbatim:
                source = page.text[run.source_start : run.source_end]
                assert WHITE.sub(" ", source) == section.text[run.start : run.end], page.title
        end = 0
        for sentence in section.sentences:
            assert sentence.source.start >= end, (page.title, sentence)
            end = sentence.source.end
        for link in section.links:
            markup = link.source.cut(page.text)
            assert markup.startswith("["), (page.title, link)
            assert "]" in markup, (page.title, link)


SOME_OR_ALL = [20, pytest.param(1, marks=pytest.mark.slow)]  # every twentieth page, or every one


@pytest.fixture(scope="module", params=[8, pytest.param(1, marks=pytest.mark.slow)])
def every(request: pytest.FixtureRequest) -> int:
    """How many pages of the OpenTTD wiki there are for each that is read."""
    return int(request.param)


@pytest.fixture(scope="module")
def openttd(shared_data: Path, every: int) -> list[tuple[Page, Article]]:
    dumps = sorted((shared_data / "openttd").glob("*.xml.xz"))
    pages = (page for dump in dumps for page in current_pages(open_corpus(dump)))
    return [(page, wikitext.parse(page)) for page in islice(pages, 0, None, every)]


def test_every_offset_of_the_openttd_wiki_holds(openttd: list[tuple[Page, Article]], every: int) -> None:
    for page, article in openttd:
        assert_every_offset_holds(page, article)
    assert len(openttd) > 3900 / every
    assert sum(len(section.sentences) for _, article in openttd for section in article.sections) > 70_000 / every


@pytest.mark.parametrize("step", SOME_OR_ALL)
@pytest.mark.parametrize("language", ["bn", "ja", "uk", "vi"])
def test_every_offset_of_four_wikipedias_holds(shared_data: Path, language: str, step: int) -> None:
    sentences = links = 0
    pages = current_pages(open_corpus(shared_data / "wikipedia" / f"{language}wiki-truncated-100k.xml.xz"))
    for page in islice(pages, 0, None, step):
        article = wikitext.parse(page)
        assert_every_offset_holds(page, article)
        sentences += sum(len(section.sentences) for section in article.sections)
        links += sum(len(section.links) for section in article.sections)
    assert sentences > 40_000 / step
    assert links > 25_000 / step


def test_no_link_of_the_openttd_wiki_is_lost_or_made_up(openttd: list[tuple[Page, Article]], every: int) -> None:
    account = Counter[str]()
    for page, article in openttd:
        found = {link.source.start for section in article.sections for link in section.links}
        covered = cover(page.text)
        for link in LINK.finditer(page.text):
            reason = COVERS.get(covered[link.start()])
            if link.start() in found:
                account["found although " + reason if reason else "found"] += 1
            else:
                account[reason or "lost"] += 1
    unexplained = sum(number for name, number in account.items() if name.startswith(("lost", "found although")))
    assert account["found"] > (14_000 if every == 1 else 12_000 / every)  # pages of a sample may have fewer
    unseen = {reason for reason in REASONS if not account[reason]} - {"in nowiki", "in an argument"}
    assert len(unseen) <= (0 if every == 1 else 3), account
    assert unexplained / account.total() < 0.005, account


def cover(text: str) -> str:
    for character, reason in COVERS.items():
        pattern = re.compile(REASONS[reason])
        found = 1
        while found:
            text, found = pattern.subn(lambda match, character=character: character * len(match.group()), text)
    return text
