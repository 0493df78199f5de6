"""The settings of a site's generator: what its own file says of languages, folders and addresses."""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import yaml

Settings = Mapping[str, Any]


def read_settings(name: str, text: str) -> Settings:
    """Return the settings in a file of TOML, JSON or YAML, by names in lower case; nothing if the file is broken."""
    try:
        if name.endswith(".toml"):
            settings: object = tomllib.loads(text)
        elif name.endswith(".json"):
            settings = json.loads(text)
        else:
            # All values stay strings, and tags that only the generator knows are ignored.
            settings = yaml.load(text, Loader=yaml.BaseLoader)
    except (ValueError, yaml.YAMLError, RecursionError):
        return {}
    return _in_lower_case(settings)


def text_of(settings: Settings, *names: str) -> str:
    """Return the first of these settings that is a text, or nothing."""
    values = (settings.get(name) for name in names)
    return next((value.strip() for value in values if isinstance(value, str) and value.strip()), "")


def part_of(settings: Settings, *path: str) -> Settings:
    """Return the settings under these names; a list of settings counts as all of them in one."""
    part: object = settings
    for name in path:
        if isinstance(part, list):
            part = {key: value for item in part if isinstance(item, dict) for key, value in item.items()}
        part = part.get(name) if isinstance(part, Mapping) else None
    return _in_lower_case(part)


def script_setting(text: str, name: str) -> str:
    """Return the text that a script gives to a setting (`name: 'text'`), or nothing; the script is not run."""
    setting = re.search(rf"\b{name}\s*:\s*(['\"`])(?P<value>[^'\"`\n]*)\1", text)
    return setting["value"] if setting else ""


def path_of(url: str) -> str:
    """Return what stands before each page's name in the absolute links of a site at this address: /base/ or nothing."""
    path = urlsplit(url).path.strip("/")
    return f"/{path}/" if path else ""


def _in_lower_case(settings: object) -> Settings:
    return {str(name).lower(): value for name, value in settings.items()} if isinstance(settings, Mapping) else {}
