"""linkspot finds the spot for a link: given a page and a target, it ranks the places where the link belongs.

```python
import linkspot

answer = linkspot.suggest("dog.html", "wolf.html")
for place in answer.places:
    print(place.probability, place.action, place.text, place.link)
```

- `suggest` answers for one page and one target, `suggest_many` for many; they return an `Answer` or `Answers`.
- `read_page` and `parse` read a page; `Page`, `Article`, `Entity`, `Markup`, `Place`, `Action` are the records.
- `open_index` opens an `Index` of a whole wiki that `linkspot index` made.
- `load` opens a model that `linkspot train` made, to be passed as `ranker=`.
- Every error that linkspot raises on purpose is a `LinkspotError`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkspot.answers.answer import Answer
    from linkspot.answers.batch import Answers, suggest_many
    from linkspot.answers.suggestion import suggest
    from linkspot.corpora.page_file import read_page
    from linkspot.errors import LinkspotError
    from linkspot.links.index import Index, open_index
    from linkspot.parsing import parse
    from linkspot.ranking.neural import load
    from linkspot.records import Action, Article, Entity, Markup, Page, Place

__version__ = "0.1.0"
__all__ = [
    "Action",
    "Answer",
    "Answers",
    "Article",
    "Entity",
    "Index",
    "LinkspotError",
    "Markup",
    "Page",
    "Place",
    "load",
    "open_index",
    "parse",
    "read_page",
    "suggest",
    "suggest_many",
]

# Where each public name lives. They are imported when first used, so that `import linkspot` costs nothing.
_HOMES = {
    "linkspot.answers.answer": ("Answer",),
    "linkspot.answers.batch": ("Answers", "suggest_many"),
    "linkspot.answers.suggestion": ("suggest",),
    "linkspot.corpora.page_file": ("read_page",),
    "linkspot.errors": ("LinkspotError",),
    "linkspot.links.index": ("Index", "open_index"),
    "linkspot.parsing": ("parse",),
    "linkspot.ranking.neural": ("load",),
    "linkspot.records": ("Action", "Article", "Entity", "Markup", "Page", "Place"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'linkspot' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
