"""Tables that compare rankers: their figures by slice and by language, and whether they differ by more than chance."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from linkspot.evaluation.curves import Point
from linkspot.evaluation.figures import Figure, Figures, Metric
from linkspot.evaluation.stored import Evaluation
from linkspot.metrics.averages import Average
from linkspot.metrics.calibration import Reliabilities
from linkspot.metrics.significance import Comparison
from linkspot.metrics.significance_marks import BETTER, LEVEL, WORSE, significance_marks
from linkspot.metrics.slices import MAIN_SLICES, NOWHERE_SLICE, OVERALL, SLICES, Slice
from linkspot.reporting.cells import (
    Cell,
    Cells,
    Estimate,
    count,
    difference,
    metric,
    p_value,
    share_with_margin,
    with_margin,
)
from linkspot.reporting.report_table import Column, ReportTable

#: The comparisons of all pairs of rankers, by slice and metric.
Pairs = Mapping[tuple[Slice, Metric], Sequence[Comparison]]

CHANCE = "chance"
_RANKER, _QUERIES, _LANGUAGE = Column("ranker"), Column("queries", count), Column("language")


def main_table(
    figures: Figures,
    metrics: Sequence[Metric],
    pairs: Pairs,
    against: str = "",
    rivals: Mapping[str, str] | None = None,
    parts: Sequence[Slice] = MAIN_SLICES,
) -> ReportTable:
    """Return the table that sums an evaluation up: rankers by slice and metric, with marks of significance."""
    fields = [(part, name) for part in parts for name in metrics]
    columns = [_contest(name, metric, part.name) for part, name in fields]
    cells: dict[str, list[Cell]] = {ranker: [ranker] for ranker in figures.rankers}
    for part, name in fields:
        values = {ranker: figures.figure(ranker, name, part) for ranker in cells}
        means = {ranker: figure.value for ranker, figure in values.items() if figure}
        marks = significance_marks(means, pairs.get((part, name), ()), against, rivals)
        for ranker, figure in values.items():
            cells[ranker].append(_estimate(figure, marks.get(ranker, "")))
    rows = tuple(tuple(row) for row in cells.values())
    note = f"{_sizes(figures, parts)} {_meaning_of_marks(figures, against, rivals)}"
    return ReportTable("main", "Rankers, macro over languages", (_RANKER, *columns), rows, note=note)


def _sizes(figures: Figures, parts: Sequence[Slice]) -> str:
    """Say how many queries and languages are behind each slice."""
    sizes = []
    for part in parts:
        languages = len(figures.languages(part))
        plural = "" if languages == 1 else "s"
        sizes.append(f"{part.name}: {len(figures.queries(part)):,} queries in {languages:,} language{plural}")
    return "; ".join(sizes) + "."


def _meaning_of_marks(figures: Figures, against: str, rivals: Mapping[str, str] | None) -> str:
    if len(figures.rankers) == 1:
        return "There is only one ranker, and none to compare it with."
    level = f"p < {metric(LEVEL)[:3]}, corrected for the number of pairs"
    if rivals is not None:
        return f"{BETTER} better, {WORSE} worse than the variant before by more than chance ({level})."
    if against:
        return f"{BETTER} better, {WORSE} worse than {against} by more than chance ({level})."
    return f"{BETTER} better than the best of the others by more than chance ({level})."


def slice_table(figures: Figures, parts: Sequence[Slice] = SLICES) -> ReportTable:
    """Return every metric in every slice, macro over languages."""
    columns = (Column("slice"), _QUERIES, _RANKER, *(_contest(name, with_margin) for name in Metric))
    rows = tuple(
        (
            part.name,
            len(figures.queries(part)),
            ranker,
            *(_estimate(figures.figure(ranker, name, part)) for name in Metric),
        )
        for part in parts
        for ranker in figures.rankers
    )
    note = "Macro over languages; ± is half of the 95 % interval."
    return ReportTable("slices", "All metrics by slice", columns, rows, block=2, note=note)


def language_table(figures: Figures, metrics: Sequence[Metric]) -> ReportTable:
    """Return the main slices language by language, after the means over all."""
    columns = [_LANGUAGE, _QUERIES, _RANKER]
    columns += [_contest(name, metric, part.name) for part in MAIN_SLICES for name in metrics]
    rows = tuple(
        (
            of,
            len(figures.queries(OVERALL, of)),
            ranker,
            *(_estimate(figures.figure(ranker, name, part, of)) for part in MAIN_SLICES for name in metrics),
        )
        for of in (*Average, *figures.languages(OVERALL))
        for ranker in figures.rankers
    )
    note = "Macro: every language counts alike; micro: every query does."
    return ReportTable("languages", "Rankers by language", tuple(columns), rows, block=2, note=note)


def figure_table(figures: Figures) -> ReportTable:
    """Return every metric by ranker, slice and language."""
    columns = (_RANKER, Column("slice"), _LANGUAGE, _QUERIES, *(_contest(name, metric) for name in Metric))
    rows = tuple(
        (
            ranker,
            part.name,
            str(of),
            len(figures.queries(part, of)),
            *(_estimate(figures.figure(ranker, name, part, of)) for name in Metric),
        )
        for ranker in figures.rankers
        for part in SLICES
        for of in (*Average, *figures.languages(part))
    )
    return ReportTable("figures", "All figures", columns, rows, is_in_page=False)


def pair_table(pairs: Pairs, draws: int) -> ReportTable:
    """Return how much any two rankers differ, and how often chance alone gives as large a difference."""
    names = ("slice", "metric", "ranker a", "ranker b")
    numbers = (Column("difference", difference), Column("p", p_value), Column("p corrected", p_value))
    rows = tuple(
        (part.name, name, pair.a, pair.b, pair.difference, pair.p, pair.p_corrected)
        for (part, name), comparisons in pairs.items()
        for pair in comparisons
    )
    note = (
        f"Paired randomisation tests with {draws:,} draws on the same queries, stratified by language; the correction "
        "is Holm's, for all pairs of rankers in one slice and metric."
    )
    return ReportTable(
        "pairs", "Differences between rankers", (*map(Column, names), *numbers), rows, block=2, note=note
    )


def nowhere_table(figures: Figures) -> ReportTable:
    """Return how often each ranker says that the link belongs nowhere, rightly and wrongly."""
    columns = [_RANKER]
    for part in (NOWHERE_SLICE, OVERALL):
        said = Column("nowhere", share_with_margin, part.name, has_interval=True)
        columns += [replace(_QUERIES, group=part.name), said]
    rows = tuple(
        (
            ranker,
            *(
                cell
                for part in (NOWHERE_SLICE, OVERALL)
                for cell in (len(figures.queries(part)), _estimate(figures.says_nowhere(ranker, part)))
            ),
        )
        for ranker in figures.rankers
    )
    note = (
        f"In {NOWHERE_SLICE.name} no place is right, so that nowhere is the right answer and those queries are in no "
        f"other table; in {OVERALL.name} it is wrong. Macro over languages."
    )
    return ReportTable("nowhere", "How often rankers say nowhere", tuple(columns), rows, note=note)


def left_out(evaluation: Evaluation) -> str:
    """Say which rankers are in no table; nothing if all are in the tables."""
    names = ", ".join(evaluation.unfinished)
    return f"Left out, since not all queries are ranked yet: {names}." if names else ""


def given_as(evaluation: Evaluation) -> str:
    """Say in which form rankers got the candidates; nothing if all got the page as people read it."""
    labels: dict[str, list[str]] = {}
    for label, ranking in evaluation.rankings.items():
        if ranking.given:
            labels.setdefault(ranking.given, []).append(label)
    forms = "; ".join(f"{', '.join(names)}: {given}" for given, names in labels.items())
    return f"What rankers were given instead of the page – {forms}." if forms else ""


def curve_table(name: str, title: str, column: str, points: Sequence[Point], metrics: Sequence[Metric]) -> ReportTable:
    """Return the points of a curve, with what a random order is expected to reach."""
    columns = (Column(column), _QUERIES, _RANKER, *(_contest(name, with_margin) for name in metrics))
    rows: list[Cells] = []
    for point in points:
        for ranker in dict.fromkeys(ranker for ranker, _metric in point.figures):
            estimates = (_estimate(point.figures.get((ranker, name))) for name in metrics)
            rows.append((point.name, point.queries, ranker, *estimates))
        rows.append((point.name, point.queries, CHANCE, *map(point.chance.get, metrics)))
    note = "Queries with a right place; every query counts alike. Chance is the expectation of a random order."
    return ReportTable(name, title, columns, tuple(rows), block=2, note=note)


def calibration_table(reliabilities: Reliabilities, others: Sequence[str]) -> ReportTable:
    """Return the calibration errors of rankers, each given for its best places and for *nowhere*."""
    columns = (_RANKER, _QUERIES, Column("ECE of the best place", metric), Column("ECE of nowhere", metric))
    rows = tuple(
        (ranker, place.queries, place.error, nowhere.error) for ranker, (place, nowhere) in reliabilities.items()
    )
    note = "Only scores that are logits of places against nowhere are probabilities"
    note += f"; those of {', '.join(others)} are not." if others else "."
    return ReportTable("calibration", "Calibration: expected errors", columns, rows, note=note)


def reliability_table(reliabilities: Reliabilities) -> ReportTable:
    """Return the points of the reliability plot."""
    border, mean = (Column("from", metric), Column("to", metric)), Column("mean probability", metric)
    columns = (_RANKER, Column("of"), *border, _QUERIES, mean, Column("share right", metric))
    rows = tuple(
        (ranker, of, part.low, part.high, part.queries, part.said, part.right)
        for ranker, both in reliabilities.items()
        for of, reliability in zip(("best place", "nowhere"), both, strict=True)
        for part in reliability.bins
    )
    return ReportTable("reliability", "Probabilities and how often they were right", columns, rows, is_in_page=False)


def _contest(name: str, form: Callable[[Cell], str], group: str = "") -> Column:
    return Column(name, form, group, is_contest=True, has_interval=True)


def _estimate(figure: Figure | None, mark: str = "") -> Estimate | None:
    return Estimate(figure.value, figure.interval.low, figure.interval.high, mark) if figure else None
