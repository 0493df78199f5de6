"""What fuzzed pages are made of: pieces of real pages, and the signs that mean something in each markup."""

import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.wikis import DATA, SCHOOLS
from linkspot.answers.samples import SAMPLES
from linkspot.corpora.corpus import current_pages, open_corpus
from linkspot.records import Markup

_OPENTTD = ("en", "de", "ru", "zh", "ko")
_WIKIPEDIAS = ("bn", "ja", "uk", "vi")
_BUNDLES = (DATA / "mdn" / "mdn.bundle", DATA / "wikis" / "archwiki.bundle", DATA / "wikis" / "cpprefjp.bundle")
_PAGES = 80  # of each dump, bundle and archive
_LONGEST = 20_000  # characters of a page; pieces of some hundred are cut out of it


def _tokens(text: str) -> tuple[str, ...]:
    """Return the words of the text, in which signs stand for a blank, a tab and the end of a line."""
    return tuple(word.replace("␣", " ").replace("⇥", "\t").replace("⏎", "\n") for word in text.split())


TOKENS: dict[str, tuple[str, ...]] = {
    Markup.HTML: _tokens(
        r"""
        <p> </p> <b> </b> <i> </i> <a> </a> <h2> </h2> <li> <ul> </ul> <div> </div> <br> <br/> <hr> <wbr> <table>
        <tr> <td> </td> </tr> </table> <pre> </pre> <code> </code> <sup> </sup> <span> </span> <script> </script>
        <style> </style> <title> </title> <textarea> </textarea> <plaintext> <xmp> </xmp> <!-- --> <!--> <!DOCTYPE
        <![CDATA[ ]]> <? ?> < > </ /> & &amp; &nbsp; &lt; &#38; &#0; &#xD800; &copy <a␣href='X'>
        <a␣href="./Cat"␣title="Cat"> <a␣href=y> <a␣name=z> <a␣href= href=" <a␣v==">3; 0; 2; 4; 12; <b␣x=' <b␣x=" ='
        =" ' " = <template> </template> <span␣typeof='mw:Transclusion'> <section␣data-mw-section-id=1>
        <div␣class=mw-parser-output> <main> <svg> </svg> <math> </math> <select> <option> <button> </button>
        <noscript> <form> <body> </body> <html> <head> </head> <p␣hidden> <iframe> </iframe> <font> </font>
        """
    ),
    Markup.WIKITEXT: _tokens(
        r"""
        [[ ]] [ ] [[[ ]]] | || {{ }} {{{ }}} {| |} |- |+ ! !! ''' '' ' ''''' = == === <ref> </ref> <ref/> <nowiki>
        </nowiki> <nowiki/> <!-- --> <pre> </pre> <d<pre>> <b> </b> <br> <div> </div> <s> </s> * # : ; :: ---- ~~~~
        __TOC__ __NOEDITSECTION__ &amp; &nbsp; &#91; &#93; & < > </ /> http:// // [http://x.org␣ [[File: [[Category:
        [[fr: [[:fr: [[Dog]]s [[Dog| [[Dog|dogs]] File: ⏎| ⏎*␣ ⏎#␣ ⏎:␣ ⏎;␣ ⏎==␣X␣==⏎ ⏎= =⏎ ⏎---- ⏎␣ ⏎{|⏎ ⏎|}⏎
        <gallery>⏎ <blockquote> </blockquote> <table> </table> <code> </code> #REDIRECT␣[[ mailto: <math> [[a|b|c]]
        [[/x]] [[#s]] [[a#b| -{ }- [[Dog|a␣[[Cat]]␣b]] <span␣style='display:none'>
        """
    ),
    Markup.MARKDOWN: _tokens(
        r"""
        [ ] ( ) ]( ](x.md) [[ ]] [[Dog]] ![ ![[ * ** *** _ __ ` `` ``` ~~ ~~~ ~ ^ ^[ $ $$ \ | > # ## - + : :: {{ }}
        {% %} {{< >}} {: } <b> </b> <a> </a> <br> <!-- --> <http://x.org> http://x.org &amp; &nbsp; & < > ⏎```⏎ ⏎⏎
        ⏎>␣ ⏎-␣ ⏎1.␣ ⏎␣␣␣␣ ⏎⇥ ⏎---⏎ ⏎===⏎ ⏎#␣ ⏎##␣ ␣␣⏎ \⏎ [x]:␣y⏎ ⏎[x]:␣y⏎ [^1] ⏎[^1]:␣ ⏎:::note⏎ ⏎!!!␣note⏎␣␣␣␣
        ⏎|␣a␣|␣b␣|⏎|␣-␣|␣-␣|⏎ ⏎$$⏎ {{domxref("Window")}} {{Glossary("DNS",␣"name")}} ---⏎title:␣x⏎---⏎ +++⏎
        <a␣href='x'> </a> [a]({{<␣ref␣"p.md"␣>}}) <div>⏎ </div>⏎ <table> </table> [a](<b␣c>) [a][x] ⏎-␣[x]␣ ⏎-␣:␣
        {{<␣highlight␣>}} {{<␣/highlight␣>}} <pre> </pre> <script> </script> ![a](b) ⏎:␣␣␣
        """
    ),
}
SIGNS: tuple[str, ...] = (
    *"\0\x01\x0b\x0c\r\n\t\x1b\x7f\x80\x85\xa0\xad\u0301\u0345\u200b\u200d\u200e\u200f\u2028\u2029\u202e\u2066",
    *"\u3000\ufe0f\ufeff\ufdd0\ufffc\ufffd\ufffe\uffff\U0010ffff\ud800\udfff\ue000\uf8ff\U000f0000İßſﬁKé狼🐕។।",
    *"0aA()“”«…",
    *(
        "\r\n",
        "\n\n",
        "  ",
        "\u0301" * 40,
        "犬は走る。",
        "หมา",
        "كلب",
        "👨\u200d👩\u200d👧",
        "7;",
        "4294967296",
        "9" * 50,
    ),
    *("&#" + "9" * 5_000 + ";", "wolf", "The wolf ran. ", ". ", "! ", "? "),
)


