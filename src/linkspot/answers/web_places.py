"""The places of an answer as cards of its web page: what to do, how sure that is, why, and the edit as a diff."""

from dataclasses import astuple, dataclass

from linkspot.answers.answer import Answer
from linkspot.answers.notes import ACTIONS, NO_LINK, capitalised, how_sure, percent
from linkspot.answers.page_language import PageLanguage
from linkspot.answers.sentence_markup import SentenceMarkup
from linkspot.records import Action, Place
from linkspot.text.display import displayed, html_text


@dataclass(frozen=True, slots=True)
class WebPlaces:
    """Writes cards for the places of one answer."""

    answer: Answer
    language: PageLanguage

    def cards(self) -> str:
        """Return all cards, best first."""
        return "".join(self._card(rank, place) for rank, place in enumerate(self.answer.places, start=1))

    def verdict(self) -> str:
        """Return the answer as one plain sentence."""
        answer = self.answer
        if answer.existing or answer.is_nowhere:
            return html_text(verdict_without_places(answer))
        place = answer.places[0]
        name = f"“{self.language.isolate(answer.entity.names[0])}”"
        where = f"{self.where(place)} ({html_text(how_sure(place))})"
        if place.words is not None:
            words = place.words.cut(answer.article.sections[place.section].text)
            return f"Link “{self.language.isolate(words)}” in {where}"
        if place.action is Action.ADD_TO_SENTENCE:
            return f"Add {name} to a sentence in {where}"
        return f"Add a sentence on {name} in {where}"

    def where(self, place: Place) -> str:
        """Return the place's section in words."""
        title = self.answer.article.sections[place.section].title
        return f"section {self.language.isolate(title)}" if title else "the lead"

    def _card(self, rank: int, place: Place) -> str:
        action = capitalised(ACTIONS[place.action])
        return (
            f"<li id=card-{rank} tabindex=-1><h3><a href=#place-{rank}><b>{rank}</b>{action}</a></h3>"
            f"<p><strong>{html_text(how_sure(place))}</strong> in {self.where(place)}: "
            f"{self.language.isolate_quotations(place.reason)}</p>{self._diff(place)}{self._button(place)}</li>"
        )

    def _diff(self, place: Place) -> str:
        markup = SentenceMarkup.of(self.answer, place)
        if markup.link:
            head, changed, tail, link = map(html_text, astuple(markup.on_one_line()))
            lines = f"<del>{head}<mark>{changed}</mark>{tail}</del><ins>{head}<mark>{link}</mark>{tail}</ins>"
        else:  # the words around the link are the user's
            sentence = SentenceMarkup(markup.before, "", "").on_one_line().head
            link = f"… <mark>{html_text(place.link)}</mark> …" if place.link else NO_LINK
            lines = f"<span>{html_text(sentence)}</span><ins>{link}</ins>"
        return f"<pre{self.language.attributes}><code>{lines}</code></pre>"

    def _button(self, place: Place) -> str:
        """Return a button that copies the new sentence, or the link; what is copied is always what is shown."""
        after = SentenceMarkup.of(self.answer, place).after or ""
        for what, text in (("sentence", after), ("link", place.link)):
            plain = text.replace("\r\n", "\n")
            if plain and displayed(plain, is_one_line=False) == plain:
                return f'<button type=button class=scripted hidden value="{html_text(plain)}">Copy the {what}</button>'
        return ""


def verdict_without_places(answer: Answer) -> str:
    """Return why the answer recommends no place, as its note begins, too."""
    if answer.existing:
        return "Already linked"
    return "Nowhere" if answer.nowhere is None else f"Nowhere ({percent(answer.nowhere)})"
