"""Links as each kind of site writes them lead to the pages that they mean."""

import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from linkspot.corpora.corpus import Corpus, CorpusSource, current_pages
from linkspot.links.addresses import Naming, tail_of
from linkspot.parsing import parse
from linkspot.records import LinkKind, Markup, Page

MKDOCS = {
    "mkdocs.yml": "site_url: https://example.org/handbook/\ndocs_dir: documentation\ntheme: {language: en}\n"
    "markdown_extensions:\n  - emoji: {index: !!python/name:material.extensions.emoji.twemoji }\n",
    "documentation/index.md": "",
    "documentation/about.md": "",
    "documentation/guide/index.md": "",
    "documentation/guide/set up.md": "",
    "documentation/guide/install.md": "",
    "README.md": "",
}
HUGO = {
    "hugo.toml": 'baseURL = "https://example.org/"\nlanguageCode = "en-us"\n',
    "content/_index.md": "",
    "content/docs/_index.md": "",
    "content/docs/install.md": "",
    "content/docs/setup/index.md": "",
    "content/blog/first.md": "",
}
HUGO_FOLDERS = {
    "config/_default/languages.yaml": "en: {weight: 1}\npt-BR: {weight: 2}\n",
    "config/_default/hugo.yaml": "defaultContentLanguage: en\n",
    "content/en/docs/install.md": "",
    "content/en/docs/setup.md": "",
    "content/pt-BR/docs/install.md": "",
    "content/pt-BR/docs/setup.md": "",
}
DOCUSAURUS = {
    "docusaurus.config.ts": "export default {baseUrl: '/', i18n: {defaultLocale: 'en', locales: ['en', 'fr']}}",
    "docs/intro.md": "",
    "docs/guides/02-setup.mdx": "",
    "versioned_docs/version-1.0/intro.md": "",
    "versioned_docs/version-1.0/guides/02-setup.mdx": "",
    "i18n/fr/docusaurus-plugin-content-docs/current/intro.md": "",
    "blog/2024-05-01-release.md": "",
}
OBSIDIAN = {".obsidian/app.json": "{}", "Top.md": "", "Daily/Monday.md": "", "Folder/My note.md": ""}
GITHUB_WIKI = {"Home.md": "", "_Sidebar.md": "* [[Home]]", "Page-Name.md": "", "guides/What-is-it?.md": ""}
JEKYLL = {
    "_config.yml": "lang: en\nbaseurl: /site\n",
    "index.md": "",
    "_posts/2024-05-01-hello.md": "",
    "_tips/first.md": "",
    "docs/install.md": "",
}
PLAIN = {"README.md": "", "guide/README.md": "", "guide/a.md": "", "guide/b/index.html": "<p>B.</p>"}
MDN = {
    "files/en-us/web/api/window/index.md": "",
    "files/en-us/web/api/window/open/index.md": "",
    "files/en-us/glossary/dns/index.md": "",
}
WIKITEXT = {"Mji_Mkongwe.wiki": "", "Wageni/Bahari.wiki": ""}

