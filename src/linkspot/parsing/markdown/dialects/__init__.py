"""Dialects of Markdown: what sites add to the common language, one small module each."""

from collections.abc import Callable

from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from linkspot.parsing.markdown.dialects import bare_urls, containers, maths, mdn, templates, wiki_links


def _add_footnotes(md: MarkdownIt) -> None:
    md.use(footnote_plugin, move_to_end=False)


def _add_definitions(md: MarkdownIt) -> None:
    md.use(deflist_plugin)


# Each adds its rules to the parser. In this order, since a macro is tried before a template tag.
DIALECTS: dict[str, Callable[[MarkdownIt], None]] = {
    "mdn": mdn.add,
    "templates": templates.add,
    "wiki_links": wiki_links.add,
    "containers": containers.add,
    "bare_urls": bare_urls.add,
    "footnotes": _add_footnotes,
    "maths": maths.add,
    "definitions": _add_definitions,
}


def dialects_of(text: str) -> tuple[str, ...]:
    """Return the names of the dialects to read the page in: all, but wiki links only outside of MDN."""
    return tuple(name for name in DIALECTS if name != "wiki_links" or not mdn.is_mdn(text))
