"""Writes src/linkspot/text/function_words.json, words that say nothing about a sentence, from stopwordsiso.

    pip install stopwordsiso==0.7.1 && python bench/make_function_words.py

The table has one line for each language. Words are folded and without accents, and have at least four letters: shorter
ones are never named in an answer.
"""

import json
from pathlib import Path

import stopwordsiso

from linkspot.text.words import bare

TABLE = Path(__file__).parent.parent / "src" / "linkspot" / "text" / "function_words.json"
SHORTEST = 4
WITHOUT_SPACES = frozenset({"ja", "th", "zh"})  # their words are not looked up


def main() -> None:
    """Write the table."""
    lines = []
    for language in sorted(stopwordsiso.langs() - WITHOUT_SPACES):
        words = {bare(word, language) for word in stopwordsiso.stopwords(language)}
        kept = sorted(word for word in words if len(word) >= SHORTEST and word.isalpha())
        lines.append(f"{json.dumps(language)}:{json.dumps(' '.join(kept), ensure_ascii=False)}")
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(lines)} languages, {TABLE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
