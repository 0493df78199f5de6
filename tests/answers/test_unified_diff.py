"""A diff of one edit: git and patch, the real ones, make the same file of it as linkspot does."""

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.answers.unified_diff import unified_diff

PAGES = {
    "plain": ("one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n", "one\ntwo\nthree\nfour\nV\nsix\nseven\neight\n"),
    "no final newline": ("one\ntwo", "one\n[[two]]"),
    "one line without an end": ("one", "[[one]]"),
    "windows": ("one\r\ntwo\r\nthree\r\n", "one\r\n[[two]]\r\nthree\r\n"),
    "more lines": ("one\ntwo\n", "one\nand\na half\ntwo\n"),
    "signs that other programs take for line ends": ("a\x0bb\x85c\u2028d\ne\n", "a\x0bb\x85[[c]]\u2028d\ne\n"),
    "a byte order mark": ("\ufeffone\ntwo\n", "\ufeff[[one]]\ntwo\n"),
}
NAMES = ["dog.wiki", "docs/a b.md", "Mji_Mkongwe – 緑茶.wiki", 'quo"te.md', "back\\slash.md", "tab\tstop.md"]


def _applied(folder: Path, name: str, page: str, diff: str, command: list[str]) -> bytes:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(page.encode())
    done = subprocess.run(command, cwd=folder, input=diff.encode(), capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout, done.stderr)
    return file.read_bytes()


@pytest.mark.parametrize("command", [["git", "apply"], ["patch", "-p1"]], ids=" ".join)
def test_git_and_patch_make_the_edit(command: list[str], tmp_path: Path) -> None:
    for number, (before, after) in enumerate(PAGES.values()):
        diff = unified_diff(before, after, "dog.wiki")
        assert _applied(tmp_path / str(number), "dog.wiki", before, diff, command) == after.encode()


@pytest.mark.parametrize("command", [["git", "apply"], ["patch", "-p1"]], ids=" ".join)
def test_git_and_patch_find_every_file(command: list[str], tmp_path: Path) -> None:
    before, after = PAGES["plain"]
    for name in NAMES:
        assert _applied(tmp_path, name, before, unified_diff(before, after, name), command) == after.encode()


def test_git_applies_a_diff_in_a_folder_of_a_repository(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    before, after = PAGES["plain"]
    diff = unified_diff(before, after, "dog.wiki")
    assert _applied(tmp_path / "docs", "dog.wiki", before, diff, ["git", "apply"]) == after.encode()


def test_three_lines_stand_around_the_change() -> None:
    assert unified_diff(*PAGES["plain"], "a.md") == (
        "--- a/a.md\n+++ b/a.md\n@@ -2,7 +2,7 @@\n two\n three\n four\n-five\n+V\n six\n seven\n eight\n"
    )


def test_without_a_change_there_is_no_diff() -> None:
    assert unified_diff("a", "a", "a.md") == ""


def _patched(before: str, diff: str) -> str:
    """Apply a diff of one hunk, and check that it fits."""
    _, _, header, *body = re.sub(r"\n\\ No newline at end of file\n", "\0", diff).split("\n")
    start, count, _, new_count = map(int, re.findall(r"\d+", header))
    lines = "\n".join(body).replace("\0", "\1\n").split("\n")[:-1]
    old = [line[1:] for line in lines if line[0] in " -"]
    new = [line[1:] for line in lines if line[0] in " +"]
    assert (len(old), len(new)) == (count, new_count)
    page = [f"{line}\n" for line in before.split("\n")]
    page[-1] = page[-1][:-1]
    expected = "".join(page[start - 1 : start - 1 + count])
    assert "".join(f"{line}\n" for line in old).replace("\1\n", "") == expected
    return "".join([*page[: start - 1], *(f"{line}\n".replace("\1\n", "") for line in new), *page[start - 1 + count :]])


@given(st.text("ab\r\n", min_size=1, max_size=40), st.data())
def test_a_diff_turns_the_page_into_the_edited_page(before: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(before)))
    after = before[:at] + data.draw(st.text("xy\n", min_size=1, max_size=5)) + before[at:]
    assert _patched(before, unified_diff(before, after, "a.md")) == after
