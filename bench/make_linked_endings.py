"""Writes src/linkspot/text/linked_endings.json: pairs of endings, a title's and its word's, that real links show.

    python bench/make_linked_endings.py

A pair counts if at least `FEWEST` links have it and at most so many of the words beside them that nobody linked (the
hard negatives) as the known forms of the language have, too: among these, a certain share is linked. Only titles with
an even checksum teach, so `bench near_forms` can measure on the others. Ukrainian learns inflected forms that its
dictionary lacks, from the Wikipedia of 2023; English learns derived words, from half of Wikipedia for Schools (2007),
without the pages on which `bench near_forms` measures. Both texts are CC BY-SA or GFDL; endings alone are kept.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from zlib import crc32

from bench.form_pairs import FormPair, Pairs, pairs_of, schools, whole_corpus
from linkspot.records import Page
from linkspot.text import linked_endings
from linkspot.text.inflections import are_forms, shared_beginning
from linkspot.text.linked_endings import Kinship, differing_endings, is_enough
from linkspot.text.words import bare

TABLE = Path(linked_endings.__file__).with_suffix(".json")
FEWEST = 3  # links with a pair of endings
LIKE_KNOWN_FORMS = 0.8  # of the share of known forms that is linked
LONGEST = 6  # letters of an ending
# What makes another word in Ukrainian: relational adjectives and women (ліс, лісовий; автор, авторка).
DERIVATIONS = {"uk": ("ов", "ськ", "ка", "н")}
SOURCES: dict[tuple[Kinship, str], Callable[[], Iterator[Page]]] = {
    (Kinship.FORM, "uk"): lambda: whole_corpus("uk"),
    (Kinship.DERIVED, "en"): lambda: schools(2, first=1),
}


def teaches(name: str) -> bool:
    """Return whether the links to a title of this name teach; the others are for measuring."""
    return crc32(name.encode()) % 2 == 0


def learned(pairs: Pairs, language: str, kinship: Kinship) -> list[str]:
    """Return the pairs of endings that are linked nearly as often as known forms are."""
    linked, unlinked = ({pair for pair in members if teaches(pair.name)} for members in (pairs.linked, pairs.unlinked))
    known = [{pair for pair in members if _open_couples(pair, language) == []} for members in (linked, unlinked)]
    usual = len(known[0]) / sum(map(len, known))
    counts = [Counter(_endings(members, language, kinship)) for members in (linked - known[0], unlinked - known[1])]
    return sorted(
        "|".join(endings)
        for endings, count in counts[0].items()
        if count >= FEWEST and count >= LIKE_KNOWN_FORMS * usual * (count + counts[1][endings])
    )


def _endings(members: set[FormPair], language: str, kinship: Kinship) -> Iterator[tuple[str, str]]:
    for pair in members:
        for name, word in _open_couples(pair, language)[:2]:
            shared = shared_beginning(name, word)
            endings = differing_endings(name, word, shared, kinship)
            is_other = any((part in endings[0]) != (part in endings[1]) for part in DERIVATIONS.get(language, ()))
            is_other |= kinship is Kinship.DERIVED and shared == len(word)  # a social person is no socialist
            if is_enough(name, word, shared) and max(map(len, endings)) <= LONGEST and not is_other:
                yield endings


def _open_couples(pair: FormPair, language: str) -> list[tuple[str, str]]:
    """Return the words of a title and of a mention that are not known to be forms of one another."""
    couples = [
        (bare(one, language), bare(other, language))
        for one, other in zip(pair.name.split(), pair.words.split(), strict=True)
    ]
    return [couple for couple in couples if not are_forms(*couple, language, len(couples) > 1)]


def main() -> None:
    """Write the table."""
    table: dict[str, dict[str, str]] = {kinship: {} for kinship in Kinship}
    TABLE.write_text(json.dumps(table) + "\n", encoding="utf-8")  # what was learned before is no known form
    for (kinship, language), pages in SOURCES.items():
        endings = learned(pairs_of(pages(), language), language, kinship)
        table[kinship][language] = " ".join(endings)
        print(kinship, language, len(endings), flush=True)
    TABLE.write_text(json.dumps(table, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
