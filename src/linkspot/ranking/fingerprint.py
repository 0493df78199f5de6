"""Fingerprints: whether a ranker is still the same, so that stored rankings are not mixed with another's."""

from importlib.metadata import version
from pathlib import Path

from linkspot.files import digest_of
from linkspot.ranking.cascade import CascadeParts
from linkspot.ranking.ranker import CASCADE, SHIPPED, WITHOUT_PRECEDENTS, is_model, plugged_in, split_name


def fingerprint(name: str) -> str:
    """Return what distinguishes a ranker from others, and from itself after a change, wherever its files are."""
    return f"{_identity(name)} (linkspot {version('linkspot')})"


def _identity(name: str) -> str:
    known, argument = split_name(name)
    if is_model(name):
        return f"model:{_digest(_folder(name), name)}"
    if known == CASCADE:
        cheap, best, expensive = CascadeParts.of(argument)
        return f"cascade:{_identity(cheap)},{best},{_identity(expensive)}"
    if known == WITHOUT_PRECEDENTS:
        return f"alone:{_identity(argument)}"  # its old name, which stands in the manifests of stored rankings
    parts = ",".join(_digest(Path(part), part) for part in argument.split(",") if part)
    identity = f"{known}:{parts}" if argument else known
    plug_in = plugged_in(known)
    return f"{identity} ({plug_in.package} {plug_in.version})" if plug_in else identity


def _folder(name: str) -> Path:
    if name != SHIPPED:
        return Path(name)
    from linkspot.model.shipped import shipped_model

    return shipped_model()


def _digest(path: Path, name: str) -> str:
    """Return the digest of a file or of a folder's files; the name, if it is neither."""
    if path.is_dir():
        from linkspot.model.config import CARD

        return digest_of(file for file in path.iterdir() if file.is_file() and file.name != CARD)
    return digest_of([path]) if path.is_file() else name
