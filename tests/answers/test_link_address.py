"""Addresses are written as the page's own site writes them: with an index, between files, in Python and the CLI."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import linkspot
from linkspot.cli.program import app
from linkspot.corpora.corpus import CorpusSource
from linkspot.engines.engine import Engine
from linkspot.pipeline.index import index
from linkspot.records import Entity, Markup, Page

MACRO = '{{domxref("Window.open", "it")}}'
ORDINARY = "[`it`](/fr/docs/Web/API/Window/open)"
HUGO = {
    "hugo.toml": 'baseURL = "https://example.org/"\ndefaultContentLanguage = "en"\n',
    "content/en/docs/concepts/pod.md": "# Pod\n\nA pod runs containers. It has a [node](/docs/concepts/nodes/node/) "
    "and a [task](/docs/tasks/run/). A pod condition says how it is.",
    "content/en/docs/concepts/nodes/node.md": "# Node\n\nA node runs a [pod](/docs/concepts/pod/).",
    "content/en/docs/concepts/nodes/pod-condition.md": "# Pod condition\n\nA pod condition says how a pod is.",
    "content/en/docs/tasks/run.md": "# Run\n\nTo run something, see [nodes](/docs/concepts/nodes/node/).",
}
MKDOCS = {
    "mkdocs.yml": "site_name: Example\n",
    "docs/guide/install.md": "# Install\n\nTo install it, read [settings](../reference/settings.md) and [first "
    "steps](first.md). Then a pod condition is shown.",
    "docs/guide/first.md": "# First steps\n\nRead how to [install](install.md) it.",
    "docs/reference/settings.md": "# Settings\n\nEach setting has a name.",
    "docs/reference/pod-condition.md": "# Pod condition\n\nA pod condition says how a pod is.",
}
DOCUSAURUS = {
    "docusaurus.config.js": "module.exports = {baseUrl: '/', url: 'https://example.org'};\n",
    "docs/01-intro.md": "# Intro\n\nThis is how to [begin](/docs/guides/begin). See [more](/docs/guides/more). A pod "
    "condition is shown.",
    "docs/guides/begin.md": "# Begin\n\nBegin with the [intro](/docs/intro).",
    "docs/guides/more.md": "# More\n\nThere is more to [begin](/docs/guides/begin) with.",
    "docs/guides/03-pod-condition.md": "# Pod condition\n\nA pod condition says how a pod is.",
}
WIKI = {
    "Gameplay/Goals.md": "# Goals\n\nA goal brings [money](/wiki/Gameplay/Money) in [towns](/wiki/World/Towns). A pod "
    "condition is shown.",
    "Gameplay/Money.md": "# Money\n\nMoney pays for [goals](/wiki/Gameplay/Goals).",
    "World/Towns.md": "# Towns\n\nTowns grow with [money](/wiki/Gameplay/Money).",
    "Gameplay/Pod_Condition.md": "# Pod condition\n\nA pod condition says how a pod is.",
}
SCHOOLS = {
    "wp/p/Planet.htm": '<html lang=en><h1>Planet</h1><p>A planet has <a href="../../wp/i/Iron.htm">iron</a> and <a '
    'href="../../wp/g/Gold.htm">gold</a>. A pod condition is shown.',
    "wp/i/Iron.htm": '<html lang=en><h1>Iron</h1><p>Iron is in <a href="../../wp/p/Planet.htm">planets</a>.',
    "wp/g/Gold.htm": "<html lang=en><h1>Gold</h1><p>Gold is yellow.",
    "wp/p/Pod_condition.htm": "<html lang=en><h1>Pod condition</h1><p>A pod condition says how a pod is.",
}
OBSIDIAN = {
    ".obsidian/app.json": "{}",
    "notes/Day.md": "# Day\n\nToday I read of [[Iron]] and [[Gold|the metal]]. A pod condition is shown.",
    "metals/Iron.md": "# Iron\n\nIron is heavier than [[Gold]].",
    "metals/Gold.md": "# Gold\n\nGold is yellow.",
    "metals/Pod condition.md": "# Pod condition\n\nA pod condition says how a pod is.",
}
RELATIVE_PAGES = {
    "mkdocs.yml": "site_name: Example\n",
    "docs/guide/install.md": "# Install\n\nTo install it, read [settings](../../reference/settings/) and [first "
    "steps](../first/). Then a pod condition is shown.",
    "docs/guide/first.md": "# First steps\n\nRead how to [install](../install/) it.",
    "docs/reference/settings.md": "# Settings\n\nEach setting has a name.",
    "docs/reference/pod-condition.md": "# Pod condition\n\nA pod condition says how a pod is.",
}
CASES = {
    "hugo": (
        HUGO,
        "content/en/docs/concepts/pod.md",
        "content/en/docs/concepts/nodes/pod-condition.md",
        "[pod condition](/docs/concepts/nodes/pod-condition/)",
    ),
    "mkdocs": (
        MKDOCS,
        "docs/guide/install.md",
        "docs/reference/pod-condition.md",
        "[pod condition](../reference/pod-condition.md)",
    ),
    "mkdocs with addresses of pages": (
        RELATIVE_PAGES,
        "docs/guide/install.md",
        "docs/reference/pod-condition.md",
        "[pod condition](../../reference/pod-condition/)",
    ),
    "docusaurus": (
        DOCUSAURUS,
        "docs/01-intro.md",
        "docs/guides/03-pod-condition.md",
        "[pod condition](/docs/guides/pod-condition)",
    ),
    "wiki": (WIKI, "Gameplay/Goals.md", "Gameplay/Pod_Condition.md", "[pod condition](/wiki/Gameplay/Pod_Condition)"),
    "html": (
        SCHOOLS,
        "wp/p/Planet.htm",
        "wp/p/Pod_condition.htm",
        '<a href="../../wp/p/Pod_condition.htm" title="Pod condition">pod condition</a>',
    ),
    "obsidian": (OBSIDIAN, "notes/Day.md", "metals/Pod condition.md", "[[Pod condition|pod condition]]"),
}


@pytest.fixture
def site(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Return what writes the files of a site."""

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / "site" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path / "site"

    return write


