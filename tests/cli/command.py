"""Running linkspot as people do: in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

WIKI = """<mediawiki xml:lang="en">
<page><title>Signal</title><ns>0</ns><id>1</id>
<revision><id>1</id><timestamp>2010-01-01T00:00:00Z</timestamp>
<text>A signal keeps trains apart. It shines.</text></revision>
<revision><id>2</id><timestamp>2012-01-01T00:00:00Z</timestamp>
<text>A signal keeps [[train]]s apart. It shines.</text></revision>
</page>
<page><title>Train</title><ns>0</ns><id>2</id>
<revision><id>3</id><timestamp>2009-01-01T00:00:00Z</timestamp><text>A train runs on rails.</text></revision></page>
</mediawiki>"""


def words_of(*arguments: str | Path) -> list[str]:
    """Return the words of a command."""
    return [sys.executable, "-m", "linkspot.cli", *map(str, arguments)]


def run(*arguments: str | Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, with further variables in its environment."""
    done = subprocess.run(words_of(*arguments), capture_output=True, check=False, env={**os.environ, **(env or {})})
    text = (stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(done.args, done.returncode, *text)


def refusal(*arguments: str | Path) -> str:
    """Return the one line on standard error of a command that must end with 1 and print nothing else."""
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert done.stderr.startswith("linkspot: "), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr
