"""Names of earlier versions, so that their recipes and checkpoints can still be read."""

from typing import Any

from linkspot.errors import UnusableInput

_OLD_NAMES = {"distil": "distillation", "material": "training_examples"}


def current_names(value: Any) -> Any:
    """Return a recipe's plain values under the names of today, where they have those of an earlier version."""
    if isinstance(value, list):
        return [current_names(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    for old, new in _OLD_NAMES.items():
        if old in value and new in value:
            raise UnusableInput(f"a recipe has {old!r} and {new!r}, which are the same; leave out {old!r}")
    return {_OLD_NAMES.get(key, key): current_names(entry) for key, entry in value.items()}