CASES = [
    (MKDOCS, "documentation/guide/install.md", "[w](../about.md#team)", "documentation/about.md"),
    (MKDOCS, "documentation/guide/install.md", "[w](set%20up.md)", "documentation/guide/set up.md"),
    (MKDOCS, "documentation/guide/install.md", "[w](index.md)", "documentation/guide/index.md"),
    (MKDOCS, "documentation/guide/install.md", "[w](../)", "documentation/guide/index.md"),
    (MKDOCS, "documentation/guide/install.md", "[w](../../about/)", "documentation/about.md"),
    (MKDOCS, "documentation/about.md", "[w](/handbook/guide/install/?x=1#y)", "documentation/guide/install.md"),
    (MKDOCS, "documentation/about.md", "[w](/handbook/)", "documentation/index.md"),
    (MKDOCS, "documentation/about.md", "[w](index.md)", "documentation/index.md"),
    (HUGO, "content/docs/install.md", '[w]({{< ref "setup" >}})', "content/docs/setup/index.md"),
    (HUGO, "content/docs/install.md", '[w]({{< relref "/docs/setup/#top" >}})', "content/docs/setup/index.md"),
    (HUGO, "content/blog/first.md", '[w]({{% ref "docs/install.md" %}})', "content/docs/install.md"),
    (HUGO, "content/docs/install.md", "[w](../setup/)", "content/docs/setup/index.md"),
    (HUGO, "content/docs/_index.md", "[w](setup/)", "content/docs/setup/index.md"),
    (HUGO, "content/docs/setup/index.md", "[w](../../blog/first/)", "content/blog/first.md"),
    (HUGO, "content/docs/install.md", "[w](/docs/)", "content/docs/_index.md"),
    (HUGO, "content/docs/install.md", "[w](/)", "content/_index.md"),
    (HUGO_FOLDERS, "content/en/docs/install.md", "[w](/docs/setup/)", "content/en/docs/setup.md"),
    (HUGO_FOLDERS, "content/pt-BR/docs/install.md", "[w](/pt-br/docs/setup/)", "content/pt-BR/docs/setup.md"),
    (HUGO_FOLDERS, "content/pt-BR/docs/install.md", '[w]({{< ref "setup" >}})', "content/pt-BR/docs/setup.md"),
    (DOCUSAURUS, "docs/intro.md", "[w](./guides/02-setup.mdx#first)", "docs/guides/02-setup.mdx"),
    (DOCUSAURUS, "docs/intro.md", "[w](/docs/guides/setup)", "docs/guides/02-setup.mdx"),
    (DOCUSAURUS, "docs/guides/02-setup.mdx", "[w](../intro.md)", "docs/intro.md"),
    (DOCUSAURUS, "docs/intro.md", "[w](/docs/1.0/intro)", "versioned_docs/version-1.0/intro.md"),
    (DOCUSAURUS, "docs/intro.md", "[w](/blog/2024/05/01/release)", "blog/2024-05-01-release.md"),
    (
        DOCUSAURUS,
        "versioned_docs/version-1.0/intro.md",
        "[w](guides/02-setup.mdx)",
        "versioned_docs/version-1.0/guides/02-setup.mdx",
    ),
    (DOCUSAURUS, "i18n/fr/docusaurus-plugin-content-docs/current/intro.md", "[w](/fr/docs/intro)", "docs/intro.md"),
    (OBSIDIAN, "Daily/Monday.md", "[[Folder/My note]]", "Folder/My note.md"),
    (OBSIDIAN, "Daily/Monday.md", "[[Folder/My note#Part|words]]", "Folder/My note.md"),
    (OBSIDIAN, "Daily/Monday.md", "[w](Folder/My%20note.md)", "Folder/My note.md"),
    (OBSIDIAN, "Daily/Monday.md", "[w](<../Folder/My note.md>)", "Folder/My note.md"),
    (OBSIDIAN, "Daily/Monday.md", "[[Top]]", "Top.md"),
    (GITHUB_WIKI, "Home.md", "[[Page Name]]", "Page-Name.md"),
    (GITHUB_WIKI, "Home.md", "[w](Page-Name#part)", "Page-Name.md"),
    (GITHUB_WIKI, "Home.md", "[w](../wiki/Page-Name)", "Page-Name.md"),
    (GITHUB_WIKI, "Home.md", "[w](/owner/project/wiki/Page-Name)", "Page-Name.md"),
    (GITHUB_WIKI, "Home.md", "[[What is it?]]", "guides/What-is-it?.md"),
    (GITHUB_WIKI, "Page-Name.md", "[w](What-is-it%3F)", "guides/What-is-it?.md"),
    (JEKYLL, "index.md", "[w]({% post_url 2024-05-01-hello %})", "_posts/2024-05-01-hello.md"),
    (JEKYLL, "docs/install.md", "[w]({% link _posts/2024-05-01-hello.md %})", "_posts/2024-05-01-hello.md"),
    (JEKYLL, "index.md", "[w](/site/2024/05/01/hello.html)", "_posts/2024-05-01-hello.md"),
    (JEKYLL, "docs/install.md", "[w](/site/tips/first)", "_tips/first.md"),
    (JEKYLL, "_posts/2024-05-01-hello.md", "[w](../docs/install.md)", "docs/install.md"),
    (PLAIN, "README.md", "[w](guide/)", "guide/README.md"),
    (PLAIN, "README.md", "[w](guide/README.md)", "guide/README.md"),
    (PLAIN, "guide/a.md", "[w](../README.md)", "README.md"),
    (PLAIN, "guide/a.md", "[w](/guide/b/index.html)", "guide/b/index.html"),
    (PLAIN, "guide/a.md", "[w](b)", "guide/b/index.html"),
    (
        MDN,
        "files/en-us/glossary/dns/index.md",
        '{{domxref("Window.open()")}}',
        "files/en-us/web/api/window/open/index.md",
    ),
    (
        MDN,
        "files/en-us/glossary/dns/index.md",
        "[w](/en-US/docs/Web/API/Window#a)",
        "files/en-us/web/api/window/index.md",
    ),
    (MDN, "files/en-us/web/api/window/index.md", '{{Glossary("DNS", "name")}}', "files/en-us/glossary/dns/index.md"),
    (WIKITEXT, "Wageni/Bahari.wiki", "[[Mji Mkongwe|mji]]", "Mji_Mkongwe.wiki"),
    (WIKITEXT, "Mji_Mkongwe.wiki", "[[wageni/Bahari#Samaki]]", "Wageni/Bahari.wiki"),
]


