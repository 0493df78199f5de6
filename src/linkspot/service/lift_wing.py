"""The input forms of Wikimedia's Lift Wing, beside the service's own: a wiki by its language, a page by its id."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from linkspot.errors import UnusableInput
from linkspot.service.requests import SuggestRequest

_NAMES = {"page_title": "title", "page_id": "page_id", "rev_id": "revision", "revision_id": "revision"}
_OPTIONS = ("top", "anyway", "exclude_sections", "translations")
_WIKI = "wiki"


def instance_request(instance: object) -> SuggestRequest:
    """Return the request that an instance is: the one of /v1/suggest, or Lift Wing's `lang`, `page_title`, `rev_id`."""
    if not isinstance(instance, Mapping):
        raise UnusableInput("an instance is an object with a page and a target")
    given = instance if "page" in instance else _converted(instance)
    try:
        return SuggestRequest.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        where = ".".join(str(part)[:40] for part in first["loc"][:8])
        message = first["msg"].removeprefix("Value error, ")
        raise UnusableInput(f"{where}: {message}" if where else message) from None


def _converted(instance: Mapping[str, Any]) -> dict[str, Any]:
    known = {"lang", "wiki_id", "target", "targets", *_NAMES, *_OPTIONS}
    unknown = sorted(str(name)[:40] for name in set(instance) - known)
    if unknown:
        raise UnusableInput(f"an instance has no field {unknown[0]!r}; there are: {', '.join(sorted(known))}")
    page = {_NAMES[name]: value for name, value in instance.items() if name in _NAMES}
    request: dict[str, Any] = {name: instance[name] for name in _OPTIONS if name in instance}
    request["page"] = {**page, _WIKI: _wiki_of(instance)}
    if "target" in instance:
        request["target"] = _target(instance["target"])
    if isinstance(instance.get("targets"), list):
        request["targets"] = list(map(_target, instance["targets"]))
    return request


def _wiki_of(instance: Mapping[str, Any]) -> str:
    """Return the wiki's name: `swwiki` for the wiki_id swwiki, and for the lang sw or swwiki."""
    name = instance.get("wiki_id") or instance.get("lang")
    if not isinstance(name, str) or not name:
        raise UnusableInput("an instance needs the wiki, as lang (sw) or wiki_id (swwiki), or a page")
    return name.replace("-", "_").removesuffix(_WIKI) + _WIKI


def _target(target: object) -> object:
    return {"title": target} if isinstance(target, str) else target
