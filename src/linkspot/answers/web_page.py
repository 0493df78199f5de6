"""An answer as one HTML file that needs no other: the page's text with the places shaded by score."""

from importlib import resources
from string import Template

from linkspot.answers.answer import Answer
from linkspot.answers.notes import ACTIONS, NO_LINK, how_sure
from linkspot.records import Action, Place, Section
from linkspot.text.display import html_text

_FAINTEST = 0.04  # of the shade's opacity, below which it is not drawn
_DARKEST = 0.55


def to_html(answer: Answer) -> str:
    """Return the HTML file as text."""
    template = Template(resources.files("linkspot.answers").joinpath("web_page.html").read_text(encoding="utf-8"))
    article = answer.article
    return template.substitute(
        language=html_text(article.language),
        title=html_text(article.title),
        target=html_text(answer.entity.names[0]),
        ranker=html_text(answer.ranker),
        sentences=len(article.sentences),
        notes="".join(f'<p class="note">{html_text(note)}</p>' for note in answer.notes),
        places="".join(_card(answer, rank, place) for rank, place in enumerate(answer.places, start=1)),
        sections="".join(_sections(answer)),
    )


def _card(answer: Answer, rank: int, place: Place) -> str:
    section = answer.article.sections[place.section]
    return (
        f'<li><a href="#place-{rank}"><b>{rank}</b> {ACTIONS[place.action]}'
        f" <small>{html_text(section.title) or 'lead'} · {html_text(how_sure(place))}</small></a>"
        f"<p>{html_text(place.reason)}</p><code>{html_text(place.link or NO_LINK)}</code></li>"
    )


def _sections(answer: Answer) -> list[str]:
    shades = iter(_shades(answer.scores))
    ranked = {(place.section, place.sentence): (rank, place) for rank, place in enumerate(answer.places, start=1)}
    parts = []
    for index, section in enumerate(answer.article.sections):
        level = min(max(section.level, 2), 6)
        heading = f"<h{level} dir=auto>{html_text(section.title)}</h{level}>" if section.title else ""
        parts.append(f"{heading}<p dir=auto>")
        for number, (gap, sentence) in enumerate(zip(section.gaps(), section.sentences, strict=False)):
            parts.append("</p><p dir=auto>" if "\n" in gap else html_text(gap))
            rank, place = ranked.get((index, number), (0, None))
            identity = f' id="place-{rank}" data-rank="{rank}"' if place else ""
            shade = f' style="--shade:{next(shades):.2f}"'
            text = _marked(section, place) if place else html_text(sentence.text)
            parts.append(f"<span class=s{identity}{shade}>{text}</span>")
        parts.append("</p>")
    return parts


def _marked(section: Section, place: Place) -> str:
    sentence = section.sentences[place.sentence]
    if place.words is not None:
        before = section.text[sentence.start : place.words.start]
        after = section.text[place.words.end : sentence.end]
        return f"{html_text(before)}<mark>{html_text(place.words.cut(section.text))}</mark>{html_text(after)}"
    return html_text(sentence.text) + ("<mark>+</mark>" if place.action is Action.ADD_SENTENCE else "")


def _shades(scores: tuple[float, ...]) -> list[float]:
    """Return how strongly each sentence is shaded: from the page's worst score to its best."""
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    if high <= low:
        return [0.0] * len(scores)
    shades = (_DARKEST * (score - low) / (high - low) for score in scores)
    return [shade if shade >= _FAINTEST else 0.0 for shade in shades]
