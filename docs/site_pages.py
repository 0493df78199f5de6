"""A hook of mkdocs: shows files from outside of docs/ as pages of the site, and points links at those pages."""

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

PROJECT = Path(__file__).parent.parent

# Path on the site → file in the repository.
SHOWN = {
    "results.md": "bench/RESULTS.md",
    "page_speed.svg": "bench/page_speed.svg",
    "model-card.md": "src/linkspot/model/default/README.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
}
_SITE_PATHS = {source: shown for shown, source in SHOWN.items()} | {"README.md": "index.md", "docs": "index.md"}

_FENCE = re.compile(r"^(```+).*?^\1$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<path>[^)#\s]+)(?P<anchor>#[^)]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files that are shown to the site's own."""
    for shown, source in SHOWN.items():
        files.append(File.generated(config, shown, abs_src_path=str(PROJECT / source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Return the page with every link to a file of the repository changed to the page that shows it."""
    here = page.file.src_uri
    return relinked(markdown, SHOWN.get(here, f"docs/{here}"), here)


def relinked(markdown: str, source: str, shown: str) -> str:
    """Return a document's text with its links as they have to be on the site; code blocks stay as they are.

    `source` is the document's path in the repository, `shown` its path on the site.
    """
    return _outside_of_fences(markdown, lambda text: _LINK.sub(lambda link: _on_site(link, source, shown), text))


def _outside_of_fences(markdown: str, change: Callable[[str], str]) -> str:
    parts, end = [], 0
    for fence in _FENCE.finditer(markdown):
        parts += [change(markdown[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, change(markdown[end:])])


def _on_site(link: re.Match[str], source: str, shown: str) -> str:
    if "://" in link["path"]:
        return link[0]
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link["path"]))
    on_site = _SITE_PATHS.get(target, target.removeprefix("docs/") if target.startswith("docs/") else "")
    if not on_site:
        return link["text"]  # a file that the site does not show: its name is enough
    path = posixpath.relpath(on_site, posixpath.dirname(shown) or ".")
    return f"{link['image']}[{link['text']}]({path}{link['anchor'] or ''})"
