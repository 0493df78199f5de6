"""Runs the measurements and keeps their tables in bench/RESULTS.md: python -m bench [NAME …]."""

import re
import sys
from importlib import import_module
from pathlib import Path

NAMES = (
    "html_speed",
    "wikitext_speed",
    "start_up",
    "installed_size",
    "sentences",
    "lexical",
    "insertions",
    "labels",
    "encoder_speed",
    "page_speed",
    "training_speed",
    "dual_head",
    "metrics_speed",
    "evaluation_cost",
    "tuned_encoder",
    "default_head",
    "smaller_encoder",
    "same_budget",
    "benchmark",
    "llm_pairwise",
)
RESULTS = Path(__file__).parent / "RESULTS.md"
_HEAD = """# What was measured

Each part is written by the command above its table. Speeds are ratios to a named rival in the same run on the same
machine; absolute times differ from machine to machine and prove nothing.
"""


def main(names: list[str]) -> None:
    """Measure what is named, or everything, and replace those parts of the results."""
    unknown = sorted(set(names) - set(NAMES))
    if unknown:
        sys.exit(f"bench: there is no measurement {', '.join(unknown)}; there are: {', '.join(NAMES)}")
    for name in names or NAMES:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        text = import_module(f"bench.{name}").measure().strip()
        parts = _parts(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}  # another run may have written
        parts[name] = f"`python -m bench {name}`\n\n{text}\n"
        body = "".join(f"\n## {name}\n\n{parts[name]}" for name in NAMES if name in parts)
        RESULTS.write_text(_HEAD + body, encoding="utf-8")
        print(parts[name])


def _parts(text: str) -> dict[str, str]:
    pieces = re.split(r"^## (\w+)\n\n", text, flags=re.MULTILINE)
    return {name: body.strip() + "\n" for name, body in zip(pieces[1::2], pieces[2::2], strict=True)}


if __name__ == "__main__":
    main(sys.argv[1:])