def _cli(*arguments: str | Path) -> str:
    done = CliRunner().invoke(app, ["suggest", *map(str, arguments), "--ranker", "bm25", "--format", "json"])
    assert done.exit_code == 0, done.output
    return str(json.loads(done.stdout)["places"][0]["edit"]["link"])


@pytest.mark.parametrize("name", CASES)
def test_a_site_gets_the_same_address_by_file_by_index_in_python_and_in_the_cli(
    name: str, site: Callable[[dict[str, str]], Path], local: Engine, tmp_path: Path
) -> None:
    files, page, target, link = CASES[name]
    folder = site(files)
    options = {"ranker": "bm25", "language": "en"}
    assert linkspot.suggest(folder / page, folder / target, **options).places[0].link == link
    assert _cli(folder / page, "--target", folder / target, "--lang", "en") == link
    index([CorpusSource(folder, "folder", "en")], tmp_path / "index", local)
    opened = linkspot.open_index(tmp_path / "index")
    assert linkspot.suggest(folder / page, "Pod condition", index=opened, **options).places[0].link == link
    assert _cli(folder / page, "--title", "Pod condition", "--index", tmp_path / "index", "--lang", "en") == link
    both = (folder / page, "--target", folder / target, "--index", tmp_path / "index", "--lang", "en")
    assert _cli(*both) == link


@pytest.mark.parametrize(
    ("files", "page", "target", "link"),
    [
        (HUGO, "content/en/docs/bare.md", "content/en/docs/tasks/run.md", "[run](/docs/tasks/run/)"),
        (WIKI, "Gameplay/Bare.md", "World/Towns.md", "[towns](/wiki/World/Towns)"),
        ({}, "docs/bare.md", "docs/tasks/run.md", "[run](tasks/run.md)"),
        ({"_config.yml": "lang: en\n"}, "guide/bare.md", "tasks/run.md", "[run](/tasks/run/)"),
        ({"mkdocs.yml": "site_name: x\n"}, "docs/bare.md", "docs/tasks/run.md", "[run](tasks/run.md)"),
    ],
    ids=["hugo", "a neighbour's links", "plain files", "jekyll", "mkdocs"],
)
def test_a_page_without_links_is_written_like_its_neighbours_or_as_its_generator_needs_it(
    files: dict[str, str], page: str, target: str, link: str, site: Callable[[dict[str, str]], Path]
) -> None:
    title = link[1 : link.index("]")]
    folder = site({target: f"# {title.title()}\n\nA text.", **files, page: f"# Bare\n\nIt is a {title} here."})
    assert linkspot.suggest(folder / page, folder / target, "bm25", language="en", anyway=True).places[0].link == link


