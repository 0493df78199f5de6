"""Runs the measurements and keeps their tables in bench/RESULTS.md: python -m bench [NAME …] [OPTION …].

Options go to a measurement that takes them; name only that one then.
"""

import re
import sys
from importlib import import_module
from inspect import signature
from pathlib import Path

NAMES = (
    "html_speed",
    "wikitext_speed",
    "start_up",
    "installed_size",
    "sentences",
    "lexical",
    "near_forms",
    "insertions",
    "labels",
    "protocols",
    "protocol_heads",
    "link_addresses",
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
    "foreign_leads",
    "llm_pairwise",
    "judged",
    "reliability",
    "fuzz_pages",
    "slow_inputs",
    "long_lived",
    "serve_load",
)
# What options that choose another set of pairs give; only these options measure them.
_SETS = {"--kept": "judged_kept", "--fresh": "judged_fresh"}
RESULTS = Path(__file__).parent / "RESULTS.md"
_HEAD = """# What was measured

Each part is written by the command above its table. Speeds are ratios to a named rival in the same run on the same
machine; absolute times differ from machine to machine and prove nothing.
"""


def main(arguments: list[str]) -> None:
    """Measure what is named, or everything, and replace those parts of the results."""
    first = next((place for place, argument in enumerate(arguments) if argument.startswith("-")), len(arguments))
    names, options = arguments[:first], arguments[first:]
    if options and len(names) != 1:
        sys.exit(f"bench: {' '.join(options)} is for one measurement; name it before its options")
    unknown = sorted(set(names) - set(NAMES))
    if unknown:
        sys.exit(f"bench: there is no measurement {', '.join(unknown)}; there are: {', '.join(NAMES)}")
    for name in names or NAMES:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        run = import_module(f"bench.{name}").measure
        if options and not signature(run).parameters:
            sys.exit(f"bench: {name} takes no options; leave out {' '.join(options)}")
        text = (run(options) if options else run()).strip()
        parts = _parts(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}  # another run may have written
        part = next((own for option, own in _SETS.items() if option in options), name)
        parts[part] = f"`{' '.join(['python -m bench', name, *options])}`\n\n{text}\n"
        body = "".join(f"\n## {part}\n\n{parts[part]}" for part in (*NAMES, *_SETS.values()) if part in parts)
        RESULTS.write_text(_HEAD + body, encoding="utf-8")
        print(parts[part])


def _parts(text: str) -> dict[str, str]:
    pieces = re.split(r"^## (\w+)\n\n", text, flags=re.MULTILINE)
    return {name: body.strip() + "\n" for name, body in zip(pieces[1::2], pieces[2::2], strict=True)}


if __name__ == "__main__":
    main(sys.argv[1:])
