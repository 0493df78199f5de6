"""Sentences, compared with other splitters on their own tests; `python -m bench.sentences LANGUAGE` shows failures.

The rules are read, never run, from source distributions on PyPI, which are kept in bench/.cache/. They are downloaded
from pip's index page, since `pip download` builds what it downloads, and sentencex 1.x would need Rust.
"""

import ast
import hashlib
import io
import re
import subprocess
import sys
import tarfile
import time
import urllib.parse
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import mwtokenizer.tokenizer
import pysbd
import pysbd.languages
import sentencex

from linkspot.source_map import Span
from linkspot.text import sentences

FOLDER = Path(__file__).parent
# The newest comes last: if two releases disagree on a text, the newest one counts.
SDISTS = ("pysbd-0.3.3", "mwtokenizer-0.2.0", "sentencex-0.6.1", "sentencex-1.0.32")
PARAGRAPH = (
    "The harbour was built in 1871 (the old pier had burnt down). It was widened twice, e.g. for the mail ships of the "
    "North Line, which needed 4.5 metres of water. Who paid for it? The council did, on the advice of Dr. Hall and "
    "J. R. Moss; the bill came to about 2.3 million crowns. Today most of its trade is in timber, grain and fish. "
)

NOTES = """\
The rules by language are the tests of sentencex itself, which its release passes by construction. pysbd's source
distribution has the English golden rules of its benchmark; mwtokenizer's has one text with two answers. Thai, Lao,
Khmer and Tibetan have no rules: sentencex leaves such paragraphs whole, linkspot splits them (see the examples in
tests/text/test_sentences.py).
`lists` is not in the average: its texts are lists, not prose, and some of its rules record faults on purpose.

Where linkspot differs from sentencex, it does so on purpose:

- ja: two rules have no border in "開発した。1999年", since sentencex never splits before a digit; there is one.
- nl: two rules make "..." of "...en toen" a separate sentence; text without a letter is not a sentence.
- en: "several in. of rain" is one sentence (a rule records the fault); ". . ." belongs to the text before it;
  "Tuesday.Mr." without a space is not split, just as "System.IO" is not.
- lists: a number alone is not a sentence ("1. The first item.")."""

GOLDEN = "en, golden rules of pysbd"
APART = ("lists", GOLDEN)  # sets of English rules that are not in the average over languages
_GOLDEN_FILE = "/benchmarks/english_golden_rules.py"
_RULE_FILES = re.compile(rf"/tests/|/test/unit/|{_GOLDEN_FILE}$")

Rules = dict[tuple[str, str], list[str]]
Splitter = Callable[[str, str], list[str]]


def fetch(sdist: str) -> tarfile.TarFile:
    """Return the source distribution, from the cache or from PyPI with its checksum verified."""
    path = FOLDER / ".cache" / f"{sdist}.tar.gz"
    if not path.exists():
        address = f"{_index()}/{sdist.rsplit('-', 1)[0]}/"
        page = _download(address).decode()
        link = re.search(rf'href="([^"#]*/{re.escape(sdist)}\.tar\.gz)#sha256=(\w+)"', page)
        if not link:
            raise SystemExit(f"the package index has no {sdist}.tar.gz; name another release in SDISTS")
        content = _download(urllib.parse.urljoin(address, link[1]))
        if hashlib.sha256(content).hexdigest() != link[2]:
            raise SystemExit(f"{link[1]} does not have the checksum of the index; try again")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    return tarfile.open(fileobj=io.BytesIO(path.read_bytes()))


def _index() -> str:
    """Return the address of the package index that pip is set up with."""
    setting = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True, check=False
    )
    if setting.returncode == 0:
        return setting.stdout.strip().rstrip("/")
    from pip._internal.models.index import PyPI

    return str(PyPI.simple_url)


def _download(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=60) as answer:
        content: bytes = answer.read()
    return content


def read_rules(sdist: tarfile.TarFile) -> Rules:
    """Return the expected sentences for each language and text in the distribution's tests."""
    rules: Rules = {}
    for member in sdist:
        stream = sdist.extractfile(member) if _RULE_FILES.search(member.name) else None
        if stream is None:
            continue
        content = stream.read().decode()
        if name := re.search(r"/test_(\w\w)\.py$", member.name):
            rules |= {(name[1], text): expected for text, expected in _rules_in_python(content)}
        elif member.name.endswith(_GOLDEN_FILE):
            rules |= {(GOLDEN, text): expected for text, expected in _rules_in_python(content)}
        elif name := re.search(r"/tests/(\w\w|lists)\.txt$", member.name):
            rules |= {(name[1], text): expected for text, expected in _rules_in_text(content)}
    return rules


def _rules_in_python(content: str) -> Iterator[tuple[str, list[str]]]:
    # Rules that their authors mark as failing (pytest.param) count, too: they say what is right.
    for node in ast.walk(ast.parse(content)):
        pair = node.elts if isinstance(node, ast.Tuple) else node.args if isinstance(node, ast.Call) else []
        if len(pair) == 2 and isinstance(pair[0], ast.Constant) and isinstance(pair[1], ast.List):
            yield ast.literal_eval(pair[0]).strip(), _normalised(ast.literal_eval(pair[1]))


def _rules_in_text(content: str) -> Iterator[tuple[str, list[str]]]:
    lines = (line for line in content.splitlines() if not line.lstrip().startswith("#"))
    for case in "\n".join(lines).split("==="):
        text, separator, expected = case.partition("---")
        if separator and text.strip() and expected.strip():
            yield text.strip(), _normalised(expected.strip().splitlines())


