"""Mutated pages in three markups: parse, compare offsets, suggest, make the edit, parse again.

python -m bench fuzz_pages --pages 1000000 --jobs 2 --seed 1 --failures FOLDER
python -m bench fuzz_pages --seed 1 --only 4711      # the same page again, with the law that it breaks
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from bench.fuzz_laws import FuzzCase, drawn_case, error_name, fault_of
from bench.fuzz_material import Material, read_material
from bench.fuzz_mutations import MutatedPages
from bench.fuzz_shrinking import shrunk
from linkspot.records import Markup, Page

_SHARD = 2_000  # pages
_MOST_KEPT = 3  # failures of one kind that are shrunk and written


@dataclass(slots=True)
class ShardResult:
    """What the pages of a shard gave: how many of each markup, and the cases that broke a law, by markup and law."""

    pages: Counter[str] = field(default_factory=Counter)
    edits: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(Markup, 0.0))
    failures: list[tuple[int, str, FuzzCase]] = field(default_factory=list)


_mutated: MutatedPages | None = None


def measure(arguments: Sequence[str] = ()) -> str:
    """Fuzz as the arguments say, and return a table of the pages by markup."""
    options = _options(arguments)
    material = read_material()
    if options.only is not None:
        _start(material, options.seed)
        page, fault, _case = _read(options.only)
        sys.exit(f"page {options.only}: {fault or 'keeps all laws'}\n{page.markup}, {page.language}\n{page.text!r}")
    total, kinds = ShardResult(), Counter[tuple[str, str]]()
    start = time.monotonic()
    for result in _shards(options, material):
        total.pages += result.pages
        total.edits += result.edits
        total.seconds = {markup: total.seconds[markup] + result.seconds[markup] for markup in Markup}
        for number, fault, case in result.failures:
            kinds[case.page.markup, fault] += 1
            if kinds[case.page.markup, fault] <= _MOST_KEPT:
                _keep(number, fault, shrunk(case, fault), options.failures)
        _report(total, kinds, time.monotonic() - start)
    return _table(total, kinds, options.seed)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench fuzz_pages", description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=1_000_000, help="how many pages")
    parser.add_argument("--first", type=int, default=0, help="the number of the first page")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    parser.add_argument("--seed", type=int, default=1, help="with the same seed, a number always gives the same page")
    parser.add_argument("--only", type=int, help="the number of one page, to read it again")
    parser.add_argument("--failures", type=Path, help="a folder for the pages that break a law, shrunk")
    return parser.parse_args(arguments)


def _shards(options: argparse.Namespace, material: list[Material]) -> Iterator[ShardResult]:
    """Yield the results of all shards in their order, a few of them in work at a time."""
    end = options.first + options.pages
    ranges = iter([(start, min(end, start + _SHARD)) for start in range(options.first, end, _SHARD)])
    spawn = get_context("spawn")
    with ProcessPoolExecutor(options.jobs, spawn, _start, (material, options.seed)) as pool:
        waiting: list[Future[ShardResult]] = [pool.submit(_run, *one) for one in islice(ranges, 2 * options.jobs)]
        while waiting:
            yield waiting.pop(0).result()
            waiting += [pool.submit(_run, *one) for one in islice(ranges, 1)]


def _start(material: list[Material], seed: int) -> None:
    global _mutated  # read once in each process
    _mutated = MutatedPages(material, seed)


def _run(first: int, end: int) -> ShardResult:
    result = ShardResult()
    for number in range(first, end):
        start = time.process_time()
        page, fault, case = _read(number)
        result.pages[page.markup] += 1
        result.edits[page.markup] += bool(case.mention)
        result.seconds[page.markup] += time.process_time() - start
        if fault:
            result.failures.append((number, fault, case))
    return result


def _read(number: int) -> tuple[Page, str, FuzzCase]:
    """Return a page, the law that it breaks, and the question that was asked about it."""
    if _mutated is None:
        raise RuntimeError("the material was not read; call _start first")
    page, random = _mutated.page(number)
    try:
        case = drawn_case(page, random)
    except Exception as error:  # noqa: BLE001 (any exception at all is a finding)
        return page, error_name(error), FuzzCase(page)
    fault = fault_of(case)
    return page, fault, FuzzCase(page, None, case.title, case.mention, case.ranker)


def _keep(number: int, fault: str, case: FuzzCase, folder: Path | None) -> None:
    page = case.page
    print(f"page {number}, {page.markup}: {fault}\n  {page.text!r}\n  {case.title!r} {case.mention!r}", file=sys.stderr)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        record = {"number": number, "fault": fault, "markup": page.markup, "language": page.language, "text": page.text}
        record |= {"title": case.title, "mention": case.mention, "ranker": case.ranker}
        (folder / f"{page.markup}-{number}.json").write_text(json.dumps(record, indent=1), encoding="utf-8")


def _report(total: ShardResult, kinds: Counter[tuple[str, str]], seconds: float) -> None:
    pages = total.pages.total()
    per_page = 1000 * sum(total.seconds.values()) / pages
    print(
        f"{pages:,} pages, {kinds.total()} failures, {per_page:.2f} ms a page, {seconds:.0f} s",
        file=sys.stderr,
        flush=True,
    )


def _table(total: ShardResult, kinds: Counter[tuple[str, str]], seed: int) -> str:
    rows = [
        f"| {markup} | {total.pages[markup]:,} | {total.edits[markup]:,} "
        f"| {sum(count for (of, _), count in kinds.items() if of == markup)} "
        f"| {1000 * total.seconds[markup] / max(1, total.pages[markup]):.1f} |"
        for markup in Markup
    ]
    broken = "".join(f"\n- {markup}: {fault} ({count} times)" for (markup, fault), count in kinds.most_common())
    return f"""Pieces of real pages, mutated at random (seed {seed}). Each page is parsed; every piece of text, sentence
and link is compared with the markup; targets of the quick look are compared with those of the parser; `string-match` or
`bm25` look for a place for some words of the page; the edit is made, and the page is parsed again: it says the same and
has this one link more.

| markup | pages | with a question | failures | ms a page |
| --- | ---: | ---: | ---: | ---: |
{chr(10).join(rows)}
{broken}
"""
