"""Which languages an experiment learns from and which it tests, given the languages of a dataset."""

from collections.abc import Iterable
from dataclasses import dataclass

from linkspot.errors import UnusableInput
from linkspot.experiments.experiment import Learns, Tested
from linkspot.experiments.split_counts import SplitCounts

FEWEST = 10  # test queries that a language needs for meaningful figures
_ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class LanguageChoice:
    """The languages of an experiment: those that are tested, and the part that some variants learn from.

    `left_out` lists languages that could be tested but are not, each with the reason.
    """

    tested: tuple[str, ...]
    part: tuple[str, ...]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chooser:
    """Chooses languages of a dataset.

    `each` says that every tested language has its own models, which learn from links and from insertions; then at most
    `most` languages are tested (0: all). `part` lists the languages to learn from, if a user names them, and `language`
    the only language to test. `papers` are the languages of the paper's models with a part of them and with all.
    """

    counts: SplitCounts
    dataset: str
    each: bool = False
    most: int = 0
    part: tuple[str, ...] = ()
    language: str = ""
    papers: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def choose(self, tested: Tested, language: str = _ENGLISH) -> LanguageChoice:
        """Return the languages for this kind of test; `language` is the first choice where one is tested."""
        match tested:
            case Tested.HELD_OUT:
                return self._held_out()
            case Tested.ONE:
                return self._one(language)
            case Tested.OUTSIDE_PART:
                return self._outside_part()
            case Tested.LEARNED:
                return self._cut(self._testable(self.counts.learned))

    def learned(self, learns: Learns, choice: LanguageChoice) -> tuple[str, ...]:
        """Return the languages that a model for all tested languages learns from."""
        if learns is Learns.ONE:
            return choice.tested
        return choice.part if learns is Learns.PART else self.counts.learned

    def _held_out(self) -> LanguageChoice:
        cut = self._cut(
            self._testable(
                self.counts.held_out,
                "no language that is tested and never learned from; hold some out: linkspot dataset … --hold-out ko,ca",
            )
        )
        part = self._named_part() or self._papers_part() or self._half(self.counts.learned)
        return LanguageChoice(cut.tested, part, cut.left_out)

    def _one(self, first_choice: str) -> LanguageChoice:
        testable = self._testable(self.counts.learned)
        families = {family(language) for language in testable}
        if self.language:
            own = tuple(name for name in testable if self.language in {name, family(name)})
            if not own:
                raise self._lacking(
                    f"no {FEWEST} insertions to test on in {self.language}, which --language names; there are: "
                    f"{', '.join(testable)}"
                )
            return self._cut(own)
        best = max(sorted(families), key=lambda name: self._examples(of_family(testable, name)))
        chosen = next((name for name in (first_choice, _ENGLISH) if name in families), best)
        return self._cut(of_family(testable, chosen))

    def _outside_part(self) -> LanguageChoice:
        testable = self._testable(self.counts.learned)
        part = self._named_part() or self._papers_part()
        if not part:
            half = set(map(family, self._half(testable)))
            outside = tuple(language for language in testable if family(language) not in half)
            families = set(map(family, outside))
            part = tuple(language for language in self.counts.learned if family(language) not in families)
        outside = tuple(language for language in testable if language not in part)
        if not outside or not part:
            raise self._lacking(
                f"only {', '.join(testable)} to learn from and test on; at least two languages are needed"
            )
        cut = self._cut(outside)
        return LanguageChoice(cut.tested, part, cut.left_out)

    def _named_part(self) -> tuple[str, ...]:
        unknown = sorted(set(self.part) - set(self.counts.learned))
        if unknown:
            raise self._lacking(f"nothing to learn from in {', '.join(unknown)}")
        return self.part

    def _papers_part(self) -> tuple[str, ...]:
        """Return the part that the paper's model learns from, if the dataset has all languages of the paper."""
        part, everything = self.papers
        return part if everything and set(everything) <= set(self.counts.learned) else ()

    def _half(self, languages: Iterable[str]) -> tuple[str, ...]:
        """Return every second language, so that large and small ones are on both sides."""
        names = tuple(languages)
        families = sorted(
            {family(language) for language in names},
            key=lambda name: (-self._examples(of_family(names, name)), name),
        )
        return tuple(language for language in names if family(language) in families[::2])

    def _testable(self, languages: Iterable[str], remedy: str = "") -> tuple[str, ...]:
        """Return the languages with enough tests and, if each has its own models, with enough to learn from."""
        counts = self.counts
        testable = tuple(
            language
            for language in languages
            if counts.test.get(language, 0) >= FEWEST
            and (not self.each or (counts.train.get(language) and counts.links.get(language)))
        )
        if not testable:
            learned = " and that it also learns from" if self.each else ""
            raise self._lacking(remedy or f"no language with {FEWEST} insertions to test on{learned}")
        return testable

    def _cut(self, languages: tuple[str, ...]) -> LanguageChoice:
        counts = self.counts.test
        order = sorted(languages, key=lambda language: (-counts[language], language))
        kept = order[: self.most] if self.each and self.most else order
        few = [name for name, count in sorted(counts.items()) if count < FEWEST]
        left_out = [f"{language}: left out to save time" for language in order if language not in kept]
        left_out += [f"{language}: {counts[language]} queries to test on, fewer than {FEWEST}" for language in few]
        return LanguageChoice(tuple(sorted(kept)), (), tuple(left_out))

    def _examples(self, languages: Iterable[str]) -> int:
        return sum(self.counts.train.get(language, 0) for language in languages)

    def _lacking(self, what: str) -> UnusableInput:
        return UnusableInput(f"{self.dataset} has {what}")


def family(language: str) -> str:
    """Return a language without its country: en for en-us."""
    return language.partition("-")[0]


def of_family(languages: Iterable[str], name: str) -> tuple[str, ...]:
    """Return the variants of one language, whatever their countries."""
    return tuple(language for language in languages if family(language) == name)
