"""A glance at a page names every target that parsing it finds."""

import subprocess
import tarfile
import time
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.corpora.corpus import open_corpus
from linkspot.parsing import link_targets, parse
from linkspot.records import LinkKind, Markup, Page

WORDS = ["word", "Cat", " ", "\n", "\n\n", "&amp;", "\0"]
WIKITEXT = [
    *WORDS,
    *"[[ ]] | [ ] {{ }} { } <!-- --> <ref> </ref> <nowiki>[[no]]</nowiki> '' &#91; \uffff : #".split(),
    *("Category:", "fr:", "{|", "|}"),
    *("[[Dog]]", "[[dog|dogs]]", "[[Alien: Covenant]]", "[[A<!-- | -->b|c]]", "[[A{{b|[[c]]}}d]]", "[[:Category:X|x]]"),
]
HTML = [
    *WORDS,
    *"<p> </p> </a> <A\tHREF=cow.htm> & <b> </b> <!-- --> <table><tr><td> </table> <a/href=odd>".split(),
    *('<a href="dog.htm">', "<a href='../cat.htm'>", '<a title="href=" href="a&amp;b=1">', "<a class=x href=y >"),
    *('<a href="?a=1&copy=2&lt">', '<a title="> href=z" href=" q ">', '<a data-href="no" HREF="Mixed">', "<a href=>"),
]
MARKDOWN = [
    *WORDS,
    *"` * [ ] ( ) ![ ]( ]: < > \\ [ref] [x][other] {{ }} {{httpheader(ETag)}} <A\nHREF='f&amp;g'> </a>".split(" "),
    *("- ", "  ", "> ", "\r\n", "---\n", "```\n", "[ref]: /docs/Ref\n", "\n\n[other]: <Other page>\n\n", "<a\nhref=e>"),
    *("[cat](/docs/Cat)", "[a](<b c>)", '[a](b "c")', "[a](\n  b)", "[a](b(c)d)", "[a](b\\)c)", "[a](&amp;b)"),
    *("[a](b{c)", "[[Wiki page|words]]", "[[Wiki page]]", '{{domxref("Window.open")}}', '{{cssxref("color","","#a")}}'),
    *("{{Glossary('DNS', \"the {name}\")}}", '{{jsxref("Array.prototype\n   .at()")}}', '{{glossary("a" )}}'),
    *('[a]({{< ref "page.md" >}})', "[a]({% link b.md %})", '<a href="c d">', "> [ref]:\n> /r\n"),
]


def _parsed(page: Page) -> Counter[str]:
    article = parse(page)
    return Counter(link.target for s in article.sections for link in s.links if link.kind is LinkKind.PAGE)


def _pages(fragments: list[str], markup: Markup) -> st.SearchStrategy[Page]:
    texts = st.lists(st.sampled_from(fragments), max_size=12).map("".join)
    return texts.map(lambda text: Page("Page", text, markup, "en", "docs/page"))


@given(page=_pages(WIKITEXT, Markup.WIKITEXT))
def test_no_target_in_wikitext_is_missed(page: Page) -> None:
    assert not _parsed(page) - link_targets(page)


@given(page=_pages(HTML, Markup.HTML))
def test_no_target_in_html_is_missed(page: Page) -> None:
    assert _parsed(page).keys() <= link_targets(page).keys()


@given(page=_pages(MARKDOWN, Markup.MARKDOWN))
def test_no_target_in_markdown_is_missed(page: Page) -> None:
    assert _parsed(page).keys() <= link_targets(page).keys()


