"""Every help page at 80 columns: it names what to write, in words that are not Python's."""

import re

import pytest
from typer.testing import CliRunner

from linkspot.cli.program import app

COMMANDS = [
    *(
        "suggest",
        "rankers",
        "demo",
        "serve",
        "decisions",
        "index",
        "insertions",
        "removals",
        "dataset",
        "stats",
        "fetch",
    ),
    *("model", "train", "adapt", "pretrained", "export", "evaluate", "compare", "experiment", "benchmark"),
]


def _help(*words: str) -> str:
    run = CliRunner(env={"COLUMNS": "80", "TERMINAL_WIDTH": "80", "NO_COLOR": "1"}).invoke(app, [*words, "--help"])
    assert run.exit_code == 0, run.output
    return run.output


def test_all_commands_are_listed() -> None:
    page = _help()
    listed = re.findall(r"^│ ([a-z]+)  ", page, flags=re.MULTILINE)
    assert sorted(listed) == sorted(COMMANDS)
    assert "bool" not in page


@pytest.mark.parametrize("command", COMMANDS)
def test_a_help_page_has_no_odd_words(command: str) -> None:
    page = _help(command).replace("{lang}/{slug}", "")  # which users write so
    assert f"Usage: linkspot {command}" in page or f"Usage: root {command}" in page
    assert not re.search(r"[<>{}]|list\[|…|\brange\b|\bbool\b|\bstr\b|\bint\b", page.replace("article > mine", ""))
    assert all(len(line) <= 80 for line in page.splitlines())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_with_a_value_says_what_to_write(command: str) -> None:
    flags = {"--afresh", "--anyway", "--diff", "--help", "--int8", "--keep-unknown", "--packed", "--resume", "--write"}
    for name, shown in re.findall(r"^│ [* ]*(--[a-z0-9-]+) +(\S*)", _help(command), flags=re.MULTILINE):
        is_metavar = bool(re.fullmatch(r"[A-Z/]+(=[A-Z]+)?|[a-z0-9]+(\|[a-z0-9]+)+", shown))
        assert is_metavar or name in flags, (name, shown)


def test_usage_names_the_arguments() -> None:
    assert "suggest [OPTIONS] PAGE\n" in re.sub(" +\n", "\n", _help("suggest"))
    assert "index [OPTIONS] CORPUS...\n" in re.sub(" +\n", "\n", _help("index"))
