"""Extras: a missing one is named in one line with its pip command, and pyproject.toml brings all that is checked."""

import re
import sys
import tomllib

import pytest
from tests.conftest import PROJECT

from linkspot.errors import MissingExtra
from linkspot.extras import MODULES, Extra, require, require_torch

PACKAGES = {
    "ibis": "ibis-framework",
    "prometheus_client": "prometheus-client",
}  # the other modules are called as their packages


def _extras() -> dict[str, list[str]]:
    with (PROJECT / "pyproject.toml").open("rb") as file:
        extras: dict[str, list[str]] = tomllib.load(file)["project"]["optional-dependencies"]
    return extras


def _packages(extra: str) -> set[str]:
    """Return the packages of an extra and of the extras that it includes."""
    packages = set()
    for line in _extras()[extra]:
        included = re.fullmatch(r"linkspot\[(.+)]", line)
        if included:
            packages |= {package for name in included[1].split(",") for package in _packages(name)}
        else:
            packages.add(re.match(r"[\w-]+", line)[0])
    return packages


@pytest.mark.parametrize("extra", Extra)
def test_pip_installs_every_module_that_an_extra_is_checked_for(extra: Extra) -> None:
    assert {PACKAGES.get(module, module) for module in MODULES[extra]} <= _packages(extra)


def test_all_has_every_extra_of_users() -> None:
    assert _packages("all") == {package for extra in Extra for package in _packages(extra)}
    assert _packages("all") <= _packages("dev")


def test_a_missing_extra_is_named_in_one_line_with_its_pip_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra) as raised:
        require(Extra.DATA, "linkspot index")
    assert str(raised.value) == "linkspot index needs pyarrow; run: pip install 'linkspot[data]'"
    monkeypatch.setitem(sys.modules, "duckdb", None)
    monkeypatch.setitem(sys.modules, "lxml", None)
    with pytest.raises(MissingExtra, match=r"^linkspot index needs duckdb, lxml and pyarrow; run: "):
        require(Extra.DATA, "linkspot index")


def test_a_purpose_can_do_without_modules_that_it_does_not_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    require_torch("running a model")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"^running a model needs torch; run: pip install 'linkspot\[train\]'$"):
        require_torch("running a model")


@pytest.mark.parametrize("extra", Extra)
def test_an_extra_that_is_installed_is_not_complained_about(extra: Extra) -> None:
    require(extra, "this test")
