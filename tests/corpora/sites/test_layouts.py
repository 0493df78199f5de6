import pytest

from linkspot.corpora.sites.layouts import MDN, Layout, LinkStyle, PagePlace, layout_of
from linkspot.errors import UnusableInput


@pytest.mark.parametrize(
    ("pattern", "path", "place"),
    [
        ("docs/{slug}.md", "docs/guide/a.md", PagePlace("", "guide/a")),
        ("docs/{slug}.md", "docs/guide/index.md", PagePlace("", "guide/index")),
        ("docs/{page}", "docs/guide/index.md", PagePlace("", "guide")),
        ("docs/{page}", "docs/guide/README.MD", PagePlace("", "guide")),
        ("docs/{page}", "docs/guide/a.xhtml", PagePlace("", "guide/a")),
        ("docs/{page}", "docs/README.md", PagePlace("", "index")),
        ("docs/{page}", "docs/_index.md", PagePlace("", "index")),
        ("docs/{page}", "docs/node.js.md", PagePlace("", "node.js")),
        ("docs/{page}", "docs/picture.png", None),
        ("docs/{page}", "README.md", None),
        ("{lang}/*/{slug}.wiki", "pt_BR/2024/Gato/Grande.wiki", PagePlace("pt-br", "Gato/Grande")),
    ],
)
def test_a_pattern_tells_what_a_path_says(pattern: str, path: str, place: PagePlace | None) -> None:
    assert layout_of(pattern).place(path) == place


def test_a_path_of_mdn_tells_the_language_and_the_slug() -> None:
    assert MDN.place("files/en-us/web/api/window/index.md") == PagePlace("en-us", "web/api/window")
    assert MDN.place("README.md") is None


def test_only_the_languages_of_a_site_are_languages() -> None:
    layout = Layout("", ("{lang}/{page}", "{page}"), frozenset({"fr", "zh-tw"}))
    assert layout.place("zh_TW/a.md") == PagePlace("zh-tw", "a")
    assert layout.place("a.fr.md") == layout.place("a/index.fr.md") == PagePlace("fr", "a")
    assert layout.place("io/a.js.md") == PagePlace("", "io/a.js")
    assert Layout("", ("{lang}/{page}", "{page}"), frozenset()).place("fr/a.md") == PagePlace("", "fr/a")


def test_what_is_no_page_and_no_name_is_left_out() -> None:
    layout = Layout("", ("{page}",), no_pages="(?:^|/)_", no_names=r"\d+-")
    assert layout.place("docs/_part.md") is None
    assert layout.place("01-docs/02-a.md") == PagePlace("", "docs/a")


def test_a_flat_site_has_no_folders() -> None:
    assert Layout("", ("{page}",), links=LinkStyle(is_flat=True)).place("guides/Home.md") == PagePlace("", "Home")


def test_a_user_describes_a_layout_by_one_pattern_and_a_base() -> None:
    assert layout_of("wiki/{slug}.wiki", "/w/").links.base == "/w/"


@pytest.mark.parametrize(
    ("pattern", "fault"), [("docs/*.md", "no {slug}"), ("{language}/{slug}.md", "{language} in it")]
)
def test_a_pattern_that_cannot_work_is_refused(pattern: str, fault: str) -> None:
    with pytest.raises(UnusableInput) as refusal:
        layout_of(pattern)
    assert fault in str(refusal.value)
