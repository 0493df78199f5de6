"""The language of a text that nothing else tells, judged by its letters: py3langid knows 140 languages."""

import re
from functools import cache
from typing import Any

_READ = 4_000  # characters of a text; more make the answer no surer
_FEWEST_LETTERS = 20
_LEAST_PROBABILITY = 0.5  # between languages as close as Danish and Norwegian, a sentence hardly gets more
_LETTER = re.compile(r"[^\W\d_]")
_NO_LANGUAGE = "zxx"


def detected_language(text: str) -> str:
    """Return the tag of the language that a text is written in, or nothing if it is too short or in doubt."""
    text = text[:_READ]
    if len(_LETTER.findall(text)) < _FEWEST_LETTERS:
        return ""
    language, probability = _identifier().classify(text)
    return language if probability >= _LEAST_PROBABILITY and language != _NO_LANGUAGE else ""


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # takes a while, and most pages say their language

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
