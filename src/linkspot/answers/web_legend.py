"""The legend of an answer's web page: what each shade means, and how the probability is shared."""

from itertools import pairwise

from linkspot.answers.answer import Answer
from linkspot.answers.notes import capitalised, percent
from linkspot.answers.shades import STEPS, Shades, level
from linkspot.text.display import html_text

_WHOLE = 1000  # the bar's width, in units of its drawing


def legend(answer: Answer, shades: Shades) -> str:
    """Return the legend as HTML; without shades, it says that there are none."""
    if shades.are_probabilities:
        return f"<p>How likely each sentence is the right place:</p>{_scale(_ranges())}{_bar(answer)}"
    if not any(shades.levels):
        return "<p>Nothing is shaded, since no sentence stands out.</p>"
    words = ["lowest score", *[""] * (len(STEPS) - 1), "highest score"]
    return (
        "<p>The scores of this page, from its lowest to its highest. They are no probabilities, and cannot be compared "
        f"with those of other pages.</p>{_scale(words)}"
    )


def _ranges() -> list[str]:
    """Return the probabilities that each shade stands for."""
    borders = [f"{step:.0%}"[:-1] for step in STEPS]
    between = [f"{low}–{high}%" for low, high in pairwise(borders)]
    return [f"under {borders[0]}%", *between, f"over {borders[-1]}%"]


def _scale(words: list[str]) -> str:
    items = (f'<li class="l{number}">{text or "&nbsp;"}</li>' for number, text in enumerate(words))
    return f"<ul class=scale>{''.join(items)}</ul>"


def _bar(answer: Answer) -> str:
    """Return a bar of the whole probability: *nowhere*, then the places, then all other sentences."""
    shares = [("nowhere", answer.nowhere or 0.0, "nowhere")]
    for rank, place in enumerate(answer.places, start=1):
        chance = place.probability or 0.0
        shares.append((f"place {rank}", chance, f"l{level(chance)}"))
    rest = 1 - sum(share for _, share, _ in shares)
    if rest > 1 / _WHOLE:
        shares.append(("elsewhere" if answer.places else "somewhere", rest, "rest"))
    words = " · ".join(f"{name} {percent(share)}" for name, share, _ in shares)
    parts, start = [], 0.0
    for _, share, css in shares:
        parts.append(f'<rect class="{css}" x="{_WHOLE * start:.0f}" width="{_WHOLE * share:.0f}" height="1"/>')
        start += share
    attributes = f'class=bar viewBox="0 0 {_WHOLE} 1" preserveAspectRatio=none aria-hidden=true'
    return f"<svg {attributes}>{''.join(parts)}</svg><p>{html_text(capitalised(words))}</p>"
