import pytest

from linkspot.corpora.layouts import DOCUSAURUS, HUGO, LAYOUTS, MDN, MKDOCS, PLAIN, PagePlace, layout_of, recognised
from linkspot.errors import UnusableInput


@pytest.mark.parametrize(
    ("layout", "path", "place"),
    [
        ("mdn", "files/en-us/web/api/window/index.md", PagePlace("en-us", "web/api/window")),
        ("hugo", "content/posts/first.md", PagePlace("", "posts/first")),
        ("hugo", "content/posts/first/index.fr.md", PagePlace("fr", "posts/first")),
        ("hugo", "content/docs/_index.md", PagePlace("", "docs")),
        ("docusaurus", "docs/guide/install.mdx", PagePlace("", "guide/install")),
        ("docusaurus", "i18n/pt-BR/docusaurus-plugin-content-docs/current/intro.md", PagePlace("pt-br", "intro")),
        ("mkdocs", "docs/guide/index.md", PagePlace("", "guide")),
        ("obsidian", "Notes/My note.md", PagePlace("", "Notes/My note")),
        ("plain", "wp/d/Dog.htm", PagePlace("", "wp/d/Dog")),
        ("plain", "guide/index.html", PagePlace("", "guide")),
    ],
)
def test_a_path_tells_the_language_and_the_slug(layout: str, path: str, place: PagePlace) -> None:
    assert LAYOUTS[layout].place(path) == place


def test_a_file_elsewhere_is_no_page_of_the_site() -> None:
    assert MDN.place("README.md") is None
    assert MKDOCS.place("src/notes.md") is None


def test_a_user_describes_a_layout_by_one_pattern() -> None:
    layout = layout_of("wiki/{lang}/*/{slug}.wiki", "/w/")
    assert layout.place("wiki/sw/2024/Paka/Mkubwa.wiki") == PagePlace("sw", "Paka/Mkubwa")
    assert layout.link_base == "/w/"


@pytest.mark.parametrize(
    ("pattern", "fault"), [("docs/*.md", "no {slug}"), ("{language}/{slug}.md", "{language} in it")]
)
def test_a_pattern_that_cannot_work_is_refused(pattern: str, fault: str) -> None:
    with pytest.raises(UnusableInput) as refusal:
        layout_of(pattern)
    assert fault in str(refusal.value)


def test_a_site_is_recognised_by_what_stands_at_its_top() -> None:
    assert recognised({"hugo.toml", "content"}, []) is HUGO
    assert recognised({"docusaurus.config.ts", "docs"}, []) is DOCUSAURUS
    assert recognised({"mkdocs.yml", "docs"}, []) is MKDOCS
    assert recognised({"files"}, [f"files/ja/web/page{n}/index.md" for n in range(9)] + ["README.md"]) is MDN
    assert recognised({"notes"}, ["notes/a.md"]) is PLAIN
    assert recognised(set(), []) is PLAIN
