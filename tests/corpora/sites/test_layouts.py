import pytest

from linkspot.corpora.sites.layouts import MDN, Layout, LinkStyle, PathFacts, layout_of
from linkspot.errors import UnusableInput


@pytest.mark.parametrize(
    ("pattern", "path", "facts"),
    [
        ("docs/{slug}.md", "docs/guide/a.md", PathFacts("", "guide/a")),
        ("docs/{slug}.md", "docs/guide/index.md", PathFacts("", "guide/index")),
        ("docs/{page}", "docs/guide/index.md", PathFacts("", "guide")),
        ("docs/{page}", "docs/guide/README.MD", PathFacts("", "guide")),
        ("docs/{page}", "docs/guide/a.xhtml", PathFacts("", "guide/a")),
        ("docs/{page}", "docs/README.md", PathFacts("", "index")),
        ("docs/{page}", "docs/_index.md", PathFacts("", "index")),
        ("docs/{page}", "docs/node.js.md", PathFacts("", "node.js")),
        ("docs/{page}", "docs/picture.png", None),
        ("docs/{page}", "README.md", None),
        ("{lang}/*/{slug}.wiki", "pt_BR/2024/Gato/Grande.wiki", PathFacts("pt-br", "Gato/Grande")),
    ],
)
def test_a_pattern_tells_what_a_path_says(pattern: str, path: str, facts: PathFacts | None) -> None:
    assert layout_of(pattern).read_path(path) == facts


def test_a_path_of_mdn_tells_the_language_and_the_slug() -> None:
    assert MDN.read_path("files/en-us/web/api/window/index.md") == PathFacts("en-us", "web/api/window")
    assert MDN.read_path("README.md") is None


def test_only_the_languages_of_a_site_are_languages() -> None:
    layout = Layout("", ("{lang}/{page}", "{page}"), frozenset({"fr", "zh-tw"}))
    assert layout.read_path("zh_TW/a.md") == PathFacts("zh-tw", "a")
    assert layout.read_path("a.fr.md") == layout.read_path("a/index.fr.md") == PathFacts("fr", "a")
    assert layout.read_path("io/a.js.md") == PathFacts("", "io/a.js")
    assert Layout("", ("{lang}/{page}", "{page}"), frozenset()).read_path("fr/a.md") == PathFacts("", "fr/a")


def test_what_is_no_page_and_no_name_is_left_out() -> None:
    layout = Layout("", ("{page}",), no_pages="(?:^|/)_", no_names=r"\d+-")
    assert layout.read_path("docs/_part.md") is None
    assert layout.read_path("01-docs/02-a.md") == PathFacts("", "docs/a")


def test_a_flat_site_has_no_folders() -> None:
    assert Layout("", ("{page}",), links=LinkStyle(is_flat=True)).read_path("guides/Home.md") == PathFacts("", "Home")


def test_a_user_describes_a_layout_by_one_pattern_and_a_base() -> None:
    assert layout_of("wiki/{slug}.wiki", "/w/").links.base == "/w/"


@pytest.mark.parametrize(
    ("pattern", "fault"), [("docs/*.md", "no {slug}"), ("{language}/{slug}.md", "{language} in it")]
)
def test_a_pattern_that_cannot_work_is_refused(pattern: str, fault: str) -> None:
    with pytest.raises(UnusableInput) as refusal:
        layout_of(pattern)
    assert fault in str(refusal.value)
