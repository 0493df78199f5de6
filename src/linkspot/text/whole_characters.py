"""Whole characters: text that every encoding and tokenizer takes, though it came with halves of characters."""

import re

_HALF = re.compile("[\ud800-\udfff]")  # what Python calls a surrogate; broken escapes in JSON and HTML bring them


def with_whole_characters(text: str) -> str:
    """Return the text with the replacement character in place of every half of one; its length stays."""
    return text if text.isascii() else _HALF.sub("\N{REPLACEMENT CHARACTER}", text)
