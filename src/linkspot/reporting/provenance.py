"""Provenance: the versions and the machine that made the figures."""

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from linkspot.machine import usable_cores

_PACKAGES = ("linkspot", "torch", "transformers")
_CPU_FACTS = Path("/proc/cpuinfo")


def provenance() -> dict[str, str]:
    """Return what made a report, by name: versions of packages and Python, the system, the processor."""
    versions = {name: _version(name) for name in _PACKAGES}
    return {**versions, "Python": platform.python_version(), "system": platform.system(), "processor": _processor()}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    cores = usable_cores()
    try:
        lines = _CPU_FACTS.read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []  # only Linux has this file; platform knows the processor of other systems
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    return f"{name}, {cores} core{'' if cores == 1 else 's'}"
