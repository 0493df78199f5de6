"""Site generators: how each is recognised, and where its sites keep their pages."""

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from linkspot.corpora.languages import tag_of
from linkspot.corpora.sites.layouts import MDN, Layout, LinkStyle
from linkspot.corpora.sites.site_settings import Settings, part_of, path_of, read_settings, script_setting, text_of
from linkspot.corpora.sites.translations import languages_by_ending, languages_by_folder, translated_folder
from linkspot.parsing.markup import endings

_DEEPEST = 2  # folders around the site inside of a repository
_ENOUGH = 0.8  # of a site's pages that a layout without a marker must fit
_SETTINGS = ("toml", "yaml", "yml", "json")
_SCRIPTS = ("js", "ts", "mjs", "cjs", "mts", "cts")
_NOT_THE_SITE = re.compile(
    r"(?:^|/)(?:node_modules|vendor|themes|templates?|tests?|fixtures|examples?|exampleSite)/", re.IGNORECASE
)


@dataclass(frozen=True)
class SiteFiles:
    """The files of a site as they are now: their paths, and a function that reads one of them."""

    paths: frozenset[str]
    read: Callable[[str], str]

    @cached_property
    def pages(self) -> frozenset[str]:
        """The paths of all files that could be pages."""
        return frozenset(path for path in self.paths if PurePosixPath(path).suffix.lower() in endings())

    def sites(self, marker: str) -> list[str]:
        """Return the folders that have a file which matches the marker, the outermost first."""
        expression = re.compile(rf"(?P<site>(?:[^/]+/){{0,{_DEEPEST}}}?)(?:{marker})")
        fitting = (expression.fullmatch(path) for path in self.paths if not _NOT_THE_SITE.search(path))
        return sorted({match["site"] for match in fitting if match}, key=lambda site: (site.count("/"), site))

    def first(self, *paths: str) -> str:
        """Return the text of the first of these files that exists, or nothing."""
        return next((self.read(path) for path in paths if path in self.paths), "")

    def settings(self, *stems: str) -> Settings:
        """Return the settings in all files of these names, whatever they end in; later files override earlier ones."""
        paths = (f"{stem}.{ending}" for stem in stems for ending in _SETTINGS)
        every = [read_settings(path, self.read(path)) for path in paths if path in self.paths]
        return {name: value for settings in every for name, value in settings.items()}

    def languages(self, root: str, is_site: bool = True) -> frozenset[str]:
        """Return the languages that the paths of the pages in a folder name."""
        inside = [path for path in self.pages if path.startswith(root)]
        return languages_by_ending(inside) | languages_by_folder(inside, root, is_site)

    def top_folders(self, root: str) -> frozenset[str]:
        """Return the names of the folders right in this one."""
        inside = (path.removeprefix(root) for path in self.pages if path.startswith(root))
        return frozenset(path.partition("/")[0] for path in inside if "/" in path)


def recognised(files: SiteFiles) -> Layout:
    """Return the layout of the first generator whose marker is there and whose layout matches some page."""
    for generator in GENERATORS.values():
        for site in files.sites(generator.marker):
            layout = generator.layout(files, site)
            if layout and any(layout.read_path(path) for path in files.pages):
                return layout
    fitting = sum(MDN.read_path(path) is not None for path in files.pages)
    return MDN if files.pages and fitting >= _ENOUGH * len(files.pages) else _plain(files)


def _hugo(files: SiteFiles, site: str) -> Layout | None:
    folder = f"{site}config/_default/"
    settings = files.settings(f"{site}config", f"{site}hugo", f"{folder}config", f"{folder}hugo")
    languages = frozenset({**part_of(settings, "languages"), **files.settings(f"{folder}languages")})
    root = _folder(site, text_of(settings, "contentdir") or "content")
    default = text_of(settings, "defaultcontentlanguage", "languagecode", "locale")
    base = path_of(text_of(settings, "baseurl"))
    style = LinkStyle(base, top_folders=files.top_folders(root), has_folder_addresses=True)
    return _translated("hugo", root, languages or files.languages(root), default, style)