@pytest.mark.parametrize(
    ("markup", "text", "targets"),
    [
        (Markup.WIKITEXT, "[[Cat]]s, [[cat|Tom]], [[Cat]], [[File:Cat.png|[[Dog]]]]", {"Cat": 2, "cat": 1, "Dog": 1}),
        (Markup.WIKITEXT, "{{box|[[Inner]]}} [[fr:Chat]] [[Category:Cats]] [[:Category:Cats]]", {"Inner": 1}),
        (Markup.WIKITEXT, "[[A&amp;B|c]] [[A<!-- [[x|y]] -->B]] [[ Wide ]] [[|none]] [[No\nlink]]", None),
        (Markup.HTML, '<a href="a.htm?b&amp;c">x</a> <A Href=d>y</A>', {"a.htm?b&c": 1, "d": 1}),
        (Markup.MARKDOWN, '[a](/b) {{DOMxRef("Node.append()")}}', {"/b": 1, "/docs/Web/API/Node/append": 1}),
        (Markup.MARKDOWN, '`[code](c)`\n\n[r]: /ref "title"\n\n[[Page|p]]', {"c": 1, "/ref": 1, "Page": 1}),
    ],
)
def test_targets_are_counted_as_the_markup_spells_them(
    markup: Markup, text: str, targets: dict[str, int] | None
) -> None:
    expected = {"A&B": 1, "AB": 1, "Wide": 1, "x": 1} if targets is None else targets
    assert link_targets(Page("Page", text, markup, "en")) == expected


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (Markup.WIKITEXT, "[[a[[fr:]]]]"),
        (Markup.WIKITEXT, "[[;[[File:x]]]]"),
        (Markup.HTML, '<a href="a\rb">c</a>'),
        (Markup.HTML, '<a href="a\r\nb\0c\ud800">c</a>'),
        (Markup.HTML, "<a href=&#0=>a</a>"),
        (Markup.HTML, "<a href=&lt;=>a</a>"),
        (Markup.HTML, "<a href=x&#1;&#xfdd0;>a</a>"),
        (Markup.MARKDOWN, "[a](\u2029)"),
        (Markup.MARKDOWN, '{{domxref("}}")}}'),
        (Markup.MARKDOWN, '<a href=<a href="s">C</a>'),
        (Markup.MARKDOWN, '- {{Glossary("t\n\tp")}}'),
        (Markup.MARKDOWN, '* <a href="x\n ">n</a>'),
        (Markup.MARKDOWN, "1. - <a\n     href='x\n      y\n\t  z'>n</a>"),
        (Markup.MARKDOWN, "[x]\n\n[x]:\\\ny"),
        (Markup.MARKDOWN, "- [x]\n\n[x]: b\\\n  y"),
        (Markup.MARKDOWN, "[x](b\\\\\n)"),
        (Markup.MARKDOWN, "[x](b\\\t'y')"),
        (Markup.MARKDOWN, "[x](<b\\\x01>)"),
    ],
)
def test_no_target_in_pages_from_fuzzing_is_missed(markup: Markup, text: str) -> None:
    page = Page("Page", text, markup, "en")
    assert _parsed(page)
    assert _parsed(page).keys() <= link_targets(page).keys()


CORPORA = {
    "openttd/openttd-de-pages-meta-history.xml.xz": 4,
    "openttd/openttd-ru-pages-meta-history.xml.xz": 30,
    "openttd/openttd-ko-pages-meta-history.xml.xz": 2,
    "wikipedia/bnwiki-truncated-100k.xml.xz": 24,
    "wikipedia/jawiki-truncated-100k.xml.xz": 24,
    "wikipedia/viwiki-truncated-100k.xml.xz": 24,
    "wikipedia/ukwiki-truncated-100k.xml.xz": 36,
}


@pytest.mark.shared_data
@pytest.mark.parametrize("name", CORPORA)
def test_no_target_in_real_wikis_is_missed_and_a_glance_is_cheap(shared_data: Path, name: str) -> None:
    pages = [revision.page for revision in islice(open_corpus(shared_data / name).revisions(), 0, None, CORPORA[name])]
    _check(pages)


@pytest.mark.slow
@pytest.mark.shared_data
def test_no_target_in_mdn_is_missed_and_a_glance_is_cheap(shared_data: Path, tmp_path: Path) -> None:
    repository = tmp_path / "mdn"
    bundle = shared_data / "mdn" / "mdn.bundle"
    subprocess.run(["git", "clone", "--quiet", "--bare", "--branch", "main", bundle, repository], check=True)
    # Macros are read by the parser's own rule, so that none is missed: 16 times as fast as parsing.
    _check([revision.page for revision in islice(open_corpus(repository).revisions(), 0, 8000, 160)], times=12)


@pytest.mark.shared_data
def test_no_target_in_the_schools_wikipedia_is_missed_and_a_glance_is_cheap(shared_data: Path) -> None:
    with tarfile.open(shared_data / "wikipedia" / "wikipedia-for-schools-2007-en.tar.xz") as archive:
        pages = (member for member in archive if member.name.endswith(".htm"))
        texts = [archive.extractfile(member) for member in islice(pages, 0, 1500, 50)]
        _check([Page("", file.read().decode("utf-8", "replace"), Markup.HTML, "en") for file in texts if file])


def _check(pages: list[Page], times: int = 20) -> None:
    found = [_parsed(page) for page in pages]
    assert sum(map(Counter.total, found)) > 500
    for page, targets in zip(pages, found, strict=True):
        assert targets.keys() <= link_targets(page).keys(), (page.title, page.id)
    assert _seconds(link_targets, pages) < _seconds(parse, pages) / times


def _seconds(look: Callable[[Page], object], pages: list[Page]) -> float:
    start = time.process_time()
    for page in pages:
        look(page)
    return time.process_time() - start
