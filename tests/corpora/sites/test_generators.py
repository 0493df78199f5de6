import pytest

from linkspot.corpora.sites.generators import SiteFiles, recognised
from linkspot.corpora.sites.layouts import Layout


def _site(*paths: str, settings: str = "") -> SiteFiles:
    """A site of these files; all that are no pages hold the settings."""
    return SiteFiles(frozenset(paths), lambda _: settings)


def _places(layout: Layout, *paths: str) -> list[tuple[str, str] | None]:
    found = [layout.read_path(path) for path in paths]
    return [(facts.language, facts.slug) if facts else None for facts in found]


@pytest.mark.parametrize(
    ("marker", "page", "name"),
    [
        ("hugo.toml", "content/a.md", "hugo"),
        ("config.yaml", "content/a.md", "hugo"),
        ("config/_default/hugo.toml", "content/a.md", "hugo"),
        ("archetypes/default.md", "content/a.md", "hugo"),
        ("docusaurus.config.ts", "docs/a.mdx", "docusaurus"),
        ("mkdocs.yml", "docs/a.md", "mkdocs"),
        ("_config.yml", "_posts/2024-05-01-a.md", "jekyll"),
        (".obsidian/app.json", "Notes/a.md", "obsidian"),
        ("_Sidebar.md", "guides/a.md", "github-wiki"),
        ("Home.md", "a.md", "github-wiki"),
        ("Home.md", "notes/a.md", "plain"),
        ("config.toml", "src/a.md", "plain"),
        ("tests/fixtures/mkdocs.yml", "tests/fixtures/docs/a.md", "plain"),
        ("package.json", "guide/a.md", "plain"),
    ],
)
def test_a_site_is_recognised_by_its_files(marker: str, page: str, name: str) -> None:
    layout = recognised(_site(marker, page))
    assert layout.name == name
    assert layout.read_path(page)


def test_mdn_is_recognised_by_its_paths() -> None:
    pages = [f"files/ja/web/page{number}/index.md" for number in range(9)]
    assert recognised(_site(*pages, "README.md")).name == "mdn"
    assert recognised(_site(*pages[:3], "README.md", "a.md", "b.md")).name == "plain"


def test_a_site_inside_of_a_repository_is_found() -> None:
    nested = _site("src/notes.md", "documentation/docs/a.md", "documentation/mkdocs.yml", settings="site_name: A")
    assert _places(recognised(nested), "documentation/docs/a.md", "src/notes.md") == [("", "a"), None]
    beside = _site("docs/a.md", "website/blog/b.md", "website/docusaurus.config.js", settings="module.exports = {}")
    assert _places(recognised(beside), "docs/a.md", "website/blog/b.md") == [("", "a"), ("", "b")]
    told = _site("manual/a.md", "website/docusaurus.config.js", settings="docs: {path: '../manual'}")
    assert _places(recognised(told), "manual/a.md") == [("", "a")]


def test_a_file_of_settings_that_is_another_tools_does_not_hide_the_site() -> None:
    layout = recognised(_site("site/content/a.md", "config.json", "site/hugo.toml", settings="languageCode = 'fr'"))
    assert (layout.name, layout.language) == ("hugo", "fr")
    assert _places(layout, "site/content/a.md") == [("", "a")]


def test_hugo_tells_languages_by_folder_or_by_ending() -> None:
    by_folder = recognised(_site("content/en/a.md", "hugo.toml", settings="[languages.en]\n[languages.pt-br]\n"))
    assert _places(by_folder, "content/pt-br/docs/_index.md", "content/de/a.md") == [("pt-br", "docs"), ("", "de/a")]
    by_ending = recognised(
        _site("content/a.md", "hugo.yaml", settings="defaultContentLanguage: en\nlanguages: {en: {}, fr: {}}")
    )
    assert by_ending.language == "en"
    paths = ("content/a.fr.md", "content/a/index.fr.md", "content/a.md", "content/node.js.md")
    assert _places(by_ending, *paths) == [("fr", "a"), ("fr", "a"), ("", "a"), ("", "node.js")]


