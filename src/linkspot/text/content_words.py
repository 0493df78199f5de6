"""Content words: what a reader would recognise of a sentence, as it stands there, without words like "which"."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files

from linkspot.text.scripts import UNSPACED, character_class, has_spaceless
from linkspot.text.words import JOINERS, MARKS, bare, primary

_SHORTEST = 4  # letters: "the", "kwa" and "для" say nothing
_WORD = re.compile(rf"[\w{MARKS}{JOINERS}]+")
_UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
_PARTICLES = re.compile(f"[{character_class('hiragana')}]+$")
_SHORTEST_PHRASE = 2  # letters of a script without spaces
# Names of the functions that load BudouX's segmenters; Chinese in Taiwan, Hong Kong and Macau has its own signs.
_SEGMENTERS = {
    "ja": "load_default_japanese_parser",
    "th": "load_default_thai_parser",
    "zh": "load_default_simplified_chinese_parser",
    "zh-hant": "load_default_traditional_chinese_parser",
}
_TRADITIONAL = frozenset({"zh-hant", "zh-tw", "zh-hk", "zh-mo", "yue", "lzh"})


def content_words(text: str, language: str) -> list[str]:
    """Return the words that say what the text is about, each once and as it is written.

    In scripts without spaces they are the phrases of a segmenter, without the particles behind them; in languages that
    no segmenter knows there are none.
    """
    spaced = [match[0] for match in _WORD.finditer(text) if not has_spaceless(match[0])]
    function_words = _function_words().get(primary(language), frozenset())
    words = [word for word in spaced if len(word) >= _SHORTEST and bare(word, language) not in function_words]
    return list(dict.fromkeys((*words, *_phrases(text, language))))


def _phrases(text: str, language: str) -> Iterator[str]:
    if not has_spaceless(text):
        return
    tag = language.lower().replace("_", "-")
    segmenter = _segmenter("zh-hant" if tag in _TRADITIONAL else primary(language))
    for phrase in segmenter(text) if segmenter else ():
        for run in _UNSPACED_RUN.findall(phrase):
            word = _PARTICLES.sub("", run)
            if len(word) >= _SHORTEST_PHRASE:
                yield word


@cache
def _segmenter(language: str) -> Callable[[str], list[str]] | None:
    if language not in _SEGMENTERS:
        return None
    import budoux  # imported late, since only a few languages need it

    parse: Callable[[str], list[str]] = getattr(budoux, _SEGMENTERS[language])().parse
    return parse


@cache
def _function_words() -> dict[str, frozenset[str]]:
    """Return the table that bench/make_function_words.py writes."""
    table = json.loads(files("linkspot.text").joinpath("function_words.json").read_text(encoding="utf-8"))
    return {language: frozenset(words.split()) for language, words in table.items()}
