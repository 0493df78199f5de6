"""An answer as one HTML file that needs no other: the answer on top, then the page, shaded by probability."""

import hashlib
from base64 import b64encode
from importlib import resources
from string import Template

from linkspot.answers.answer import Answer
from linkspot.answers.notes import capitalised, page_name
from linkspot.answers.page_language import PageLanguage
from linkspot.answers.shades import Shades
from linkspot.answers.web_legend import legend
from linkspot.answers.web_places import WebPlaces, verdict_without_places
from linkspot.answers.web_text import WebText
from linkspot.text.display import html_text


def to_html(answer: Answer) -> str:
    """Return the HTML file as text."""
    article, language, shades = answer.article, PageLanguage.of(answer.article), Shades.of(answer)
    places, text = WebPlaces(answer, language), WebText.of(answer, shades)
    style, script = _file("web_page.css"), _file("web_page.js")
    names = f"“{answer.entity.names[0]}”", page_name(article)
    about = f"{article.markup}, {article.language}, {len(article.sentences)} sentences, ranker {answer.ranker}"
    return Template(_file("web_page.html")).substitute(
        policy=_policy(style, script),
        style=style,
        script=script,
        title=html_text(" in ".join(names)),
        question=language.isolate_quotations("Where does {} belong in {}?".format(*names)),
        verdict=places.verdict(),
        notes="".join(f"<p class=note>{language.isolate_quotations(note)}</p>" for note in _notes(answer)),
        places=_places(answer, places),
        legend=legend(answer, shades),
        attributes=language.attributes,
        page=html_text(article.title) or "The page",
        text=text.text,
        map=text.map,
        map_attributes=f'dir="{language.direction}"',
        about=html_text(about),
    )


def _notes(answer: Answer) -> list[str]:
    """Return the notes; one that begins with the verdict, which stands above it, does not repeat it."""
    said = f"{verdict_without_places(answer)}: "
    return [capitalised(note.removeprefix(said)) if note.startswith(said) else note for note in answer.notes]


def _places(answer: Answer, places: WebPlaces) -> str:
    if not answer.places:
        return ""
    is_advised = not answer.is_nowhere and not answer.existing
    heading = "Places" if is_advised else "The best places, if you want it anyway"
    cards = f"<h2 id=places>{heading}</h2><ol class=cards>{places.cards()}</ol>"
    return f"<section class=answer aria-labelledby=places>{cards}</section>"


def _policy(style: str, script: str) -> str:
    """Return the content security policy: these styles, this script, and nothing else."""
    return (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; base-uri 'none'; "
        "form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _file(name: str) -> str:
    return resources.files("linkspot.answers").joinpath(name).read_text(encoding="utf-8")
