"""Front matter: what a page says about itself, in YAML or TOML, before its text."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

import yaml

_DEEPEST = 50  # lists or maps in brackets inside of one another; the loader takes their number squared
_LONGEST = 20_000  # characters; two rules far apart in a long text are not front matter
_BLOCK = re.compile(
    r"\A\ufeff?(?P<fence>---|\+\+\+)[ \t]*(?:\r\n?|\n)"
    r"(?P<fields>(?:.*?(?:\r\n?|\n))??)"
    r"(?:(?P=fence)|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)",
    re.DOTALL,
)
_FIELD = re.compile(r"^[\w-]+[ \t]*:", re.MULTILINE)
_LANGUAGE_FIELDS = ("lang", "language", "locale")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the page says about itself, and where its text begins."""

    title: str = ""
    slug: str = ""
    language: str = ""
    end: int = 0


class _ShallowLoader(yaml.BaseLoader):
    """Loads all values as strings, and refuses brackets that are nested deep."""

    def fetch_flow_collection_start(self, kind: type[yaml.Token]) -> None:
        """Go one level deeper."""
        if self.flow_level >= _DEEPEST:
            raise yaml.YAMLError
        super().fetch_flow_collection_start(kind)


def read(text: str) -> FrontMatter:
    """Return the page's front matter; its fields are empty if it is missing or broken."""
    block = _BLOCK.match(text[:_LONGEST])
    if block is None:
        return FrontMatter(end=int(text.startswith("\ufeff")))
    fields = _toml(block["fields"]) if block["fence"] == "+++" else _yaml(block["fields"])
    if fields is None:
        return FrontMatter(end=int(text.startswith("\ufeff")))
    languages = (_text(fields, name) for name in _LANGUAGE_FIELDS)
    return FrontMatter(_text(fields, "title"), _text(fields, "slug"), next(filter(None, languages), ""), block.end())


def declared_language(text: str) -> str:
    """Return the language that the page's front matter names, or nothing."""
    return read(text).language


def declared_title(text: str) -> str:
    """Return the title that the page's front matter names, or nothing."""
    return read(text).title


def _yaml(fields: str) -> Mapping[object, object] | None:
    """Return the fields; none if they are broken, None if this is a text between two rules."""
    try:
        # All values stay strings: as YAML has it, the Norwegian `no` is false and `404` a number.
        # The faster loader in C crashes on lists that are nested a few thousand deep.
        loaded = yaml.load(fields, Loader=_ShallowLoader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {} if _FIELD.search(fields) else None
    if loaded is None:
        return {}
    return loaded if isinstance(loaded, dict) else None


def _toml(fields: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(fields)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _text(fields: Mapping[object, object] | Mapping[str, object], name: str) -> str:
    value = dict(fields).get(name, "")
    return value.strip() if isinstance(value, str) else ""
