"""The files that put the service onto a machine: what they start, and with which settings, exists."""

import json
import re

import pytest
from tests.conftest import PROJECT
from typer.testing import CliRunner

from linkspot.cli.program import app
from linkspot.cli.serve import read_settings
from linkspot.service.settings import ServiceSettings

TOOL = PROJECT / "deploy" / "toolforge"
FILES = {
    "Procfile": TOOL / "Procfile",
    "unit": PROJECT / "deploy" / "linkspot.service",
    "Dockerfile": PROJECT / "Dockerfile",
    "docs": PROJECT / "docs" / "service.md",
}


@pytest.mark.parametrize("name", FILES)
def test_every_option_and_variable_that_a_file_names_exists(name: str) -> None:
    text = FILES[name].read_text(encoding="utf-8")
    shown = CliRunner(env={"COLUMNS": "200", "NO_COLOR": "1"}).invoke(app, ["serve", "--help"]).output
    for command in re.findall(r"linkspot serve (.*)", text):
        assert set(re.findall(r"--[a-z-]+", command)) <= set(re.findall(r"--[a-z-]+", shown))
    settings = {f"LINKSPOT_{field.upper()}" for field in ServiceSettings.__dataclass_fields__}
    assert set(re.findall(r"LINKSPOT_[A-Z]+(?:_[A-Z]+)*", text)) <= settings


def test_the_settings_of_the_tool_and_of_the_docs_are_valid() -> None:
    settings = read_settings(TOOL / "service.toml", {"PORT": "8000"}, {}, [], [])
    assert (settings.port, settings.wikis[0].name) == (8000, "sw.wikipedia.org")


def test_the_docs_name_every_limit_with_its_default(tmp_path_factory: pytest.TempPathFactory) -> None:
    text = FILES["docs"].read_text(encoding="utf-8")
    limits = ServiceSettings().limits
    for name in limits.__dataclass_fields__:
        value = getattr(limits, name)
        assert f"`{name}`" in text
        assert f"{value:,g}" in text or f"{value:,}" in text, name
    toml = re.search(r"```toml\n(.*?)```", text, re.DOTALL)
    assert toml is not None
    path = tmp_path_factory.mktemp("docs") / "service.toml"
    path.write_text(toml[1], encoding="utf-8")
    assert len(read_settings(path, {}, {}, [], []).wikis) == 2


def test_the_tool_describes_itself_as_toolhub_wants_it() -> None:
    tool = json.loads((TOOL / "toolinfo.json").read_text(encoding="utf-8"))
    assert {"name", "title", "description", "url"} <= set(tool)


def test_the_container_runs_as_a_user_of_its_own() -> None:
    assert re.search(r"^USER (?!root)\w+$", FILES["Dockerfile"].read_text(encoding="utf-8"), re.MULTILINE)
