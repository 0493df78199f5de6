"""The project's files agree with each other: locked versions, citation, version."""

import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.conftest import PROJECT

import linkspot


def _requirements() -> list[Requirement]:
    """Return what pyproject.toml asks for, in the core and in all extras."""
    with (PROJECT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    lines = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    return [requirement for requirement in map(Requirement, lines) if requirement.name != "linkspot"]


def _locked() -> dict[str, str]:
    """Return the locked version of each package."""
    lines = (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pairs}


@pytest.mark.parametrize("requirement", _requirements(), ids=str)
def test_every_package_that_is_asked_for_is_locked_to_a_version_that_will_do(requirement: Requirement) -> None:
    assert _locked()[canonicalize_name(requirement.name)] in requirement.specifier


def test_the_lock_names_versions_and_nothing_of_the_machine_that_it_was_made_on() -> None:
    lines = (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines if not line.startswith("#"))


def test_torch_is_installed_in_the_version_that_is_locked() -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    assert f"TORCH := torch=={_locked()['torch']}\n" in makefile


def test_the_citation_has_the_version_of_the_package_and_the_paper() -> None:
    citation = yaml.safe_load((PROJECT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == linkspot.__version__
    (paper,) = citation["references"]
    assert paper["title"] == "Entity Insertion in Multilingual Linked Corpora: The Case of Wikipedia"
    assert [author["family-names"] for author in paper["authors"]] == ["Feith", "Arora", "Gerlach", "Paul", "West"]
