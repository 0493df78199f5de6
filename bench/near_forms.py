"""Which words count as forms of a title: precision and recall by language, on links of real wikis.

A linked pair is a title and the words of a link to it that have as many words, begin alike and differ. Words of the
same pages that begin like the title, and that nobody linked to it, are the hard negatives; but most of those that a
rule accepts are forms, too, which happened to get no link. So some of them were read and judged (`near_forms.csv`), and
precision is estimated from those; linked pairs count as right. Sample 1 was used to fix the known forms of then, so it
flatters them. Sample 2 was drawn after that, from what the first two rules accepted, and judged without knowing which
rule accepts what; both samples say less about the last two rules, as they hold only what the first two accept as well.
All unlinked pairs that the rules have accepted since were judged, too (“since”), by who had changed the rules.

`as answered` is what an answer claims: known forms, and in English derived words where the passage around them shares
two words with the target's lead, at one place at least of the pages that link the target. Derived words (Australian,
communist) count as wrong, though most of the linked English pairs that are no known forms are such words; one row
counts them as right if they name who or what belongs to the title. The endings of Ukrainian and the derived words of
English were learned from titles with an even checksum; `other titles` are those that taught nothing. The new endings
of Bengali, Polish and German follow from grammar, but were chosen after reading what was missed here.

English does not reach the recall of the possible forms. Derived words are claimed only for endings that are linked
nearly as often as known forms are. A lower bound (half as often, learned from a quarter of the pages, without looking
at the passage) found .632 of the links of other titles, and took lawn for Law, warn for War and seal for Sea. What a
doctrine is named after (social of Socialism) was left out after reading what it accepted here: four words that were not
linked, all wrong. German lacks one pair, *Landschafts*, which is the first part of a compound.
"""

import csv
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from bench.answered_forms import AnsweredForms
from bench.form_pairs import FormPair, Pairs, corpora, pairs_of, whole_corpus
from bench.make_linked_endings import teaches
from linkspot.text.linked_endings import Kinship, ending_pairs
from linkspot.text.mentions import Exactness, Forms, MentionFinder
from linkspot.text.words import bare

JUDGED = Path(__file__).parent / "near_forms.csv"
SAMPLES = (2, 1)  # the fresh one first: a language's precision comes from the first that has enough judged pairs
CENSUS = 3  # all pairs that the rules have accepted since; they count one by one, and a sample speaks for the others
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
Judgements = dict[tuple[str, FormPair], str]
FORM, DERIVED = "yes", "derived"  # what a judge may say besides "no"


def measure() -> str:
    """Return a table with a line for each language and rule."""
    judged = judgements()
    rows = ["| language | linked pairs | rule | recall | unlinked accepted | precision (judged right) |"]
    rows.append("| --- | ---: | --- | ---: | ---: | ---: |")
    for language, some_pages in corpora():
        pages = list(some_pages)
        pairs = pairs_of(pages, language)
        if len(pairs.linked) < ENOUGH:
            continue
        answered = AnsweredForms(pages, whole_corpus(language), language)
        rows += [_row(name, rule, pairs, language, judged) for name, rule in RULES.items()]
        rows += _answered_rows("", answered, pairs, language, judged)
        if any(ending_pairs(kinship, language) for kinship in Kinship):
            others = Pairs(
                *({pair for pair in members if not teaches(pair.name)} for members in (pairs.linked, pairs.unlinked))
            )
            rows += [_row(f"{name}, other titles", RULES[name], others, language, judged) for name in list(RULES)[:2]]
            rows += _answered_rows(", other titles", answered, others, language, judged)
    return "\n".join([(__doc__ or "").partition("\n\n")[2].strip(), "", *rows])


def judgements() -> dict[int, Judgements]:
    """Return for each sample whether unlinked pairs are forms of one word or derived words, as they were judged."""
    samples: dict[int, Judgements] = {number: {} for number in (*SAMPLES, CENSUS)}
    with JUDGED.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            pair = FormPair(row["name"], row["words"])
            samples[int(row["sample"])][row["language"], pair] = row["is_form"]
    return samples


def _answered_rows(
    which: str, answered: AnsweredForms, pairs: Pairs, language: str, judged: dict[int, Judgements]
) -> list[str]:
    """Return the row of what answers claim, and if they claim derived words, one in which these are right."""
    rows = [_row(f"as answered{which}", answered.claims, pairs, language, judged)]
    if ending_pairs(Kinship.DERIVED, language):
        name = f"as answered{which}, derived words right"
        rows.append(_row(name, answered.claims, pairs, language, judged, frozenset({FORM, DERIVED})))
    return rows


def _row(
    name: str,
    rule: Rule,
    pairs: Pairs,
    language: str,
    judged: dict[int, Judgements],
    right: frozenset[str] = frozenset({FORM}),
) -> str:
    linked = sum(rule(pair, language) for pair in pairs.linked)
    unlinked = [pair for pair in pairs.unlinked if rule(pair, language)]
    since = [judged[CENSUS][language, pair] for pair in unlinked if (language, pair) in judged[CENSUS]]
    rest = [pair for pair in unlinked if (language, pair) not in judged[CENSUS]]
    number, said = _judged(rest, language, judged)
    precision = "–"
    if said:
        good, good_since = (sum(judgement in right for judgement in members) for members in (said, since))
        share = (linked + good_since + len(rest) * good / len(said)) / (linked + len(unlinked))
        also = f"; {good_since} of {len(since)} since" if since else ""
        precision = f"{share:.3f} ({good} of {len(said)}, sample {number}{also})"
    recall = f"{linked / len(pairs.linked):.3f}"
    return f"| {language} | {len(pairs.linked)} | {name} | {recall} | {len(unlinked)} | {precision} |"


def _judged(unlinked: list[FormPair], language: str, judged: dict[int, Judgements]) -> tuple[int, list[str]]:
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