def _opened(files: Mapping[str, str], folder: Path, language: str = "en", **told: str) -> Corpus:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text or "Words.\n", encoding="utf-8")
    return CorpusSource(folder, language=language, **told).open()


def _pages(corpus: Corpus, files: Mapping[str, str]) -> dict[str, Page]:
    names = {name.rpartition(".")[0]: name for name in files}
    return {names[page.id]: page for page in current_pages(corpus)}


def _target(page: Page) -> str:
    (link,) = (link for section in parse(page).sections for link in section.links)
    assert link.kind is LinkKind.PAGE
    return link.target


@pytest.mark.parametrize(("files", "source", "written", "target"), CASES)
def test_a_link_leads_to_the_page_that_it_means(
    files: Mapping[str, str], source: str, written: str, target: str, tmp_path: Path
) -> None:
    corpus = _opened({**files, source: f"See {written} for more.\n"}, tmp_path)
    pages = _pages(corpus, files)
    naming = Naming(corpus.layout)
    assert naming.target_key(_target(pages[source]), pages[source]) == naming.key_of(pages[target])


@pytest.mark.parametrize("files", [MKDOCS, HUGO, DOCUSAURUS, OBSIDIAN, GITHUB_WIKI, JEKYLL, PLAIN, MDN, WIKITEXT])
def test_no_two_pages_of_a_language_have_the_same_key(files: Mapping[str, str], tmp_path: Path) -> None:
    corpus = _opened(files, tmp_path)
    keys = [(page.language, Naming(corpus.layout).key_of(page)) for page in current_pages(corpus)]
    assert len(set(keys)) == len(keys)
    assert all(key for _, key in keys)


@pytest.mark.parametrize("files", [MKDOCS, HUGO, OBSIDIAN, GITHUB_WIKI, PLAIN, MDN])
@pytest.mark.parametrize(
    "target", ["#part", "", "https://example.org/docs/a", "//example.org/a", "mailto:someone@example.org"]
)
def test_an_address_elsewhere_or_in_the_page_itself_has_no_key(
    files: Mapping[str, str], target: str, tmp_path: Path
) -> None:
    corpus = _opened(files, tmp_path)
    page = next(current_pages(corpus))
    assert Naming(corpus.layout).target_key(target, page) == ""


def test_a_path_out_of_the_site_has_no_key_but_one_that_comes_back_has(tmp_path: Path) -> None:
    files = {"a/Ant.htm": "<p>An ant.", "d/Dog.htm": "<p>A dog."}
    corpus = _opened(files, tmp_path / "wp")
    pages = _pages(corpus, files)
    naming = Naming(corpus.layout)
    assert naming.target_key("../../wp/d/Dog.htm", pages["a/Ant.htm"]) == naming.key_of(pages["d/Dog.htm"])
    assert naming.target_key("../../images/d/Dog.htm", pages["a/Ant.htm"]) == ""
    assert naming.target_key("../..", pages["a/Ant.htm"]) == ""