def _link(text: str, entity: Entity, markup: Markup = Markup.MARKDOWN) -> str:
    return linkspot.suggest(Page("Page", text, markup, "en"), entity, "random", anyway=True).places[0].link


@pytest.mark.parametrize(
    ("text", "entity", "link"),
    [
        ("[a](/wiki/Gameplay/Money) and [b](/wiki/Gameplay/Towns)", "Score", "[Score](/wiki/Gameplay/Score)"),
        ("[a](/wiki/Money) and [b](/wiki/World/Towns)", "World/Rail", "[World/Rail](/wiki/World/Rail)"),
        ("[a](../metals/iron-ore.html)", "Gray Wolf", "[Gray Wolf](../metals/gray-wolf.html)"),
        ("[a](/en/PDF%2C_PS_and_DjVu)", "GTK+, Qt: themes", "[GTK+, Qt: themes](/en/GTK%2B%2C_Qt%3A_themes)"),
        ("[a](/en/Bash_(shell))", "Vim (editor)", "[Vim (editor)](/en/Vim_(editor))"),
        ("[[Iron]] and [[Gold|it]]", "Gray wolf", "[[Gray wolf]]"),
        ("[[Iron]] and [b](/x/Gold)", "Gray wolf", "[Gray wolf](/x/Gray_wolf)"),
    ],
)
def test_a_title_alone_is_written_like_the_pages_other_addresses(text: str, entity: str, link: str) -> None:
    assert _link(f"Here are {text}.", Entity(entity)) == link


def test_a_folder_that_is_named_by_a_first_letter_is_found_for_a_title() -> None:
    text = '<p>It has <a href="../../wp/i/Iron.htm">iron</a> and <a href="../../wp/g/Gold.htm">gold</a>.'
    link = '<a href="../../wp/p/Potassium.htm" title="Potassium">Potassium</a>'
    assert _link(text, Entity("Potassium"), Markup.HTML) == link


@pytest.mark.parametrize(
    ("identity", "address"),
    [
        ("docs/concepts/pods/pod", "/docs/concepts/pods/pod/"),
        ("/docs/tasks/run", "/docs/tasks/run/"),
        ("blog/2024/pod", "/blog/2024/pod/"),
    ],
)
def test_a_slug_is_not_put_behind_the_folders_that_it_begins_with(identity: str, address: str) -> None:
    text = "See [a](/docs/concepts/nodes/) and [b](/docs/tasks/c/) and [d](/blog/2023/e/)."
    assert _link(text, Entity("Pod", id=identity)) == f"[Pod]({address})"


@pytest.mark.parametrize(
    ("text", "words", "link"),
    [
        (
            '{{domxref("Element")}} {{DOMxRef("Node")}} {{DOMxRef("Text")}}',
            "`Window`",
            '{{DOMxRef("Window.open", "Window")}}',
        ),
        ('{{domxref("Element")}}', "Window.open()", "[Window.open()](/docs/Web/API/Window/open)"),
        ('{{domxref("Element")}}', "`Window.open()`", '{{domxref("Window.open()")}}'),
        ('{{domxref("Element")}}', "*opening*", "[*opening*](/docs/Web/API/Window/open)"),
        ('{{domxref("Element")}} [`a`](/fr/docs/Web/API/Text) [`b`](/fr/docs/Web/API/B)', "`it`", ORDINARY),
        ('{{domxref("Element")}} [a](/fr/docs/Web/API/Text) [b](/fr/docs/Web/API/B)', "`it`", MACRO),
        ('{{domxref("Element")}} [`a`](/fr/docs/Web/API/Text#a) [`b`](/fr/docs/Web/API/B#b)', "`it`", MACRO),
        ('{{cssxref("color")}} [`b`](/fr/docs/Web/API/Text)', "`it`", ORDINARY),
        ('{{cssxref("color")}} [b](/fr/docs/Web/HTTP)', "`it`", MACRO),
        ('{{cssxref("color")}} {{domxref("Element")}} [`b`](/fr/docs/Web/API/Text)', "`it`", MACRO),
        ('{{domxref("Element")}} [`b`](/fr/docs/Web/API/Text)', "`it`", ORDINARY),
    ],
)
def test_a_macro_is_written_where_the_page_writes_more_of_them_than_links(text: str, words: str, link: str) -> None:
    page = Page("Page", f"Uses {text}.\n\n## Use\n\nSee {words} there.", Markup.MARKDOWN, "en")
    entity = Entity("Window: open() method", mentions=(words.strip("`*"),), id="Web/API/Window/open")
    places = linkspot.suggest(page, entity, "random", anyway=True).places
    assert link in {place.link for place in places}