def _docusaurus(files: SiteFiles, site: str) -> Layout | None:
    script = files.first(*(f"{site}docusaurus.config.{ending}" for ending in _SCRIPTS))
    given = re.findall(r"\bpath\s*:\s*['\"]([^'\"{}*]+)['\"]", script)
    folders = dict.fromkeys([*(_folder(site, name) for name in ("docs", *given, "blog", "src/pages")), "docs/"])
    plugins = f"{site}i18n/{{lang}}/docusaurus-plugin-content-*"
    route = script_setting(script, "routeBasePath") or "docs"
    base = (script_setting(script, "baseUrl") or "/") + route.strip("/") + "/"
    return Layout(
        "docusaurus",
        (
            f"{plugins}/current/{{page}}",
            f"{plugins}/version-{{page}}",
            f"{plugins}/{{page}}",
            f"{site}versioned_docs/version-{{page}}",
            *(f"{folder}{{page}}" for folder in folders),
        ),
        language=tag_of(script_setting(script, "defaultLocale")),
        links=LinkStyle(re.sub("/+", "/", base), has_folder_addresses=True),
        no_pages="(?:^|/)_",
        no_names=r"(?:^|(?<=/))\d+[-_]+(?=[^\d])",  # 02-setup.md is at setup
    )


def _mkdocs(files: SiteFiles, site: str) -> Layout | None:
    settings = files.settings(f"{site}mkdocs")
    root = _folder(site, text_of(settings, "docs_dir") or "docs")
    plugin = part_of(settings, "plugins", "i18n")
    listed = plugin.get("languages")
    spoken = [language for language in listed if isinstance(language, dict)] if isinstance(listed, list) else []
    languages = {text_of(language, "locale") for language in spoken} or set(part_of(plugin, "languages"))
    main = next((text_of(language, "locale") for language in spoken if text_of(language, "default") == "true"), "")
    default = main or text_of(plugin, "default_language") or text_of(part_of(settings, "theme"), "language")
    style = LinkStyle(path_of(text_of(settings, "site_url")), has_folder_addresses=True)
    return _translated("mkdocs", root, frozenset(languages - {""}) or files.languages(root), default, style)


def _jekyll(files: SiteFiles, site: str) -> Layout | None:
    settings = files.settings(f"{site}_config")
    base = path_of(text_of(settings, "baseurl"))
    style = LinkStyle(base, top_folders=files.top_folders(site), has_folder_addresses=True)
    default = text_of(settings, "lang", "locale")
    layout = _translated("jekyll", site, files.languages(site, is_site=False), default, style)
    no_pages = r"(?:^|/)(?:_(?:includes|layouts|data|sass|site|plugins|drafts)|vendor)/"
    return replace(layout, no_pages=no_pages, no_names=r"(?:^|(?<=/))_posts/|^_")  # _docs/a.md is at docs/a


def _obsidian(files: SiteFiles, site: str) -> Layout | None:
    return Layout("obsidian", (f"{site}{{page}}",), files.languages(""), links=LinkStyle(begins_at_top=True))


def _github_wiki(files: SiteFiles, site: str) -> Layout | None:
    has_sidebar = any(re.match(r"_(?:Sidebar|Footer)\.", path) for path in files.paths)
    if site or not (has_sidebar or all("/" not in path for path in files.pages)):
        return None
    no_pages = r"(?i)(?:^|/)_(?:sidebar|footer|header)\."
    return Layout("github-wiki", ("{page}",), files.languages(""), links=LinkStyle(is_flat=True), no_pages=no_pages)


def _plain(files: SiteFiles) -> Layout:
    root = translated_folder(files.pages)
    if sum(path.startswith(root) for path in files.pages) < _ENOUGH * len(files.pages):
        root = ""
    return _translated("plain", root, files.languages(root, is_site=False), "", LinkStyle())


def _folder(site: str, name: str) -> str:
    path = posixpath.normpath(site + name)
    return "" if path == "." else f"{path}/"


def _translated(name: str, root: str, languages: frozenset[str], default: str, style: LinkStyle) -> Layout:
    tags = frozenset(language.replace("_", "-").lower() for language in languages)
    return Layout(name, (f"{root}{{lang}}/{{page}}", f"{root}{{page}}"), tags, tag_of(default), style)


class Generator(NamedTuple):
    """A line of the table: the file in a site's folder that shows its generator, and the layout of such a site."""

    marker: str
    layout: Callable[[SiteFiles, str], Layout | None]


GENERATORS: dict[str, Generator] = {
    "docusaurus": Generator(rf"docusaurus\.config\.(?:{'|'.join(_SCRIPTS)})", _docusaurus),
    "mkdocs": Generator(r"mkdocs\.ya?ml", _mkdocs),
    "hugo": Generator(rf"(?:config/_default/)?(?:hugo|config)\.(?:{'|'.join(_SETTINGS)})|archetypes/.*", _hugo),
    "jekyll": Generator(r"_config\.ya?ml", _jekyll),
    "obsidian": Generator(r"\.obsidian/.*", _obsidian),
    "github-wiki": Generator(r"(?:Home|_Sidebar|_Footer)\.[A-Za-z]+", _github_wiki),
}
