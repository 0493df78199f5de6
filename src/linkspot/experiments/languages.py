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
    `most` languages are tested (0: all). `part` lists the languages to learn from, if a user names them.
    """

    counts: SplitCounts
    dataset: str
    each: bool = False
    most: int = 0
    part: tuple[str, ...] = ()

    def choose(self, tested: Tested) -> LanguageChoice:
        """Return the languages for this kind of test."""
        match tested:
            case Tested.HELD_OUT:
                return self._held_out()
            case Tested.ONE:
                return self._one()
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
        return self._cut(
            self._testable(
                self.counts.held_out,
                "no language that is tested and never learned from; hold some out: linkspot dataset … --hold-out ko,ca",
            )
        )

    def _one(self) -> LanguageChoice:
        testable = self._testable(self.counts.learned)
        families = {family(language) for language in testable}
        best = max(sorted(families), key=lambda name: self._examples(of_family(testable, name)))
        return self._cut(of_family(testable, _ENGLISH if _ENGLISH in families else best))

    def _outside_part(self) -> LanguageChoice:
        testable = self._testable(self.counts.learned)
        if self.part:
            unknown = sorted(set(self.part) - set(self.counts.learned))
            if unknown:
                raise self._lacking(f"nothing to learn from in {', '.join(unknown)}")
            outside = tuple(language for language in testable if language not in self.part)
        else:
            families = sorted(
                {family(language) for language in testable},
                key=lambda name: (-self._examples(of_family(testable, name)), name),
            )
            # Every second language, so that large and small ones are on both sides.
            outside = tuple(language for language in testable if family(language) in families[1::2])
        part = self.part or tuple(
            language for language in self.counts.learned if family(language) not in set(map(family, outside))
        )
        if not outside or not part:
            raise self._lacking(
                f"only {', '.join(testable)} to learn from and test on; at least two languages are needed"
            )
        cut = self._cut(outside)
        return LanguageChoice(cut.tested, part, cut.left_out)

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
