"""A fuzzer for slow inputs: pages made of repeated pieces, and how their cost grows from n pieces to 4 n."""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from linkspot.answers.json_shape import to_json
from linkspot.answers.source_page import SourcePage
from linkspot.answers.suggester import Suggester
from linkspot.engines.engine import Shard
from linkspot.errors import LinkspotError
from linkspot.insertions.rules import HistoryRules
from linkspot.insertions.windows import windows
from linkspot.links.addresses import Naming
from linkspot.pipeline.batches import Batch
from linkspot.pipeline.histories import JudgeHistories
from linkspot.pipeline.pages import ParsePages
from linkspot.records import Entity, Markup, Page, Revision

# A dot in the middle separates the pieces.
_COMMON = (
    'Foo·foo bar·a· ·\n·\n\n·. ·A dog ran. ·?·"·(·)·“·1·%25·é·e\u0301·\u0301·狗。·สุนัข ·كتاب ·\u00a0·/·:·#·&amp;·&·;·='
)
_PIECES = {
    Markup.WIKITEXT: "[[·]]·[[a]]·[[a|·|·{{·}}·{|·|}·|-·''·'''·== · ==\n·* ·<ref>·</ref>·<ref/>·<!--·-->·<nowiki>·"
    "</nowiki>·]·[http://a.b ·<b>·</b>·__TOC__·[[File:a|·[[Category:a]]·<math>·</math>·{{{·}}}·~~~~·----·#REDIRECT ",
    Markup.HTML: "<p>·</p>·<b>·</b>·<a href=./b>·</a>·<div>·</div>·<section>·</section>·<ul>·<li>·<table>·<tr>·<td>·"
    "<!--·-->·</table>·<h2>·</h2>·<sup>·<·<a ·href=·&lt;·<script>·</script>·<svg>·<template>·<i about=x>·<br>·<select>",
    Markup.MARKDOWN: "[·]·](b)·[a](b)·[a]: b\n·![·*·**·_·`·```\n·> ·- ·# ·<b>·</b>·|·|-|-|\n·~~·\\·<!--·-->·$·$$·{{·}}·"
    "{%·%}·:::·[^1]·[^1]: ·[[·]]·---\n·    ·\t·<·>·1. ·<div>\n·{·}·^·https://a.b ",
}
_NEW = {
    Markup.WIKITEXT: "\n\nThen the [[New page]] came along.",
    Markup.HTML: '<p>Then the <a href="./New_page">New page</a> came along.',
    Markup.MARKDOWN: "\n\nThen the [New page](new.md) came along.",
}
_TARGET = Entity("Foo", "A foo is a dog that barks at the moon, in most books.", ("foo bar", "狗", "e\u0301"))
_TIME = datetime(2020, 1, 1, tzinfo=UTC)
_CHARACTERS = 6_000  # of the smaller page
_SHORTEST = 0.05  # seconds of the larger page that are worth a ratio
_SUSPICIOUS = 7.0  # linear growth has 4, quadratic 16
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class PageRecipe:
    """How a page is made: head, then body n times, then tail n times, then end."""

    markup: Markup
    head: str
    body: str
    tail: str
    end: str

    @classmethod
    def drawn(cls, draw: Random) -> "PageRecipe":
        """Draw a recipe from the pieces of one markup."""
        markup = draw.choice(list(_PIECES))
        pieces = f"{_COMMON}·{_PIECES[markup]}".split("·")

        def some(most: int, least: int = 0) -> str:
            return "".join(draw.choice(pieces) for _ in range(draw.randint(least, most)))

        tail = some(2, 1) if draw.random() < 1 / 3 else ""
        return cls(markup, some(2), some(4, 1), tail, some(2))

    def page(self, times: int) -> Page:
        """Return the page with so many repetitions."""
        return Page("Page", self.head + self.body * times + self.tail * times + self.end, self.markup, "en", id="1")

    @property
    def times(self) -> int:
        """How many repetitions make the smaller page."""
        return max(1, _CHARACTERS // len(self.body + self.tail))

    def __str__(self) -> str:
        tail = f" + {self.tail!r} × n" if self.tail else ""
        return f"{self.head!r} + {self.body!r} × n{tail} + {self.end!r}"


@dataclass(frozen=True, slots=True)
class Growth:
    """What four times the input costs, as a multiple, and in seconds."""

    recipe: PageRecipe
    step: str
    ratio: float
    seconds: float


def measure(arguments: Sequence[str] = ()) -> str:
    """Return the recipes that grew most in so many seconds."""
    parser = argparse.ArgumentParser(prog="python -m bench slow_inputs")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to look")
    parser.add_argument("--seed", type=int, default=0, help="of the draws")
    settings = parser.parse_args(arguments)
    seconds, seed = settings.seconds, settings.seed
    draw, suspicious, tried = Random(seed), list[Growth](), 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        recipe = PageRecipe.drawn(draw)
        tried += 1
        suspicious += [growth for step in _steps() if (growth := _growth(recipe, step)).ratio > _SUSPICIOUS]
    suspicious.sort(key=lambda growth: -growth.ratio)
    lines = [
        f"{tried:,} recipes in {seconds:,.0f} seconds (seed {seed}), each through {', '.join(_steps())} at some "
        f"{_CHARACTERS:,} characters and at four times as many. Of these, {len(suspicious)} took more than "
        f"{_SUSPICIOUS:.0f} times as long for the larger page; linear growth is 4, quadratic 16.",
    ]
    if suspicious:
        lines += ["", "| markup | recipe | step | ratio | seconds |", "| --- | --- | --- | ---: | ---: |"]
    for growth in suspicious[:_SHOWN]:
        shown = str(growth.recipe).replace("|", "\\|")
        lines.append(
            f"| {growth.recipe.markup} | `{shown}` | {growth.step} | {growth.ratio:.1f} | {growth.seconds:.2f} |"
        )
    return "\n".join(lines)


def _growth(recipe: PageRecipe, step: str) -> Growth:
    small, large = recipe.page(recipe.times), recipe.page(4 * recipe.times)
    run = _steps()[step]
    long = _seconds(run, large)
    ratio = 0.0 if long < _SHORTEST else long / _seconds(run, small)
    if ratio > _SUSPICIOUS:  # other programs run on this machine
        long = min(long, *(_seconds(run, large) for _ in range(2)))
        ratio = long / min(_seconds(run, small) for _ in range(3))
    return Growth(recipe, step, ratio, long)


def _seconds(run: Callable[[Page], object], page: Page) -> float:
    start = time.process_time()
    with suppress(LinkspotError):  # over a limit, or nothing to rank
        run(page)
    return time.process_time() - start


def _steps() -> dict[str, Callable[[Page], object]]:
    return {"suggest": _suggest, "index": _index, "insertions": _insertions}


def _suggest(page: Page) -> object:
    return to_json(Suggester.of("string-match", anyway=True).answer(SourcePage.of(page), _TARGET))


def _index(page: Page) -> object:
    return ParsePages().run(Shard(Batch((Revision(page, "1", _TIME),), Naming(), Counter()), 1, 1.0))


def _insertions(page: Page) -> object:
    after = Page(page.title, page.text + _NEW[Markup(page.markup)], page.markup, page.language, id="1")
    revisions = [Revision(one, str(number), _TIME) for number, one in enumerate((page, after))]
    records = tuple(enumerate(windows(revisions)))
    return JudgeHistories(HistoryRules()).run(Shard(Batch(records, Naming(), Counter()), 1, 1.0))
