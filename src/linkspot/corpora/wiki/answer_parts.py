"""Parts of an answer of MediaWiki's API; what has another type than expected counts as missing."""

from typing import Any


def part(answer: dict[str, Any], name: str) -> dict[str, Any]:
    """Return an object in an answer, an empty one if it is missing."""
    value = answer.get(name)
    return value if isinstance(value, dict) else {}


def objects(answer: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the objects of a list in an answer; anything else there is left out."""
    items = answer.get(name)
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def text(answer: dict[str, Any], name: str) -> str:
    """Return a string in an answer, an empty one if it is missing."""
    value = answer.get(name)
    return value if isinstance(value, str) else ""


def number(answer: dict[str, Any], name: str) -> int:
    """Return a number in an answer, 0 if it is missing."""
    value = answer.get(name)
    return value if isinstance(value, int) else 0


def page_list(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the pages that an answer is about."""
    return objects(part(answer, "query"), "pages")
