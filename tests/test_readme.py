import contextlib
import io
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import linkspot

PROJECT = Path(__file__).parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")
RESULTS = (PROJECT / "bench" / "RESULTS.md").read_text(encoding="utf-8")
SHIPPED = "the model that comes with linkspot"


def test_the_code_of_the_readme_prints_what_it_says() -> None:
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    output = re.search(r"```text\n(.*?)```", README, re.DOTALL)
    assert code
    assert output
    assert len([line for line in code[1].splitlines() if line.strip()]) <= 8
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code[1], {})
    assert printed.getvalue() == output[1]


def test_the_commands_of_the_readme_answer_as_they_stand(tmp_path: Path) -> None:
    pages = {
        "dog.html": "<html lang=en><h1>Dog</h1><p>The dog descends from the wolf. It guards sheep. It barks.</p>",
        "wolf.html": "<html lang=en><h1>Wolf</h1><p>The wolf is a wild animal that hunts in packs.</p>",
        "Mbwa.wiki": "Mbwa ni mnyama wa kufugwa. Mbwa mwitu ni ndugu yake. Hulinda nyumba.",
        "guide.md": "# Guide\n\nThe server keeps a cache of pages. It answers fast. Restart it after an update.",
    }
    for name, text in pages.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    commands = re.findall(
        r"^linkspot suggest .+", README.partition("## On your own pages")[2].partition("```\n\n")[0], re.M
    )
    assert len(commands) >= 5
    for command in commands:
        words = shlex.split(command.partition("|")[0].partition(">")[0], comments=True)
        arguments = [*words[1:], "--ranker", "bm25"]  # the commands are tested here, not the model
        done = subprocess.run(
            [sys.executable, "-m", "linkspot.cli", *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), command
        assert "link" in done.stdout


def speeds_at_100_sentences(table: str) -> dict[str, str]:
    """Return a table's figures for a page of 100 sentences, by the methods' names."""
    rows = (line.strip("| ").split("|") for line in table.splitlines() if "×" in line)
    return {row[0].strip(): row[2].strip(" ×") for row in rows if len(row) > 2}


def test_the_documents_give_the_speeds_that_the_results_have() -> None:
    measured = RESULTS.partition("\n## page_speed\n")[2].partition("\n## ")[0]
    table, _, dynamic = measured.partition("| against the same recipe with dynamic padding")
    speeds, is_old = speeds_at_100_sentences(table), not dynamic
    if is_old:  # measured before the recipe was also tried with dynamic padding
        gain = float(speeds["`window`, torch fp32, padded to the longest of a batch"])
        left = f"{float(speeds[SHIPPED]) / gain:.0f}"
    else:
        left = speeds_at_100_sentences(dynamic)[SHIPPED]
    [speed] = re.findall(r"^- \*\*Speed\*\*.*?(?=\n\n|\n- )", README, re.DOTALL | re.MULTILINE)
    said = re.findall(r"([\d,]+)\s+times", speed)
    assert said == [speeds[SHIPPED], speeds[f"{SHIPPED}, the page's vectors kept"], left]
    assert ("reckoned" in speed) == is_old
    model = " ".join((PROJECT / "docs" / "default-model.md").read_text(encoding="utf-8").split())
    two_layers = speeds["`dual`, ONNX int8, two layers"]
    assert f"ranked {two_layers} times as fast" in model
    assert f"instead of {speeds[SHIPPED]} times ([`python -m bench page_speed`]" in model


def test_every_file_that_the_documents_link_to_exists() -> None:
    documents = [*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")]
    for document in documents:
        prose = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for target in re.findall(r"\]\(([^)#]+)", prose):
            assert target.startswith("http") or (document.parent / target).exists(), (document.name, target)


def test_every_option_is_in_the_manual() -> None:
    from typer.main import get_command

    from linkspot.cli.program import app

    manual = (PROJECT / "docs" / "command-line.md").read_text(encoding="utf-8")
    commands = get_command(app).commands
    for name in commands:
        assert f"linkspot {name}" in manual
    options = {
        option
        for command in commands.values()
        for parameter in command.params
        for option in parameter.opts
        if option.startswith("--")
    }
    assert not [option for option in options - {"--help"} if f"`{option}" not in manual]


def test_the_version_is_a_version_and_the_changelog_begins_with_what_is_new() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", linkspot.__version__)
    assert "## [Unreleased]" in (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["project"]["requires-python"] == ">=3.11"
