"""Writes src/linkspot/text/endings/*.json: which endings make two words forms of one word, learned from simplemma.

    pip install simplemma==2.0.0 && python bench/make_endings.py [LANGUAGE …]

simplemma's dictionaries know the lemmas of millions of words, but loading one takes seconds and up to 400 MB. What is
kept of them is small. For each pair of endings (`|s`, `y|ies`) it says behind which letters the pair is safe, and how
long the shared beginning must be: among the dictionary's words that differ by these endings, the share `SAFE` are forms
of one word. Pairs of words that differ by safe endings and are different words (new, news) are listed by themselves.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from zlib import crc32

from simplemma.strategies.dictionaries.dictionary_factory import DATA_FOLDER, DefaultDictionaryFactory

from linkspot.text.words import bare

FOLDER = Path(__file__).parent.parent / "src" / "linkspot" / "text" / "endings"
# The share of pairs that are forms of one word, by the length of the shared beginning: long ones are rarely shared by
# chance, and a dictionary with one lemma for each word counts many forms of two words as different.
SAFE = {3: 0.97, 4: 0.93, 5: 0.88, 6: 0.8, 7: 0.7}
SAFE_BEHIND_ANY = 0.9
ENOUGH_PAIRS, RARE = 3, 6  # pairs of words behind one letter, and of a pair of endings, that prove anything
COVERED = 0.999  # of all pairs of words; the rarest pairs of endings are left out
MOST_RULES = 1500
MOST_WORDS = {"en": 100_000}  # of a dictionary; whole neighbourhoods of words are kept or left out
MOST_WORDS_ELSEWHERE = 30_000
ENOUGH_LETTERS = 5  # behind which a pair of endings was seen, for it to be safe behind any other
LONGEST_ENDING = 5
SHORTEST_BEGINNING = 3
LONGEST_LISTED = 5  # letters that two different words share at most if they are listed
MOST_LISTED = 400
CROWDED = 150  # words with one beginning that are compared with one another

# Titles are nouns, so verbs are left out where the ending of the infinitive shows them.
INFINITIVES = {
    "ast": ("ar", "er", "ir"),
    "ca": ("ar", "er", "ir", "re"),
    "cs": ("t", "ti"),
    "el": ("ω", "ώ", "ομαι"),
    "es": ("ar", "er", "ir", "arse", "erse", "irse"),
    "fr": ("er", "ir", "re"),
    "gl": ("ar", "er", "ir"),
    "hbs": ("ti", "ći"),
    "it": ("are", "ere", "ire", "rre", "arsi", "ersi", "irsi"),
    "lt": ("ti", "tis"),
    "lv": ("t", "ties"),
    "pl": ("ć", "c"),
    "pt": ("ar", "er", "ir", "or"),
    "ru": ("ть", "ться", "ти", "тись", "чь", "чься"),
    "sk": ("ť",),
    "sl": ("ti", "či"),
    "tr": ("mak", "mek"),
    "uk": ("ти", "тися"),
}
# English verbs have no ending of their own: the endings of its nouns are named instead.
NOUN_ENDINGS = {"en": frozenset(("", *"s es y ies us i is an en ex ix ices".split()))}
# Suffixes that make another word (industrial of industry), which some dictionaries count as forms.
DERIVATIONS = {
    "pl": ("osc",),
    "ru": ("ост", "ск", "ичн"),
    "uk": ("ст", "ськ", "іин", "ичн"),
}
ANY = "*"  # stands for every letter that a rule does not name
Rule = tuple[str, str]
# Wolves and knives: English verbs (to halve, to knife) hide how safe these are.
IRREGULAR: dict[str, dict[Rule, dict[str, int]]] = {
    "en": {("f", "ves"): dict.fromkeys("aelor", 3), ("fe", "ves"): {"i": 3}},
}


def lemmas_of(language: str) -> dict[str, set[str]]:
    """Return a part of a dictionary, word -> lemmas, as names are compared: folded and without accents."""
    dictionary = DefaultDictionaryFactory().get_dictionary(language)
    kept = min(1.0, MOST_WORDS.get(language, MOST_WORDS_ELSEWHERE) / len(dictionary))
    lemmas: dict[str, set[str]] = {}
    for word, lemma in dictionary.items():
        if crc32(word[:SHORTEST_BEGINNING].lower().encode()) % 1000 >= 1000 * kept or is_verb(lemma, language):
            continue
        if not all(letter.isalpha() or "\u0300" <= letter <= "\u0eff" for letter in word + lemma):
            continue
        own, of = bare(word, language), bare(lemma, language)
        lemmas.setdefault(own, set()).add(of)
        if own[:SHORTEST_BEGINNING] == of[:SHORTEST_BEGINNING]:
            lemmas.setdefault(of, set()).add(of)
    return lemmas


def is_verb(lemma: str, language: str) -> bool:
    """Return whether a lemma looks like a verb; German writes nouns with a capital."""
    if language == "de":
        return not lemma[:1].isupper() and lemma.endswith("n")
    return lemma.endswith(INFINITIVES.get(language, ()) or ("\0",))


def neighbours(words: dict[str, set[str]]) -> Iterator[tuple[str, str, str]]:
    """Yield two words and the whole beginning that they share, if both endings are short."""
    by_beginning = defaultdict(list)
    for word in words:
        for length in range(max(SHORTEST_BEGINNING, len(word) - LONGEST_ENDING), len(word) + 1):
            by_beginning[word[:length]].append(word)
    for beginning, members in by_beginning.items():
        chosen = sorted(members, key=lambda word: crc32(word.encode()))[:CROWDED]
        for one, other in combinations(sorted(chosen), 2):
            if one[len(beginning) : len(beginning) + 1] != other[len(beginning) : len(beginning) + 1]:
                yield one, other, beginning


def is_derivation(rule: Rule, language: str) -> bool:
    """Return whether one of the endings alone has a suffix that makes another word."""
    return any((suffix in rule[0]) != (suffix in rule[1]) for suffix in DERIVATIONS.get(language, ()))


class Evidence:
    """Counts by endings, last letter of the shared beginning and its length, of forms of one word and of others."""

    def __init__(self, language: str) -> None:
        self.same: defaultdict[Rule, defaultdict[str, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
        self.different: defaultdict[Rule, defaultdict[str, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
        self.different_words: dict[tuple[str, str], tuple[Rule, str]] = {}
        lemmas, nouns = lemmas_of(language), NOUN_ENDINGS.get(language)
        for one, other, beginning in neighbours(lemmas):
            rule = (one[len(beginning) :], other[len(beginning) :])
            if (nouns and not nouns.issuperset(rule)) or is_derivation(rule, language):
                continue
            is_same = not lemmas[one].isdisjoint(lemmas[other])
            (self.same if is_same else self.different)[rule][beginning[-1]][len(beginning)] += 1
            if not is_same and len(beginning) <= LONGEST_LISTED:
                self.different_words[one, other] = (rule, beginning)

    def rules(self) -> dict[Rule, dict[str, int]]:
        """Return the safe pairs of endings: behind which letter, and the shortest shared beginning."""
        totals = Counter({rule: sum(map(Counter.total, letters.values())) for rule, letters in self.same.items()})
        all_pairs, seen, rules = totals.total(), 0, {}
        for rule, count in totals.most_common(MOST_RULES):
            if seen > COVERED * all_pairs or count < RARE:
                break
            seen += count
            letters = {letter: self._shortest(rule, letter) for letter in self.same[rule]}
            different = sum(map(Counter.total, self.different[rule].values()))
            if len(letters) >= ENOUGH_LETTERS and count >= SAFE_BEHIND_ANY * (count + different):
                letters |= dict.fromkeys(self.different[rule].keys() - letters.keys(), 0) | {ANY: 5}
            else:
                letters = {letter: shortest for letter, shortest in letters.items() if shortest}
            rules[rule] = letters
        return {rule: letters for rule, letters in rules.items() if letters}

    def _shortest(self, rule: Rule, letter: str) -> int:
        for shortest, share in SAFE.items():
            same, different = (
                sum(count for length, count in counts[rule][letter].items() if length >= shortest)
                for counts in (self.same, self.different)
            )
            if same >= ENOUGH_PAIRS and same >= share * (same + different):
                return shortest
        return 0


def table_of(language: str) -> dict[str, object]:
    """Return what is written for a language: its rules, and the pairs of different words that they would accept."""
    evidence = Evidence(language)
    rules = evidence.rules()
    different = sorted(
        f"{one} {other}"
        for (one, other), (rule, beginning) in evidence.different_words.items()
        if rule in rules and 0 < rules[rule].get(beginning[-1], rules[rule].get(ANY, 0)) <= len(beginning)
    )
    rules |= IRREGULAR.get(language, {})
    return {
        "rules": {"|".join(rule): written(letters) for rule, letters in rules.items()},
        "different": different[:MOST_LISTED],
    }


def written(letters: dict[str, int]) -> str:
    """Return `0z 3abc 5d`: behind a, b and c if three letters are shared, behind d if five are, never behind z."""
    by_shortest = defaultdict(list)
    for letter, shortest in sorted(letters.items()):
        by_shortest[shortest].append(letter)
    return " ".join(f"{shortest}{''.join(members)}" for shortest, members in sorted(by_shortest.items()))


def main(languages: list[str]) -> None:
    """Write a file for each language."""
    for language in languages or sorted(path.stem for path in Path(DATA_FOLDER).glob("*.plzma")):
        table = json.dumps(table_of(language), ensure_ascii=False, separators=(",", ":"))
        (FOLDER / f"{language}.json").write_text(table + "\n", encoding="utf-8")
        print(language, f"{len(table):,} characters", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
