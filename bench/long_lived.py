"""How the memory of one process grows over many pages, hostile and ordinary ones, as in a service that never ends."""

import gc
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from linkspot.answers.suggestion import suggest
from linkspot.records import Entity, Markup, Page

PAGES = 2_000
EVERY = 250  # pages between two readings
WITH_MODEL = 10  # of so many pages, one is ranked by the default model
_MARKUPS = (Markup.MARKDOWN, Markup.HTML, Markup.WIKITEXT)
_WORDS = "harbour wind ship signal train rail river stone bridge lamp market tower field".split()


def pages(number: int, seed: int = 7) -> Iterator[tuple[Page, Entity]]:
    """Yield pages with a target each: by turns an ordinary one and one of eight hostile kinds, none twice."""
    draw = random.Random(seed)
    for one in range(number):
        markup = _MARKUPS[one % len(_MARKUPS)]
        prose = " ".join(f"The {draw.choice(_WORDS)} {draw.randrange(10**6)} stands here." for _ in range(20))
        text, language = prose, "en"
        if one % 2:
            text, language = _hostile(one // 2 % 8, one, prose)
        yield Page(f"Page {one}", text, markup, language), Entity(f"Signal {one}", f"A lead {one}.", (f"lamp {one}",))


def _hostile(kind: int, one: int, prose: str) -> tuple[str, str]:
    unique = f"{one:06}"
    texts = (
        unique + "x" * 400_000,  # one word
        unique + "字" * 60_000,
        " ".join(f"{unique}{n}é" for n in range(2_000)),  # words that no page had before
        f"<span data-x='{unique}{'y' * 400_000}'>A signal.</span>",
        " ".join(f"[[{unique} {n}:{'z' * 100}|signal]]" for n in range(200)),
        " ".join(f"[signal]({unique}/{n}.html?{'q' * 100})" for n in range(200)),
        " ".join(f"{{{{macro{unique}{n}|{'m' * 50}}}}}" for n in range(200)),
        prose,
    )
    made_up = f"en-x{unique}" if kind == len(texts) - 1 else "en"
    return f"{texts[kind]} A signal shines. A lamp {one} too.", made_up


class MemoryReading(NamedTuple):
    """The memory of a process in bytes: its own, and pages of files (libraries, embeddings), which are mapped.

    Of a file, only what was read is in memory. All processes share it, and the kernel takes it back when it likes.
    """

    own: int
    of_files: int

    @property
    def total(self) -> int:
        """All of it."""
        return self.own + self.of_files


def resident() -> MemoryReading:
    """Return the memory of this process."""
    gc.collect()
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    sizes = {line.partition(":")[0]: int(line.split()[1]) * 1024 for line in lines if line.startswith("Rss")}
    return MemoryReading(sizes["RssAnon"], sizes["RssFile"] + sizes["RssShmem"])


def readings(number: int, every: int, with_model: int) -> list[MemoryReading]:
    """Return the memory after each so many pages; the default model ranks one in `with_model` of them."""
    found = []
    for one, (page, entity) in enumerate(pages(number), start=1):
        ranker = "linkspot" if one % with_model == 0 else ("bm25", "string-match")[one % 2]
        suggest(page, entity, ranker=ranker, anyway=True)
        if one % every == 0:
            found.append(resident())
    return found


def measure() -> str:
    """Return a table of the memory of one fresh process after each 250 pages."""
    done = subprocess.run([sys.executable, "-m", "bench.long_lived"], check=True, capture_output=True, text=True)
    return done.stdout.rstrip()


def table(found: list[MemoryReading], every: int) -> str:
    """Return the readings as Markdown."""
    rows = [
        f"| {number * every:,} | {reading.total / 2**20:.0f} MB | {reading.own / 2**20:.0f} MB |"
        for number, reading in enumerate(found, start=1)
    ]
    return "\n".join(["| pages | memory | without mapped files |", "| ---: | ---: | ---: |", *rows])


if __name__ == "__main__":
    print(table(readings(PAGES, EVERY, WITH_MODEL), EVERY))
