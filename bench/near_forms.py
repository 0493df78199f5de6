"""Which words count as forms of a title: precision and recall by language, on links of real wikis.

A linked pair is a title and the words of a link to it that have as many words, begin alike and differ. Words of the
same pages that begin like the title, and that nobody linked to it, are the hard negatives; but most of those that a
rule accepts are forms, too, which happened to get no link. So some of them were read and judged (`near_forms.csv`), and
precision is estimated from those; linked pairs count as right. Derived words (Mexican, communist) count as wrong there,
but many of the linked pairs are such words, so recall in English says little about inflection. Sample 1 was used to fix
the known forms, so it flatters them. Sample 2 was drawn after the last fix, from what the first two rules accept, and
judged without knowing which rule accepts what; both samples say less about the last two rules, as they hold only what
the first two accept as well.
"""

import csv
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from bench.form_pairs import FormPair, Pairs, corpora, pairs_of
from linkspot.text.mentions import Exactness, Forms, MentionFinder
from linkspot.text.words import bare

JUDGED = Path(__file__).parent / "near_forms.csv"
SAMPLES = (2, 1)  # the fresh one first: a language's precision comes from the first that has enough judged pairs
ENOUGH_JUDGED = 10
ENOUGH = 20  # linked pairs, for a language to be in the table
SNOWBALL = {
    "ca": "catalan",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "pl": "polish",
    "pt": "portuguese",
    "ru": "russian",
}
Rule = Callable[[FormPair, str], bool]
Judgements = dict[tuple[str, FormPair], bool]


def measure() -> str:
    """Return a table with a line for each language and rule."""
    judged = judgements()
    rows = ["| language | linked pairs | rule | recall | unlinked accepted | precision (judged right) |"]
    rows.append("| --- | ---: | --- | ---: | ---: | ---: |")
    for language, pages in corpora():
        pairs = pairs_of(pages, language)
        if len(pairs.linked) >= ENOUGH:
            rows += [_row(name, rule, pairs, language, judged) for name, rule in RULES.items()]
    return "\n".join([(__doc__ or "").partition("\n\n")[2].strip(), "", *rows])


def judgements() -> dict[int, Judgements]:
    """Return for each sample which unlinked pairs are forms of one word, as they were judged."""
    samples: dict[int, Judgements] = {number: {} for number in SAMPLES}
    with JUDGED.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            pair = FormPair(row["name"], row["words"])
            samples[int(row["sample"])][row["language"], pair] = row["is_form"] == "yes"
    return samples


def _row(name: str, rule: Rule, pairs: Pairs, language: str, judged: dict[int, Judgements]) -> str:
    linked = sum(rule(pair, language) for pair in pairs.linked)
    unlinked = [pair for pair in pairs.unlinked if rule(pair, language)]
    number, known = _judged(unlinked, language, judged)
    precision = "–"
    if known:
        right = len(unlinked) * sum(known) / len(known)
        precision = f"{(linked + right) / (linked + len(unlinked)):.3f} ({sum(known)} of {len(known)}, sample {number})"
    recall = f"{linked / len(pairs.linked):.3f}"
    return f"| {language} | {len(pairs.linked)} | {name} | {recall} | {len(unlinked)} | {precision} |"


def _judged(unlinked: list[FormPair], language: str, judged: dict[int, Judgements]) -> tuple[int, list[bool]]:
    """Return a sample's number and what it says of these pairs: of the first sample that says enough."""
    for number in SAMPLES:
        known = [judged[number][language, pair] for pair in unlinked if (language, pair) in judged[number]]
        if len(known) >= ENOUGH_JUDGED:
            return number, known
    return 0, []


def _finder(forms: Forms) -> Rule:
    def rule(pair: FormPair, language: str) -> bool:
        mentions = MentionFinder([pair.name], language, forms).find(pair.words)
        return any(mention.exactness is Exactness.NEAR for mention in mentions)

    return rule


def _stems(pair: FormPair, language: str) -> bool:
    if language not in SNOWBALL:
        return False
    import snowballstemmer

    return all(
        len(set(snowballstemmer.stemmer(SNOWBALL[language]).stemWords([one.lower(), other.lower()]))) == 1
        for one, other in _couples(pair)
    )


def _lemmas(pair: FormPair, language: str) -> bool:
    return all(not _lemma(one, language).isdisjoint(_lemma(other, language)) for one, other in _couples(pair))


@cache
def _lemma(word: str, language: str) -> set[str]:
    from simplemma import is_known, lemmatize

    spellings = {word, word.lower()}
    try:
        return {
            bare(lemmatize(word, language), language) for word in spellings if is_known(word, language)
        } or spellings
    except ValueError:  # a language without a dictionary
        return spellings


def _couples(pair: FormPair) -> Iterator[tuple[str, str]]:
    return zip(pair.name.split(), pair.words.split(), strict=True)


RULES: dict[str, Rule] = {
    "possible forms": _finder(Forms.POSSIBLE),
    "known forms": _finder(Forms.KNOWN),
    "equal lemmas of simplemma": _lemmas,
    "equal stems of Snowball": _stems,
}