def _normalised(texts: list[str]) -> list[str]:
    return [" ".join(text.split()) for text in texts if text.strip()]


def split_by_linkspot(text: str, language: str) -> list[str]:
    """Split with linkspot."""
    return [span.cut(text) for span in sentences.split(text, language)]


def split_by_sentencex(text: str, language: str) -> list[str]:
    """Split with sentencex."""
    segments: list[str] = sentencex.segment(language, text)
    return segments


def split_by_pysbd(text: str, language: str) -> list[str]:
    """Split with pysbd; languages that it does not know are split as English."""
    known = language if language in pysbd.languages.LANGUAGE_CODES else "en"
    segments: list[str] = _pysbd(known).segment(text)
    return segments


def split_by_mwtokenizer(text: str, language: str) -> list[str]:
    """Split with mwtokenizer and its abbreviations."""
    return list(_mwtokenizer(language).sentence_tokenize(text, use_abbreviation=True))


@cache
def _pysbd(language: str) -> pysbd.Segmenter:
    return pysbd.Segmenter(language=language, clean=False)


@cache
def _mwtokenizer(language: str) -> mwtokenizer.tokenizer.Tokenizer:
    return mwtokenizer.tokenizer.Tokenizer(language_code=language)


SPLITTERS: dict[str, Splitter] = {
    "linkspot": split_by_linkspot,
    "sentencex": split_by_sentencex,
    "pysbd": split_by_pysbd,
    "mwtokenizer": split_by_mwtokenizer,
}


def failures(rules: Rules, splitter: Splitter) -> dict[str, list[tuple[str, list[str], list[str]]]]:
    """Return by language the texts that the splitter does not split as expected: text, expected, actual."""
    failed = defaultdict(list)
    for (language, text), expected in rules.items():
        actual = _normalised(splitter(text, "en" if language in APART else language))
        if actual != expected:
            failed[language].append((text, expected, actual))
    return failed


def score_table(rules: Rules) -> list[str]:
    """Return the lines of a Markdown table: the share of rules met, for each language and splitter."""
    failed = {name: failures(rules, splitter) for name, splitter in SPLITTERS.items()}
    languages = sorted({language for language, _ in rules} - set(APART))
    lines = [f"| language | rules | {' | '.join(SPLITTERS)} |", f"| --- | ---: |{' ---: |' * len(SPLITTERS)}"]
    totals: dict[str, float] = dict.fromkeys(SPLITTERS, 0.0)
    for language in [*languages, *APART]:
        count = sum(1 for other, _ in rules if other == language)
        shares = {name: 1 - len(failed[name].get(language, ())) / count for name in SPLITTERS}
        if language not in APART:
            totals = {name: totals[name] + share / len(languages) for name, share in shares.items()}
        lines.append(f"| {language} | {count} | {' | '.join(f'{share:.3f}' for share in shares.values())} |")
    averages = " | ".join(f"**{total:.3f}**" for total in totals.values())
    return [*lines, f"| **macro, {len(languages)} languages** | {len(rules)} | {averages} |"]


def speed_table() -> list[str]:
    """Return a Markdown table of characters per second on an English paragraph, best of many runs in turn."""
    ways: dict[str, Callable[[], object]] = {
        "linkspot": lambda: sentences.split(PARAGRAPH, "en"),
        "sentencex.get_sentence_boundaries, as spans": _bare_spans,
        "sentencex.get_sentence_boundaries": lambda: sentencex.get_sentence_boundaries("en", PARAGRAPH),
        "sentencex.segment (no offsets)": lambda: sentencex.segment("en", PARAGRAPH),
    }
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(50):
        for name, way in ways.items():
            start = time.perf_counter()
            for _ in range(100):
                way()
            best[name] = min(best[name], (time.perf_counter() - start) / 100)
    lines = ["| splitter | million characters a second | time of linkspot, relative |", "| --- | ---: | ---: |"]
    return lines + [
        f"| {name} | {len(PARAGRAPH) / seconds / 1e6:.0f} | {best['linkspot'] / seconds:.2f} |"
        for name, seconds in best.items()
    ]


def _bare_spans() -> list[Span]:
    boundaries = sentencex.get_sentence_boundaries("en", PARAGRAPH)
    return [Span(boundary["start_index"], boundary["end_index"]) for boundary in boundaries]


def measure() -> str:
    """Return the tables of scores and of speed."""
    by_sdist = {name: read_rules(fetch(name)) for name in SDISTS}
    sources = [f"- {name}: {len(rules) or 'no'} rules" for name, rules in by_sdist.items()]
    head = ["The share of rules for which the list of sentences is exact, by language.", ""]
    return "\n".join([*head, *sources, "", *score_table(_merged(by_sdist)), "", NOTES, "", *speed_table()])


def _merged(by_sdist: dict[str, Rules]) -> Rules:
    merged: Rules = {}
    for rules in by_sdist.values():
        merged |= rules
    return merged


def main(language: str) -> None:
    """Print the rules that linkspot fails in a language."""
    rules = _merged({name: read_rules(fetch(name)) for name in SDISTS})
    for text, expected, actual in failures(rules, split_by_linkspot)[language]:
        print(f"text      {text}\nexpected  {expected}\nactual    {actual}\n")


if __name__ == "__main__":
    main(sys.argv[1])
