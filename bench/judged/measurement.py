"""Answers every judged pair, and counts how often place, advice and edit are right, by class."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.judged.pair import FOLDER, FRESH, KEPT, PAIRS, Pair, PairClass, page_of, pairs
from bench.judged.verdict import EditQuality, Verdict, judge, linked_words
from linkspot.answers.answer import Answer
from linkspot.answers.suggestion import suggest
from linkspot.ranking.ranker import DEFAULT_RANKER, open_ranker

TOP = 5
_NONE = "–"
_BEFORE = "Before any change that was made with the set in view (later runs show these figures beside their own)."


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """A pair with the verdict on its answer, and its verdict on older code, if it was kept."""

    pair: Pair
    verdict: Verdict
    before: Verdict | None = None


def measure(options: Sequence[str] = ()) -> str:
    """Answer the pairs, or those of another set, and return the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench judged")
    sets = parser.add_mutually_exclusive_group()
    sets.add_argument("--kept", action="store_const", dest="file", const=KEPT, help="the third that is kept apart")
    sets.add_argument("--fresh", action="store_const", dest="file", const=FRESH, help="the pairs on other pages")
    parser.add_argument("--out", type=Path, help="a file that gets every answer in one line")
    parser.add_argument("--as-before", action="store_true", help="keep the verdicts, to be compared with later ones")
    arguments = parser.parse_args(options)
    file: Path = arguments.file or PAIRS
    own_pairs = pairs(file)
    before_file = FOLDER / ("before.jsonl" if file == PAIRS else f"{file.stem}-before.jsonl")
    answers = list(_answers(own_pairs))
    verdicts = [judge(pair, answer) for pair, answer in zip(own_pairs, answers, strict=True)]
    if arguments.out:
        lines = map(_line, own_pairs, answers, verdicts)
        arguments.out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if arguments.as_before:
        keep_verdicts(own_pairs, verdicts, before_file)
        return f"{_BEFORE}\n\n{report(list(map(JudgedAnswer, own_pairs, verdicts)))}"
    before = kept_verdicts(before_file, own_pairs)
    return report(list(map(JudgedAnswer, own_pairs, verdicts, before)))


def report(judged: Sequence[JudgedAnswer]) -> str:
    """Return the figures as text: a table by class, and what must hold for every pair."""
    languages = {case.pair.language for case in judged}
    pages = {case.pair.page for case in judged}
    lines = [
        f"{len(judged)} pairs of page and target in {len(languages)} languages, on {len(pages)} pages, labelled by",
        "reading before any answer was seen (`bench/judged`). Shares of pairs: *place*, the best place or *nowhere* is",
        "sensible; *advice*, what it says is true; *edit*, an editor would take the edit as it is.",
        "",
        *_table(judged),
        "",
        *_claims(judged),
    ]
    return "\n".join(lines)


def _answers(own_pairs: Sequence[Pair]) -> Iterator[Answer]:
    ranker = open_ranker(DEFAULT_RANKER)
    for pair in own_pairs:
        yield suggest(page_of(pair.page), pair.target, ranker, TOP)


def _table(judged: Sequence[JudgedAnswer]) -> Iterator[str]:
    has_before = any(case.before for case in judged)
    names = ("place", "advice", "edit", "edit with the best words")
    heads = [f"{name}{when}" for name in names for when in ((", before", "") if has_before else ("",))]
    yield f"| class | pairs | {' | '.join(heads)} |"
    yield f"| --- |{' ---: |' * (len(heads) + 1)}"
    groups = {name.value: [case for case in judged if case.pair.pair_class is name] for name in PairClass}
    for name, group in {**groups, "**all**": list(judged)}.items():
        if group:
            yield f"| {name} | {len(group)} | {' | '.join(_cells(group, has_before))} |"


