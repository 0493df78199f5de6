"""Shrinking: the shortest page that still breaks the same law, found by cutting pieces out."""

from dataclasses import replace

from bench.fuzz_laws import FuzzCase, fault_of

_MOST_TRIES = 1_500


def shrunk(case: FuzzCase, fault: str) -> FuzzCase:
    """Return a case with a shorter page and the same fault; slow pages stay as they are."""
    if fault_of(case) != fault or "too long" in fault:
        return case
    tries = 0
    length = len(case.page.text) // 2
    while length and tries < _MOST_TRIES:
        start = 0
        has_shrunk = False
        while start < len(case.page.text) and tries < _MOST_TRIES:
            text = case.page.text[:start] + case.page.text[start + length :]
            shorter = replace(case, page=replace(case.page, text=text), article=None)
            tries += 1
            if fault_of(shorter) == fault:
                case, has_shrunk = shorter, True
            else:
                start += length
        length = length if has_shrunk and length == 1 else length // 2
    return case
