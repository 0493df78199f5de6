"""Noun classes of Swahili: one and many of a noun differ at its beginning, as in mkulima and wakulima."""

# Beginnings of many -> of one. Titles name one, as a rule.
_SINGULARS = {
    "wa": ("m", "mw"),
    "mi": ("m", "mu"),
    "vi": ("ki",),
    "vy": ("ch",),
    "ma": ("", "ji", "ja"),
    "ny": ("w",),
}
_SHORTEST_STEM = 3


def other_numbers(word: str) -> tuple[str, ...]:
    """Return the forms for one that a Swahili noun for many may have; none for other words."""
    stem = word[2:]
    if len(stem) < _SHORTEST_STEM:
        return ()
    return tuple(beginning + stem for beginning in _SINGULARS.get(word[:2], ()))
