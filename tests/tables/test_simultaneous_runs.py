"""Runs that start in one folder at the same moment, each in a process of its own."""

import json
import subprocess
import sys
import time
from pathlib import Path

from tests.cli.command import WIKI, words_of

ROUNDS, RUNS = 40, 3
PAUSE = 0.04  # seconds from one round to the next

# Every process waits for the same moment, tries to make the tables under its own plan, and says what came of it.
PROGRAM = """
import json, sys, time
from pathlib import Path
from linkspot.errors import UnusableInput
from linkspot.tables.folder import TableFolder
folder, number, rounds, pause = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
print("ready", flush=True)
start = float(input())
for one in range(rounds):
    while time.time() < start + one * pause:
        pass  # sleeping would not end at the same moment
    try:
        with TableFolder.making(folder / str(one), {"command": "index", "run": number}) as made:
            made.table("first").mkdir()
            time.sleep(0.01)
            made.table(f"of {number}").mkdir()
            made.record({"finished": True})
            outcome = "ran"
    except UnusableInput as error:
        outcome = str(error)
    print(outcome, flush=True)
"""


def test_of_runs_that_start_at_once_exactly_one_runs_under_its_own_plan(tmp_path: Path) -> None:
    pipe = subprocess.PIPE
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(tmp_path), str(number), str(ROUNDS), str(PAUSE)],
            stdin=pipe,
            stdout=pipe,
            text=True,
        )
        for number in range(RUNS)
    ]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    start = time.time() + 0.2
    for process in processes:
        process.stdin.write(f"{start}\n")
        process.stdin.flush()
    outcomes = [process.communicate(timeout=60)[0].splitlines() for process in processes]
    assert [process.returncode for process in processes] == [0] * RUNS
    for one in range(ROUNDS):
        said = [lines[one] for lines in outcomes]
        (winner,) = (number for number, line in enumerate(said) if line == "ran")
        assert all("another run" in line or "another way" in line for line in said if line != "ran")
        folder = tmp_path / str(one)
        assert json.loads((folder / "manifest.json").read_text())["plan"]["run"] == winner
        assert sorted(path.name for path in folder.iterdir()) == ["first", "manifest.json", f"of {winner}"]


def test_of_two_commands_that_start_at_once_the_tables_are_of_one(tmp_path: Path) -> None:
    (tmp_path / "wiki.xml").write_text(WIKI, encoding="utf-8")
    licences = ("CC0", "MIT")
    commands = [
        words_of("index", tmp_path / "wiki.xml", "--out", tmp_path / "out", "--jobs", "1", "--licence", licence)
        for licence in licences
    ]
    started = [subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for words in commands]
    said = [process.communicate(timeout=60)[1] for process in started]
    codes = [process.returncode for process in started]
    assert sorted(codes) == [0, 1], said
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["finished"]
    assert licences[codes.index(0)] in json.dumps(manifest["plan"])
    assert said[codes.index(1)].count("\n") == 1
