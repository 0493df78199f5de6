"""The Markdown parser on every page of a real site, against a count of its links that knows nothing of Markdown."""

import re
import subprocess
from pathlib import Path

import pytest

from linkspot.parsing.markdown.page import parse
from linkspot.records import Article, Markup, Page

AS_SHOWN = str.maketrans("\t\n\r\f\0", "    \ufffd")
COMPARED = 8  # every eighth page, since the plain patterns are slow
MOST_UNEXPLAINED = 0.005

# Where a link is not in prose, each as a plain pattern, in the order in which they are cut out.
HIDDEN = {
    "front matter": re.compile(r"\A---\n.*?\n---\n", re.DOTALL),
    "code block": re.compile(r"^[ >]*(`{3,}|~{3,})[^`\n]*\n.*?^[ >]*\1`*[ ]*$", re.DOTALL | re.MULTILINE),
    "code": re.compile(r"(?<!`)(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\1(?!`)", re.DOTALL),
    "comment": re.compile(r"<!--.*?-->", re.DOTALL),
    "HTML": re.compile(r"^ *<(table|figure|svg|math|pre|blockquote)\b.*?</\1>", re.DOTALL | re.MULTILINE),
    "quotation": re.compile(r"^[ ]*(?:- )?>.*(?:\n(?![ ]*\n|[ ]*[-#`|]).+)*", re.MULTILINE),
    "table": re.compile(r"^ *\|.*$", re.MULTILINE),
    "heading": re.compile(r"^ *#{1,6} .*$", re.MULTILINE),
    "image": re.compile(r"!\[[^\]]*\]\([^)]*\)"),
}
LINK = re.compile(
    r"(?<!\\)\{\{\s*(?:csp|cssxref|domxref|glossary|htmlelement|httpheader|httpmethod|httpstatus|jsxref|livesamplelink|"
    r"mathmlelement|rfc|svgattr|svgelement|webextapiref)\s*\(\s*(?![\s)])[^{}]*\}\}|\]\((?=[^)\s])",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def mdn(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mdn")
    bundle = shared_data / "mdn" / "mdn.bundle"
    subprocess.run(["git", "clone", "--quiet", "--branch", "main", str(bundle), str(folder)], check=True)
    return folder / "files"


def count_in_prose(text: str) -> int:
    for name, pattern in HIDDEN.items():
        text = pattern.sub("code" if name == "code" else "\n", text)
    return len(LINK.findall(text))


def check_places(text: str, article: Article) -> None:
    for section in article.sections:
        for run in section.source_map.runs:
            shown = section.text[run.start : run.end]
            assert not run.is_verbatim or text[run.source_start : run.source_end].translate(AS_SHOWN) == shown
        for link in section.links:
            markup = link.source.cut(text)
            assert markup[0] + markup[-1] in {"[)", "[]", "<>", "{}"}


@pytest.mark.shared_data
@pytest.mark.parametrize("every", [5 * COMPARED, pytest.param(1, marks=pytest.mark.slow)])
def test_every_page_of_mdn_is_read_with_its_links_in_their_places(mdn: Path, every: int) -> None:
    paths = sorted(mdn.glob("**/index.md"))
    expected = unexplained = 0
    for number, path in enumerate(paths):
        if number % every:
            continue
        text = path.read_text("utf-8")
        article = parse(Page("", text, Markup.MARKDOWN, path.relative_to(mdn).parts[0]))
        assert article.title
        assert article.id
        check_places(text, article)
        if number % COMPARED == 0:
            found = sum(not link.source.cut(text).startswith("<") for s in article.sections for link in s.links)
            expected += (count := count_in_prose(text))
            unexplained += abs(count - found)
    assert len(paths) == 6911
    assert expected > 15_000 * COMPARED / max(every, COMPARED)
    assert unexplained / expected < MOST_UNEXPLAINED
