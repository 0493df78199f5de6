"""The head of the model that comes with linkspot: what its features, its form and its training data are worth."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from bench.head_cases import HeadCase, HeadCases
from bench.head_trees import Scorer, TreesSettings, fit_trees
from bench.outcomes import FEWEST, Outcome, kept_share, languages, outcomes, slices, with_error
from linkspot.model.dual.feature_table import AXES, NAMES, PRECEDENT_COLUMNS
from linkspot.model.dual.page_view import Floats
from linkspot.training.head import HeadSettings, fit
from linkspot.training.head_rows import HeadSample

_PARTS = 4  # of a cross-validation, by pages
_PARTS_OF_TESTS = 3
_PARTS_OF_LINKS = 3  # one of them is kept apart
_SHARES = (8, 4, 2, 1)  # of a learning curve: one insertion in so many
_SETTINGS = HeadSettings(networks=1, epochs=25)  # one network instead of three, so that many can be compared
_AVERAGED = 10  # networks
_LEFT_OUT = {
    "precedents": [NAMES[number] for number in PRECEDENT_COLUMNS],
    "what texts are about": AXES,
}


def measure() -> str:
    """Return the tables; vectors that were made before are kept and used again."""
    cases = HeadCases.read()
    return "\n".join(
        [
            "Hits@1 / MRR of heads on the same vectors, those that the shipped model's head learned from; ± is half",
            f"of MRR's 95 % interval. A head is one network that learns for {_SETTINGS.epochs} epochs at most.",
            "Present: the words were there; Missing: all others.",
            "",
            *_features(cases),
            "",
            *_training_data(cases),
            "",
            *_curve(cases),
            "",
            *_held_out(cases),
            "",
            *_left_out(cases),
        ]
    )


def _features(cases: HeadCases) -> list[str]:
    """Compare features and forms of the head by cross-validation over the training insertions."""
    heads: dict[str, list[Outcome]] = defaultdict(list)
    for part in range(_PARTS):
        for what, names in _LEFT_OUT.items():
            train, stop, test = _divided([case.without(names) for case in cases.train], part)
            heads[f"a network, without {what}"] += _tried(_network(train, stop), test)
        train, stop, test = _divided(cases.train, part)
        network, trees = _network(train, stop), fit_trees(train, stop, TreesSettings(), seed=0)
        heads["a network"] += _tried(network, test)
        heads[f"{_AVERAGED} networks, averaged"] += _tried(_network(train, stop, _AVERAGED), test)
        heads["trees (LambdaMART)"] += _tried(trees, test)
        heads["a network and trees"] += _tried(_mixed([network, trees], stop), test)
    count = _answerable(cases.train)
    title = f"{count:,} insertions in {_PARTS} parts by pages; each part tests heads that learned from the others:"
    rows = [(name, *_slice_cells(results)) for name, results in heads.items()]
    return [title, "", *_table(("head", "all", "Present", "Missing"), rows)]


def _divided(cases: Sequence[HeadCase], part: int) -> tuple[list[HeadSample], list[HeadSample], list[HeadCase]]:
    """Return what to learn from, what decides when to stop, and the part that only tests."""
    stopping = (part + 1) % _PARTS
    return (
        _samples([case for case in cases if case.part(_PARTS) not in {part, stopping}]),
        _samples([case for case in cases if case.part(_PARTS) == stopping]),
        [case for case in cases if case.part(_PARTS) == part],
    )


def _training_data(cases: HeadCases) -> list[str]:
    """Compare what is learned from, on validation and on existing links that are kept apart."""
    test_links = [case for case in cases.links if case.part(_PARTS_OF_LINKS) == 0]
    links = [case for case in cases.links if case.part(_PARTS_OF_LINKS) != 0]
    rows = []
    for name, train in (("insertions", cases.train), ("insertions and existing links", [*links, *cases.train])):
        scorer = _network(_samples(train), _samples(cases.validation))
        insertions = _tried(scorer, cases.validation)
        micro, _present, _missing = _slice_cells(insertions)
        rows.append((name, micro, with_error(languages(insertions)), _macro(scorer, test_links)))
    title = (
        f"What is learned from: {_answerable(cases.validation):,} validation insertions, which also decide when to "
        f"stop, and {_answerable(test_links):,} existing links apart from those learned from:"
    )
    return [title, "", *_table(("learned from", "insertions, micro", "macro", "existing links, macro"), rows)]


def _curve(cases: HeadCases) -> list[str]:
    """Return how the figures on validation grow with the number of training insertions."""
    order = list(cases.train)
    Random(0).shuffle(order)
    rows = []
    for share in _SHARES:
        sample = order[: len(order) // share]
        scorer = _network(_samples([*cases.links, *sample]), _samples(cases.validation))
        micro, _present, missing = _slice_cells(_tried(scorer, cases.validation))
        rows.append((f"{_answerable(sample):,}", micro, missing))
    title = "Does more data help? The same existing links and fewer insertions, validation, micro:"
    return [title, "", *_table(("insertions with a right place", "all", "Missing"), rows)]


def _held_out(cases: HeadCases) -> list[str]:
    """Compare a head that never learned from some languages with one that did, on the same tests."""
    train, stop = [*cases.links, *cases.train], _samples(cases.validation)
    without, with_them = _tried(_network(_samples(train), stop), cases.held_out), []
    for part in range(_PARTS_OF_TESTS):
        test = [case for case in cases.held_out if case.part(_PARTS_OF_TESTS) == part]
        others = [case for case in cases.held_out if case.part(_PARTS_OF_TESTS) != part]
        with_them += _tried(_network(_samples([*train, *others]), stop), test)
    groups = [languages(results) for results in (without, with_them)]
    names = [f"{group[0].language} ({len(group)})" for group in groups[0]]
    rows = [
        (name, *(with_error([group]) for group in by_language), with_error(by_language))
        for name, by_language in zip(("other languages alone", "these as well"), groups, strict=True)
    ]
    return [
        f"Languages that it never learned from, in {_PARTS_OF_TESTS} parts by pages, so that no page",
        "is both learned from and tested:",
        "",
        *_table(("learned from", *names, "mean"), rows),
        "",
        f"Without them {kept_share(*groups)}",
    ]


def _left_out(cases: HeadCases) -> list[str]:
    """Leave one language after another out of the training data, and test on that language's validation."""
    train = [*cases.links, *cases.train]
    rows, without, with_it = [], [], []
    for language in sorted({case.base_language for case in cases.validation}):
        test = [case for case in cases.validation if case.base_language == language and case.gold]
        stop = _samples([case for case in cases.validation if case.base_language != language])
        if len(test) < FEWEST:
            continue
        others = [case for case in train if case.base_language != language]
        without.append(_tried(_network(_samples(others), stop), test))
        with_it.append(_tried(_network(_samples(train), stop), test))
        rows.append((f"{language} ({len(test)})", with_error(without[-1:]), with_error(with_it[-1:])))
    rows.append(("mean", with_error(without), with_error(with_it)))
    return [
        "The same for each language of the validation insertions in turn, its dialects together; the insertions of",
        "the other languages decide when to stop:",
        "",
        *_table(("tested on", "learned from the other languages", "from all"), rows),
        "",
        f"On average {kept_share(without, with_it)}",
    ]