def test_languages_that_no_setting_tells_are_seen_in_the_paths() -> None:
    endings = recognised(_site("docs/a.md", "docs/a.fr.md", "docs/node.js.md", "docs/socket.io.md", "mkdocs.yml"))
    assert _places(endings, "docs/a.fr.md", "docs/node.js.md", "docs/socket.io.md") == [
        ("fr", "a"),
        ("", "node.js"),
        ("", "socket.io"),
    ]
    folders = recognised(_site("content/en/docs/a.md", "content/_index.md", "hugo.toml"))
    assert _places(folders, "content/en/docs/a.md") == [("en", "docs/a")]


def test_mkdocs_says_where_its_pages_are_and_in_which_languages() -> None:
    settings = """
        docs_dir: ./handbook
        theme: {name: material, custom_dir: !ENV [THEME, theme]}
        plugins:
          - search
          - i18n:
              languages:
                - {locale: en, default: true}
                - {locale: pt_BR}
    """
    layout = recognised(_site("handbook/a.md", "mkdocs.yml", settings=settings))
    assert layout.language == "en"
    paths = ("handbook/a.pt-BR.md", "handbook/pt_BR/a.md", "handbook/a/index.md", "docs/a.md")
    assert _places(layout, *paths) == [("pt-br", "a"), ("pt-br", "a"), ("", "a"), None]
    assert recognised(_site("docs/a.md", "mkdocs.yml", settings="theme: {language: de}")).language == "de"
    assert recognised(_site("docs/a.md", "mkdocs.yml", settings="{broken: [")).name == "mkdocs"


def test_docusaurus_keeps_languages_versions_and_posts_apart() -> None:
    layout = recognised(_site("docs/a.md", "docusaurus.config.js", settings="i18n: {defaultLocale: 'zh-Hans'}"))
    assert layout.language == "zh-hans"
    translated = "i18n/pt-BR/docusaurus-plugin-content-docs"
    assert _places(
        layout,
        "docs/01-start/2_a.md",
        "docs/_part.md",
        f"{translated}/current/start/a.md",
        f"{translated}-community/version-2.x/a.md",
        "i18n/fr/docusaurus-plugin-content-blog/b.md",
        "versioned_docs/version-2.x/01-start/a.md",
        "src/pages/help.md",
        "README.md",
    ) == [
        ("", "start/a"),
        None,
        ("pt-br", "start/a"),
        ("pt-br", "2.x/a"),
        ("fr", "b"),
        ("", "2.x/start/a"),
        ("", "help"),
        None,
    ]


def test_jekyll_has_pages_everywhere_but_in_its_own_folders() -> None:
    site = _site("_config.yml", "index.md", settings="lang: sw")
    assert recognised(site).language == "sw"
    paths = ("_posts/2024-05-01-a.md", "news/_posts/2024-05-01-b.md", "_tips/c.md", "_includes/d.html", "index.md")
    assert _places(recognised(site), *paths) == [
        ("", "2024-05-01-a"),
        ("", "news/2024-05-01-b"),
        ("", "tips/c"),
        None,
        ("", "index"),
    ]


def test_plain_folders_called_by_languages_are_translations_of_each_other() -> None:
    beside_each_other = recognised(
        _site(*(f"docs/{tag}/docs/{name}.md" for tag in ("en", "es", "ja") for name in "ab"), "README.md")
    )
    assert _places(beside_each_other, "docs/es/docs/a.md", "docs/a.md", "README.md") == [
        ("es", "docs/a"),
        ("", "a"),
        None,
    ]
    beside_the_original = recognised(_site("docs/guide/a.md", "docs/b.md", "docs/zh-CN/guide/a.md", "docs/zh-CN/b.md"))
    assert _places(beside_the_original, "docs/zh-CN/guide/a.md", "docs/guide/a.md") == [
        ("zh-cn", "guide/a"),
        ("", "guide/a"),
    ]


def test_folders_that_are_only_called_like_languages_are_none() -> None:
    kits = [f"{kit}/{page}.md" for kit in ("cs", "ts", "java", "python", "kotlin") for page in ("start", "auth")]
    assert _places(recognised(_site(*kits)), "cs/start.md") == [("", "cs/start")]
    departments = ("it/servers.md", "hr/holidays.md")
    assert _places(recognised(_site(*departments)), "it/servers.md") == [("", "it/servers")]
    examples = [f"examples/{tag}/a.md" for tag in ("en", "fr")]
    most = [f"guide/{number}.md" for number in range(10)]
    assert _places(recognised(_site(*examples, *most)), "guide/1.md", "examples/fr/a.md") == [
        ("", "guide/1"),
        ("", "examples/fr/a"),
    ]