def _cells(group: Sequence[JudgedAnswer], has_before: bool) -> Iterator[str]:
    worded = [case for case in group if case.pair.pair_class.has_words]
    columns: list[tuple[Sequence[JudgedAnswer], Callable[[Verdict], bool]]] = [
        (group, lambda verdict: verdict.place),
        (group, lambda verdict: verdict.advice),
        (worded, lambda verdict: verdict.takes_edit),
        (worded, _has(EditQuality.BEST)),
    ]
    for cases, is_good in columns:
        if has_before:
            yield _share([case.before for case in cases], is_good)
        yield _share([case.verdict for case in cases], is_good)


def _share(verdicts: Sequence[Verdict | None], is_good: Callable[[Verdict], bool]) -> str:
    known = [verdict for verdict in verdicts if verdict]
    return f"{sum(map(is_good, known)) / len(known):.3f}" if known else _NONE


def _claims(judged: Sequence[JudgedAnswer]) -> Iterator[str]:
    """Yield what must hold for every pair, each with its counts."""
    friends = [case for case in judged if case.pair.pair_class is PairClass.FRIENDS]
    others = [case for case in judged if case.pair.not_words and case not in friends]
    linked = [case for case in judged if case.pair.exists]
    worded = [case for case in judged if case.pair.pair_class.has_words]
    yield f"- False friends claimed, in the best {TOP} places: {_counts(friends, lambda one: one.claims_friend)}"
    yield f"- Such words claimed on pairs of other classes: {_counts(others, lambda one: one.claims_friend)}"
    yield f"- Already linked, and said first: {_counts(linked, lambda one: one.says_linked)}"
    yield f"- Edit links other words than it should: {_counts(worded, _has(EditQuality.OTHER_WORDS))}"
    yield f"- Edit is broken: {_counts(worded, _has(EditQuality.BROKEN))}"
    yield f"- Words are there, but none are linked: {_counts(worded, _has(EditQuality.MISSING))}"


def _has(quality: EditQuality) -> Callable[[Verdict], bool]:
    return lambda verdict: verdict.edit is quality


def _counts(cases: Sequence[JudgedAnswer], is_so: Callable[[Verdict], bool]) -> str:
    before = [case.before for case in cases if case.before]
    was = f"; before: {sum(map(is_so, before))}" if before else ""
    return f"{sum(is_so(case.verdict) for case in cases)} of {len(cases)}{was}"


def _line(pair: Pair, answer: Answer, verdict: Verdict) -> str:
    """Return an answer in one line of columns, for reading."""
    marks = "".join(sign if good else "." for sign, good in (("P", verdict.place), ("A", verdict.advice)))
    best = answer.places[0] if answer.places else None
    words = linked_words(answer.article, best) if best else ""
    said = f"{best.action} {words!r} in: {best.text} ({best.reason})" if best else "nowhere"
    friend = "claims a false friend" if verdict.claims_friend else ""
    columns = (marks, verdict.edit or _NONE, pair.pair_class, pair.key, said, friend, *answer.notes)
    return "\t".join(" ".join(column.split()) for column in columns)


def keep_verdicts(own_pairs: Sequence[Pair], verdicts: Sequence[Verdict], file: Path) -> None:
    """Write the verdicts on pairs to a file, for a later comparison."""
    records = (
        {"class": pair.pair_class, "pair": pair.key, **asdict(one)}
        for pair, one in zip(own_pairs, verdicts, strict=True)
    )
    file.write_text("".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records), encoding="utf-8")


def kept_verdicts(file: Path, own_pairs: Sequence[Pair]) -> list[Verdict | None]:
    """Return the verdicts on pairs that a file keeps; None for all if there is no file."""
    if not file.exists():
        return [None] * len(own_pairs)
    kept: dict[str, Verdict] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        edit = EditQuality(record["edit"]) if record["edit"] else None
        flags = (record["claims_friend"], record["says_linked"])
        kept[record["pair"]] = Verdict(record["place"], record["advice"], edit, *flags)
    missing = [pair.key for pair in own_pairs if pair.key not in kept]
    if missing:
        sys.exit(f"bench: {file.name} has no verdict on {missing[0]}; run the older code with --as-before again")
    return [kept[pair.key] for pair in own_pairs]