def _network(samples: Sequence[HeadSample], validation: Sequence[HeadSample], count: int = 1) -> Scorer:
    return fit(samples, validation, replace(_SETTINGS, networks=count), seed=0).place


def _mixed(scorers: Sequence[Scorer], validation: Sequence[HeadSample]) -> "_Sum":
    """Return the sum of scorers, each scaled to the same deviation on validation."""
    matrix = np.concatenate([sample.matrix for sample in validation])
    return _Sum([scorer.scaled(1 / float(scorer(matrix).std())) for scorer in scorers])


@dataclass(frozen=True)
class _Sum:
    scorers: Sequence[Scorer]

    def __call__(self, matrix: Floats, /) -> Floats:
        total: Floats = np.sum([scorer(matrix) for scorer in self.scorers], axis=0, dtype=np.float32)
        return total


def _samples(cases: Sequence[HeadCase]) -> list[HeadSample]:
    return [case.sample for case in cases]


def _answerable(cases: Sequence[HeadCase]) -> int:
    return sum(1 for case in cases if case.gold)


def _tried(scorer: Callable[[Floats], Floats], cases: Sequence[HeadCase]) -> list[Outcome]:
    return outcomes(cases, lambda case: scorer(case.sample.matrix))


def _macro(scorer: Callable[[Floats], Floats], cases: Sequence[HeadCase]) -> str:
    return with_error(languages(_tried(scorer, cases)))


def _slice_cells(results: Sequence[Outcome]) -> tuple[str, str, str]:
    """Return the figures of all, Present and Missing."""
    present, missing = slices(results)
    return with_error([results]), with_error([present]), with_error([missing])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    return [lines[0], "| --- |" + " ---: |" * (len(head) - 1), *lines[1:]]