@dataclass(frozen=True, slots=True)
class Material:
    """A text to cut pieces from, its markup and its language."""

    text: str
    markup: str
    language: str


def read_material() -> list[Material]:
    """Return parts of real pages in three markups, always the same; the sample pages alone where no data is there."""
    samples = [
        Material(page.text, page.markup, "en") for sample in SAMPLES for page in (sample.page(), sample.target())
    ]
    return [*samples, *_wikitext(), *_html(), *_markdown()]


def _wikitext() -> Iterator[Material]:
    dumps = [DATA / "openttd" / f"openttd-{code}-pages-meta-history.xml.xz" for code in _OPENTTD]
    dumps += [DATA / "wikipedia" / f"{code}wiki-truncated-100k.xml.xz" for code in _WIKIPEDIAS]
    for dump in dumps:
        if dump.exists():
            for page in islice(current_pages(open_corpus(dump)), _PAGES):
                yield Material(page.text[:_LONGEST], Markup.WIKITEXT, page.language or "en")


def _html() -> Iterator[Material]:
    if not SCHOOLS.exists():
        return
    with tarfile.open(SCHOOLS) as tar:
        members = (member for member in tar if member.name.endswith(".htm"))
        for member in islice(members, 0, 5 * _PAGES * 3, 3):
            file = tar.extractfile(member)
            if file:
                text = file.read().decode("utf-8", "replace")
                yield Material(text[text.find("<h1") :][:_LONGEST], Markup.HTML, "en")


def _markdown() -> Iterator[Material]:
    for bundle in _BUNDLES:
        if bundle.exists():
            with TemporaryDirectory() as folder:
                yield from _pages_of(bundle, Path(folder))


def _pages_of(bundle: Path, folder: Path) -> Iterator[Material]:
    clone = ["git", "clone", "--quiet", "--bare", "--branch", "main", str(bundle), str(folder)]
    subprocess.run(clone, check=True)
    listing = _git(folder, "ls-tree", "-r", "-z", "--name-only", "main").split("\0")
    names = [name for name in listing if name.endswith(".md")]
    for name in names[:: max(1, len(names) // (2 * _PAGES))]:
        text = _git(folder, "show", f"main:{name}")
        yield Material(text[:_LONGEST], Markup.MARKDOWN, "ja" if bundle.stem == "cpprefjp" else "en")


def _git(folder: Path, *arguments: str) -> str:
    run = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=True)
    return run.stdout.decode("utf-8", "replace")
