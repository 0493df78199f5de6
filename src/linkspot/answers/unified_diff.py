"""A unified diff of one edit, as `git apply` and `patch -p1` take it."""

import re

_CONTEXT = 3  # lines around the change
_NO_NEWLINE = "\n\\ No newline at end of file\n"
_QUOTED = re.compile(r'[\x00-\x1f\x7f"\\]')  # signs for which git and patch want a name in quotation marks


def unified_diff(before: str, after: str, path: str) -> str:
    """Return the change of a file as one hunk; nothing if there is no change.

    Lines end at line feeds alone. There is no line `diff --git`, so that git takes the path from the folder it is in.
    """
    if before == after:
        return ""
    old, new = _lines(before), _lines(after)
    shortest = min(len(old), len(new))
    first = next((number for number in range(shortest) if old[number] != new[number]), shortest)
    room = shortest - first
    last = next((number for number in range(room) if old[-1 - number] != new[-1 - number]), room)
    old_end, new_end = len(old) - last, len(new) - last
    start, more = max(0, first - _CONTEXT), min(last, _CONTEXT)
    hunk = [
        *(f" {line}" for line in old[start:first]),
        *(f"-{line}" for line in old[first:old_end]),
        *(f"+{line}" for line in new[first:new_end]),
        *(f" {line}" for line in old[old_end : old_end + more]),
    ]
    ranges = f"-{start + 1},{old_end + more - start} +{start + 1},{new_end + more - start}"
    return f"--- {_name('a', path)}\n+++ {_name('b', path)}\n@@ {ranges} @@\n" + "".join(map(_ended, hunk))


def _lines(text: str) -> list[str]:
    *lines, rest = text.split("\n")
    return [f"{line}\n" for line in lines] + [rest] * bool(rest)


def _ended(line: str) -> str:
    return line if line.endswith("\n") else line + _NO_NEWLINE


def _name(side: str, path: str) -> str:
    name = f"{side}/{path}"
    if _QUOTED.search(name):
        return f'"{_QUOTED.sub(_escape, name)}"'
    return f"{name}\t" if " " in name else name  # after a tab a date would follow; a space alone does not end a name


def _escape(sign: re.Match[str]) -> str:
    return f"\\{sign[0]}" if sign[0] in '"\\' else f"\\{ord(sign[0]):03o}"