@pytest.mark.parametrize(
    ("name", "link"),
    [("open()", '{{domxref("Window.open", "open()")}}'), ("Open windows", "[Open windows](/docs/Web/API/Window/open)")],
)
def test_a_new_name_of_one_word_may_be_code_and_one_of_several_is_prose(name: str, link: str) -> None:
    page = Page("Page", 'Uses {{domxref("Element")}}.\n\n## Use\n\nNothing is said there.', Markup.MARKDOWN, "en")
    places = linkspot.suggest(page, Entity(name, id="Web/API/Window/open"), "random", anyway=True).places
    assert {place.link for place in places} == {link}


def test_an_address_that_the_page_has_already_is_taken_without_its_fragment_if_possible() -> None:
    text = "A [pod](x/pod.md#a).\n\n## B\n\nA [pod](x/pod.md).\n\n## C\n\nThe pod runs."
    page = Page("Page", text, Markup.MARKDOWN, "en")
    (place,) = linkspot.suggest(page, Entity("Pod"), "bm25", anyway=True).places
    assert place.link == "[pod](x/pod.md)"


def test_a_page_in_another_language_is_written_with_its_own_language(
    site: Callable[[dict[str, str]], Path], local: Engine, tmp_path: Path
) -> None:
    pages = {
        f"{language}/{name}.md": f"# {name}\n\nText on [Iron](/en/Iron), [Gold](/en/Gold), [Zinc](/{language}/Zinc)."
        for language in ("en", "fr")
        for name in ("Iron", "Gold", "Zinc", "Silver", "Page")
    }
    folder = site(pages)
    (folder / "fr/Page.md").write_text(pages["fr/Page.md"] + "\n\nSilver shines.", encoding="utf-8")
    index([CorpusSource(folder, "folder", pages="{lang}/{slug}.md")], tmp_path / "index", local)
    for target, opened in (("Silver", tmp_path / "index"), (folder / "fr/Silver.md", None)):
        answer = linkspot.suggest(folder / "fr/Page.md", target, "bm25", language="fr", index=opened)
        assert answer.places[0].link == "[Silver](/fr/Silver)"
    shutil.rmtree(folder / "en")
    answer = linkspot.suggest(folder / "fr/Page.md", folder / "fr/Silver.md", "bm25", language="fr")
    assert answer.places[0].link == "[Silver](/fr/Silver)"


def test_an_index_of_an_earlier_version_still_opens_and_writes_addresses(
    site: Callable[[dict[str, str]], Path], local: Engine, tmp_path: Path
) -> None:
    folder, out = site(HUGO), tmp_path / "index"
    index([CorpusSource(folder, "folder", "en")], out, local)
    shutil.rmtree(out / "link_samples")
    for file in (out / "entities").rglob("*.parquet"):
        pq.write_table(pq.read_table(file).drop_columns(["path", "slug"]), file)
    page = folder / "content/en/docs/concepts/pod.md"
    answer = linkspot.suggest(page, "Pod condition", "bm25", language="en", index=out)
    assert answer.places[0].link == "[pod condition](/docs/concepts/nodes/pod-condition/)"
