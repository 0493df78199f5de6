"""linkspot finds the spot for a link: given a page and an entity, it ranks the places where the link belongs."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkspot.answers.suggestion import Answer, suggest
    from linkspot.corpora.page_file import read_page
    from linkspot.errors import LinkspotError
    from linkspot.parsing import parse
    from linkspot.ranking.neural import load
    from linkspot.records import Action, Article, Entity, Markup, Page, Place

__version__ = "0.1.0"
__all__ = [
    "Action",
    "Answer",
    "Article",
    "Entity",
    "LinkspotError",
    "Markup",
    "Page",
    "Place",
    "load",
    "parse",
    "read_page",
    "suggest",
]

# Where each public name lives. They are imported when first used, so that `import linkspot` costs nothing.
_HOMES = dict.fromkeys(("Action", "Article", "Entity", "Markup", "Page", "Place"), "linkspot.records") | {
    "Answer": "linkspot.answers.suggestion",
    "LinkspotError": "linkspot.errors",
    "load": "linkspot.ranking.neural",
    "parse": "linkspot.parsing",
    "read_page": "linkspot.corpora.page_file",
    "suggest": "linkspot.answers.suggestion",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'linkspot' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