def test_a_note_is_found_by_its_last_name_alone(tmp_path: Path) -> None:
    corpus = _opened(OBSIDIAN, tmp_path)
    pages = _pages(corpus, OBSIDIAN)
    naming = Naming(corpus.layout)
    note = tail_of(naming.key_of(pages["Folder/My note.md"]))
    assert naming.target_tail("My note", pages["Daily/Monday.md"]) == note
    assert naming.target_tail("Old folder/My note#Part", pages["Daily/Monday.md"]) == note


def test_a_whole_path_means_no_other_page_with_the_same_last_name(tmp_path: Path) -> None:
    corpus = _opened(MDN, tmp_path)
    page = next(current_pages(corpus))
    naming = Naming(corpus.layout)
    assert naming.target_key("/docs/Web/API/Node/open", page) == "web/api/node/open"
    assert naming.target_tail("/docs/Web/API/Node/open", page) == ""


def test_titles_with_folders_have_a_tail_and_others_none() -> None:
    page = Page("en/Manual/Signals", "", Markup.WIKITEXT, "en")
    assert Naming().target_tail("en/Old manual/Trains", page) == "En/Trains"
    assert Naming().target_tail("Trains", page) == ""


def test_a_wiki_with_small_letters_in_titles_tells_them_apart() -> None:
    page = Page("polish", "", Markup.WIKITEXT, "en")
    assert Naming().target_key("polish", page) == Naming().target_key("Polish", page) == "Polish"
    strict = Naming(capitalises=False)
    assert strict.key_of(page) == strict.target_key("polish", page) == "polish"
    assert strict.target_key("Polish", page) == "Polish"


def test_the_pattern_and_the_base_that_a_user_tells_win(tmp_path: Path) -> None:
    files = {**MKDOCS, "wiki/en/tips/index.md": "", "wiki/en/tricks.md": ""}
    corpus = _opened(files, tmp_path, pages="wiki/{lang}/{page}", link_base="/help/")
    pages = {page.entity: page for page in current_pages(corpus)}
    assert set(pages) == {"tips", "tricks"}
    assert Naming(corpus.layout).target_key("/help/tips/", pages["tricks"]) == "tips"


def test_a_base_alone_changes_nothing_else(tmp_path: Path) -> None:
    corpus = _opened(MKDOCS, tmp_path, link_base="/elsewhere/")
    pages = _pages(corpus, MKDOCS)
    source, target = pages["documentation/about.md"], pages["documentation/guide/install.md"]
    naming = Naming(corpus.layout)
    assert naming.target_key("/elsewhere/guide/install/", source) == naming.key_of(target)
    assert naming.target_key("guide/install.md", source) == naming.key_of(target)


def test_letters_with_marks_are_the_same_however_they_are_composed(tmp_path: Path) -> None:
    files = {"Cafe\u0301.md": "", "Tea.md": ""}
    corpus = _opened(files, tmp_path)
    pages = _pages(corpus, files)
    naming = Naming(corpus.layout)
    assert naming.target_key("Caf\u00e9.md", pages["Tea.md"]) == naming.key_of(pages["Cafe\u0301.md"])


@pytest.mark.shared_data
@pytest.mark.parametrize("every", [240, pytest.param(60, marks=pytest.mark.slow)])
def test_links_of_a_real_folder_of_pages_lead_to_its_pages(shared_data: Path, tmp_path: Path, every: int) -> None:
    read = set()
    with tarfile.open(shared_data / "wikipedia" / "wikipedia-for-schools-2007-en.tar.xz") as tar:
        for number, member in enumerate(member for member in tar if member.name.endswith(".htm")):
            inside = member.name.rpartition("wp/")[2]
            stream = tar.extractfile(member) if number % every == 0 else None
            path = tmp_path / "wp" / inside
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(stream.read() if stream else b"<p>Left out, but there.")
            read |= {path.relative_to(tmp_path / "wp").with_suffix("").as_posix()} if stream else set()
    corpus = CorpusSource(tmp_path / "wp", language="en").open()
    naming = Naming(corpus.layout)
    pages = list(current_pages(corpus))
    keys = {naming.key_of(page) for page in pages}
    links = [
        naming.target_key(link.target, page)
        for page in pages
        if page.id in read
        for section in parse(page).sections
        for link in section.links
        if link.kind is LinkKind.PAGE
    ]
    assert len(links) > 60_000 / every
    assert sum(key in keys for key in links) > 0.99 * len(links)
