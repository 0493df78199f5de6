"""The code in the documents: find it, run it, and compare what it prints with what the document shows.

`python -m docs.code_blocks docs/tutorials/editor.md` runs a document and writes what was really printed into it.
A block that cannot run says why in a comment on the line before it: <!-- not run: it needs a dump of 20 GB -->
"""

import ast
import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parent.parent
SHELL, PYTHON, OUTPUT = "sh", "python", "text"

_FENCE = re.compile(
    r"(?:^<!-- not run: (?P<why>[^\n]*?) -->\n+)?^```(?P<language>\w*)[^\n]*\n(?P<code>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
# Processors round the model's 8-bit numbers in different ways, so that its probabilities and figures differ a little.
_PERCENT = re.compile(r"\d+(?= ?%)")
_POINTS = 3
_FIGURE = re.compile(r"(?<![\w.±])[01]?\.\d{3}(?!\d)")
_MARGIN = re.compile(r"±[01]?\.\d{3}(?!\d)")  # of a row of the model; one query of ten changes it more than the figure
_MODEL_ROW = re.compile(r"linkspot\b(?= .*\.\d{3})")  # a row of a table of figures, for the model
_FIGURE_DIFFERENCE = 0.1  # where a table has some ten queries, one of them may turn out differently


class WrongDocument(AssertionError):
    """A document whose code fails or prints something else than the document shows."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code in a document, and the output that the document shows right after it, if it shows one."""

    language: str
    code: str
    line: int
    why_not_run: str = ""
    output: str | None = None
    output_span: tuple[int, int] = (0, 0)


def blocks(document: str) -> list[Block]:
    """Return the document's blocks of shell commands and Python, in their order."""
    fences = list(_FENCE.finditer(document))
    code_blocks = []
    for fence, following in zip_longest(fences, fences[1:]):
        if fence["language"] not in {SHELL, PYTHON}:
            continue
        line = document.count("\n", 0, fence.start("code"))
        is_output = (
            following and following["language"] == OUTPUT and not document[fence.end() : following.start()].strip()
        )
        output, span = (following["code"], following.span("code")) if following and is_output else (None, (0, 0))
        code_blocks.append(Block(fence["language"], fence["code"], line, fence["why"] or "", output, span))
    return code_blocks


def commands(code: str) -> Iterator[list[str]]:
    """Yield the arguments of every call of linkspot in shell code."""
    for line in code.replace("\\\n", " ").splitlines():
        arguments: list[str] | None = None
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>()")
        lexer.whitespace_split = True
        try:
            words = [*lexer, ";"]
        except ValueError:  # a line of a text that is not a command
            continue
        for before, word in zip([";", *words], words, strict=False):
            if arguments is not None and word[0] in "|&;<>()":
                yield arguments
                arguments = None
            elif arguments is not None:
                arguments.append(word)
            elif word == "linkspot" and before[0] in "|&;(":
                arguments = []


def check_command(arguments: list[str]) -> None:
    """Raise an error unless linkspot has this command and every option that it is given."""
    from typer.main import get_command

    from linkspot.cli.program import app

    group = get_command(app)
    if arguments[:1] and arguments[0].startswith("--"):
        names = {option for parameter in group.params for option in parameter.opts} | {"--help"}
        if arguments[0] not in names:
            raise WrongDocument(f"linkspot has no option {arguments[0]}")
        return
    known = group.commands  # type: ignore[attr-defined]
    if not arguments or arguments[0] not in known:
        raise WrongDocument(f"linkspot has no command {' '.join(arguments[:1])!r}; there are: {', '.join(known)}")
    command = known[arguments[0]]
    with command.context_class(command, info_name=arguments[0]) as context:
        command.make_parser(context).parse_args(list(arguments[1:]))


def check_imports(code: str) -> None:
    """Raise an error unless Python code compiles and everything that it imports is there."""
    tree = ast.parse(code)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    exec(compile(ast.Module(list(imports), []), "<imports of a document>", "exec"), {})  # noqa: S102


def run(block: Block, folder: Path, names: dict[str, Any]) -> str:
    """Run a block in a folder and return what it prints; Python blocks of one document share their names."""
    return run_shell(block.code, folder) if block.language == SHELL else _run_python(block.code, folder, names)


def run_shell(code: str, folder: Path) -> str:
    """Run shell code in a folder, as a reader who pastes it would, and return what it prints."""
    # The same person at the same time makes the same commits.
    author = {"NAME": "A Reader", "EMAIL": "reader@example.org", "DATE": "2024-03-10T12:00:00Z"}
    environment = os.environ | {
        "COLUMNS": "88",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONIOENCODING": "utf-8",
        **{f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in author.items()},
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code], cwd=folder, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise WrongDocument(f"exit code {done.returncode} of:\n{code}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def _run_python(code: str, folder: Path, names: dict[str, Any]) -> str:
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, "<a document>", "exec"), names)  # noqa: S102
    return printed.getvalue()


def agree(shown: str, printed: str) -> bool:
    """Return whether an output is the one that is shown; what the model computes may differ a little."""
    pairs = zip_longest(_tidy(shown).splitlines(), _tidy(printed).splitlines(), fillvalue="")
    return all(_lines_agree(one, other) for one, other in pairs)


def _lines_agree(shown: str, printed: str) -> bool:
    if not _are_close(_PERCENT, _POINTS, shown, printed):
        return False
    shown, printed = _PERCENT.sub("", shown), _PERCENT.sub("", printed)
    if not _MODEL_ROW.match(shown):
        return shown == printed
    shown, printed = _MARGIN.sub("±", shown), _MARGIN.sub("±", printed)
    is_same_text = _FIGURE.sub("", shown).split() == _FIGURE.sub("", printed).split()
    return is_same_text and _are_close(_FIGURE, _FIGURE_DIFFERENCE, shown, printed)


def _are_close(number: re.Pattern[str], most: float, shown: str, printed: str) -> bool:
    """Return whether two lines have as many such numbers, and no two of them differ by more than `most`."""
    one, other = number.findall(shown), number.findall(printed)
    return len(one) == len(other) and all(abs(float(a) - float(b)) <= most for a, b in zip(one, other, strict=True))


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def check(path: Path, folder: Path, *, runs_shell: bool) -> None:
    """Run a document's code in a folder and compare; where shell code is not run, its commands are checked."""
    names: dict[str, Any] = {}
    for block in blocks(path.read_text(encoding="utf-8")):
        place = f"{path.name}, line {block.line}"
        for arguments in commands(block.code) if block.language == SHELL else ():
            check_command(arguments)
        if block.language == PYTHON and block.why_not_run:
            check_imports(block.code)
        if block.why_not_run or (block.language == SHELL and not runs_shell):
            continue
        printed = run(block, folder, names)
        if block.output is not None and not agree(block.output, printed):
            raise WrongDocument(
                f"{place}: the document shows\n{block.output}\nbut its code prints\n{printed}\n"
                f"If that is right, write it into the document with: python -m docs.code_blocks {path.name}"
            )


def rewrite(path: Path) -> None:
    """Run a document's code and write into it what was printed, where that is not what it shows."""
    document = path.read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    changes = []
    with tempfile.TemporaryDirectory() as folder:
        for block in blocks(document):
            printed = "" if block.why_not_run else run(block, Path(folder), names)
            if block.output is not None and not block.why_not_run and not agree(block.output, printed):
                changes.append((block.output_span, _tidy(printed) + "\n"))
    for (start, end), printed in reversed(changes):
        document = document[:start] + printed + document[end:]
    path.write_text(document, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(Path(name))
