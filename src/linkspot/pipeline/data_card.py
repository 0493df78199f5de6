"""The data card: what a dataset holds, where it comes from and what was left out; `load_dataset` reads its header."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import yaml
from ibis import _

from linkspot.engines.engine import Engine
from linkspot.insertions.rules import Rule
from linkspot.pipeline.lifted_rules import counts_by_rule
from linkspot.pipeline.table_run import Summary
from linkspot.records import Scenario
from linkspot.reporting.markdown import markdown_row
from linkspot.tables.folder import TableFolder

_CONFIG_TEXT = {
    "insertions": "links that editors added, each with the page just before (stage 2, validation and test)",
    "existing_links": "links that stand in pages, each with its context (stage 1)",
    "articles": "the whole pages that the existing links stand in",
}
_UNKNOWN_LICENCE = "not given"


def sources_of(folders: Sequence[TableFolder]) -> list[dict[str, str]]:
    """Return where the tables of folders come from, and their licences."""
    plans = {folder.path.name: folder.manifest()["plan"] for folder in folders}
    return [
        {
            "corpus": name,
            "made by": f"linkspot {plan['command']}",
            "source": ", ".join(Path(source["path"]).name for source in plan["sources"]),
            "licence": plan.get("licence") or _UNKNOWN_LICENCE,
        }
        for name, plan in plans.items()
    ]


def card(engine: Engine, folders: Sequence[TableFolder], summary: Summary) -> str:
    """Return the card in Markdown, with the header that Hugging Face's tools read."""
    parts = [
        _header(summary),
        "# Entity insertion dataset",
        "Where in a page does a link to an entity belong? Each row is a page, a target and the right places, made by "
        "linkspot from the pages and edits of the corpora below.",
        "## Files",
        _table(("config", "split", "rows", "what"), _files(summary)),
        "## Insertions by language and scenario",
        _insertions(engine, summary),
        "## Existing links by language",
        _existing_links(engine, summary),
        "## Sources and licences",
        _table(("corpus", "made by", "source", "licence"), [list(source.values()) for source in sources_of(folders)]),
        "The text of each page keeps the licence of its corpus; if you use rows of this dataset, name that licence.",
        *_rules(folders),
        *_languages(folders),
        "## Left out",
        _table(("where", "reason", "count"), _rejects(folders, summary)),
        "## Columns",
        _COLUMNS,
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _languages(folders: Sequence[TableFolder]) -> list[str]:
    """Return what the runs that made the folders noted of languages that are not joined."""
    notes = [f"- {folder.path.name}: {note}." for folder in folders for note in folder.manifest().get("notes", ())]
    return ["## Languages", "\n".join(notes)] if notes else []


def _header(summary: Summary) -> str:
    files = defaultdict(list)
    for name, rows in summary.rows.items():
        config, split = name.split("/")
        if rows:
            files[config].append({"split": split, "path": f"{name}/*.parquet"})
    configs = [{"config_name": config, "data_files": paths} for config, paths in files.items()]
    return f"---\n{yaml.safe_dump({'configs': configs}, sort_keys=False)}---"


def _files(summary: Summary) -> Iterable[tuple[Any, ...]]:
    for name, rows in summary.rows.items():
        config, split = name.split("/")
        yield config, split, f"{rows:,}", _CONFIG_TEXT[config]


def _insertions(engine: Engine, summary: Summary) -> str:
    parts = []
    for name, total in summary.rows.items():
        config, split = name.split("/")
        if config != "insertions" or not total:
            continue
        table = engine.read(summary.folder / name)
        counts: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
        for row in table.group_by("corpus", "language", "scenario").agg(n=_.count()).to_pyarrow().to_pylist():
            counts[row["corpus"], row["language"]][row["scenario"]] = row["n"]
        rows = [
            (*wiki, *(f"{scenarios.get(scenario, 0):,}" for scenario in Scenario), f"{sum(scenarios.values()):,}")
            for wiki, scenarios in sorted(counts.items())
        ]
        sums = [f"{sum(scenarios.get(scenario, 0) for scenarios in counts.values()):,}" for scenario in Scenario]
        parts += [
            f"### {split}",
            _table(("corpus", "language", *Scenario, "all"), [*rows, ("all", "", *sums, f"{total:,}")]),
        ]
    return "\n\n".join(parts)


def _existing_links(engine: Engine, summary: Summary) -> str:
    name = "existing_links/train"
    if not summary.rows.get(name):
        return "None."
    table = engine.read(summary.folder / name)
    rows = table.group_by("corpus", "language").agg(n=_.count()).order_by("corpus", "language").to_pyarrow().to_pylist()
    return _table(("corpus", "language", "links"), [(row["corpus"], row["language"], f"{row['n']:,}") for row in rows])


def _rules(folders: Sequence[TableFolder]) -> list[str]:
    """Return the rules by which links were left out: for each folder of insertions, which applied and what fell."""
    rows = []
    for folder in folders:
        plan = folder.manifest()["plan"]
        rules = plan.get("rules")
        if not isinstance(rules, dict):  # an index, or a folder that an earlier version made
            continue
        fallen = counts_by_rule(folder.manifest()["rejects"])
        numbers = {Rule.SURVIVAL: "survive", Rule.MAX_LINKS: "max_links", Rule.MAX_PAGES: "max_pages"}
        for rule in Rule:
            number = f" ({rules[numbers[rule]]})" if rule in numbers else ""
            state = f"applied{number}" if rule in rules["applied"] else "lifted"
            rows.append((folder.path.name, rules["protocol"], rule.value, state, f"{fallen[rule]:,}"))
    return ["## Rules", _table(("where", "protocol", "rule", "state", "links left out"), rows)] if rows else []


def _rejects(folders: Sequence[TableFolder], summary: Summary) -> Iterable[tuple[str, ...]]:
    for folder in folders:
        for reason, count in folder.manifest()["rejects"].items():
            yield f"{folder.path.name} ({folder.manifest()['plan']['command']})", reason, f"{count:,}"
    for reason, count in summary.rejects.items():
        yield "this dataset", reason, f"{count:,}"


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    return "\n".join(map(markdown_row, [head, ["---"] * len(head), *rows]))


_COLUMNS = """\
Every row has `corpus`, `language`, the source page (`source_key`, `source_title`, `source_id`, `source_entity`) and the
target (`target_key`, `target_title`, `target_id`, `target_entity`, `target_lead`, `mentions`: up to ten, the most used
first).

- `insertions`: `sections` is the page before the edit, each section with `title`, `level`, `text`, `sentences` (ranges
  of the text) and `links` (`target` key and range). The page's sentences in reading order are the candidates, numbered
  from 0; `gold` lists the right ones (none for `missing_section`: nowhere). Each row also has `scenario`, `section`,
  `mention`, `before_revision`, `before_time`, `after_revision`, `after_time`; `context` with
  `mention_start:mention_end` shows the link in the page after the edit. The lead and the mentions are as they stood
  when the link was added. `precedents` say where versions of the page in other languages linked the target by then:
  `language`, the title of the `section`, the sentences of the `passage`, and `linked`, the number of the sentence with
  the link. Three numbers from 0 to 1 say how far down the link is in the page (`place`), in the list of sections
  (`section_place`) and in its section (`place_in_section`). `size` is the page's number of sentences.
- `existing_links`: `context` is the sentence with up to five sentences on each side within `section`; the offsets
  `mention_start:mention_end` and `sentence_start:sentence_end` and the ranges of `context_links` are characters of it;
  `sentence` is its number in the page, which is the row of `articles` with the same `corpus`, `language` and `key`.
"""
