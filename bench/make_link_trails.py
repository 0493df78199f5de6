"""Writes src/linkspot/parsing/wikitext/link_trails.json, which letters behind a link belong to it, from MediaWiki.

    python bench/make_link_trails.py /usr/share/mediawiki      # needs php

The table has one line for each language: the pattern of a trail, empty where a language has none. Languages that
follow MediaWiki's default, the letters a – z, are left out.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

TABLE = Path(__file__).parent.parent / "src" / "linkspot" / "parsing" / "wikitext" / "link_trails.json"
DEFAULT = "[a-z]+"

_PHP = r"""
$definitions = file_get_contents("$argv[1]/includes/Defines.php");
preg_match_all("/define\( '(NS_\w+)', (-?\d+) \)/", $definitions, $found, PREG_SET_ORDER);
foreach ($found as $constant) { define($constant[1], (int)$constant[2]); }
function facts($file) { include $file; return [$linkTrail ?? null, $fallback ?? null]; }
$facts = [];
foreach (glob("$argv[1]/languages/messages/Messages*.php") as $file) {
    $facts[strtolower(str_replace("_", "-", substr(basename($file, ".php"), 8)))] = facts($file);
}
echo json_encode($facts, JSON_UNESCAPED_UNICODE);
"""
_TRAIL = re.compile(r"/\^\((?P<letters>.*)\)\(\.\*\)\$/[sDu]+", re.DOTALL)
_CODE_POINT = re.compile(r"\\x\{([0-9A-Fa-f]+)\}")


def own_trails(mediawiki: str) -> dict[str, tuple[str | None, str | None]]:
    """Return each language's own trail and the languages that it falls back to, as MediaWiki's files have them."""
    output = subprocess.run(["php", "-r", _PHP, mediawiki], check=True, capture_output=True).stdout
    return {code: (trail, fallback) for code, (trail, fallback) in json.loads(output).items()}


def trail_of(code: str, own: dict[str, tuple[str | None, str | None]]) -> str:
    """Return the trail of a language: its own, or that of the first language it falls back to that has one."""
    trail, fallback = own.get(code, (None, None))
    if trail is not None:
        return python_pattern(trail)
    others = [name.strip() for name in (fallback or "en").split(",")]
    return next((trail_of(name, own) for name in others if name in own and own[name][0] is not None), DEFAULT)


def python_pattern(trail: str) -> str:
    """Return the part of MediaWiki's pattern that matches a trail, as Python writes it."""
    match = _TRAIL.fullmatch(trail)
    if match is None:
        raise ValueError(f"{trail!r} is not of the form /^(letters)(.*)$/sDu; look at what MediaWiki does there")
    pattern = _CODE_POINT.sub(lambda point: chr(int(point[1], 16)), match["letters"])
    re.compile(pattern)
    return pattern


def main() -> None:
    """Write the table, with one line for each language."""
    own = own_trails(sys.argv[1])
    trails = {code: trail_of(code, own) for code in sorted(own)}
    lines = [
        f"{json.dumps(code)}:{json.dumps(trail, ensure_ascii=False)}"
        for code, trail in trails.items()
        if trail != DEFAULT
    ]
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(trails)} languages, {len(lines)} with a trail of their own, {TABLE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
