"""The edit that an editor wants: other words, another target, their own sentence; checked before anybody sees it."""

from dataclasses import dataclass, replace
from typing import Any

from linkspot.answers.answer import Answer
from linkspot.answers.link_markup import LinkWriter
from linkspot.answers.page_edit import PageEdit, page_edit
from linkspot.answers.source_page import SourcePage
from linkspot.answers.target import Target
from linkspot.errors import UnwritableEdit, UnwritableLink
from linkspot.parsing import parse
from linkspot.records import Action, Entity, Page, Place, Section, Sentence
from linkspot.service.worker_process import Workplace
from linkspot.source_map import Span


@dataclass(frozen=True, slots=True)
class EditTask:
    """An edit at one sentence of a page, for a worker.

    With a `text`, it is the sentence's markup, rewritten, or a new sentence after it (`add_sentence`); otherwise the
    link is put around the characters `start` to `end` of the sentence.
    """

    page: Page
    target: Entity
    section: int
    sentence: int
    action: Action
    start: int = 0
    end: int = 0
    text: str = ""

    def run(self, workplace: Workplace) -> dict[str, Any]:
        """Return the edit; an UnwritableEdit or UnwritableLink says why there is none."""
        source = SourcePage.of(self.page, limits=workplace.limits)
        section, sentence = self._place(source)
        writer = LinkWriter.of(source, Target(self.target, url=self.target.url))
        place = self._words(source, section, sentence, writer) if not self.text else self._text(sentence, writer)
        answer = Answer(source.page, source.article, self.target, workplace.ranker_name, (place,), (0.0,))
        edit = page_edit(answer, 1, self.text)
        return self._shown(edit, source, section, sentence)

    def _place(self, source: SourcePage) -> tuple[Section, Sentence]:
        sections = source.article.sections
        if not 0 <= self.section < len(sections) or not 0 <= self.sentence < len(sections[self.section].sentences):
            raise UnwritableEdit(f"the page has no sentence {self.sentence} in section {self.section}; ask again")
        section = sections[self.section]
        return section, section.sentences[self.sentence]

    def _words(self, source: SourcePage, section: Section, sentence: Sentence, writer: LinkWriter) -> Place:
        if not 0 <= self.start < self.end <= len(sentence.text):
            raise UnwritableEdit("these words are not in the sentence; choose words that are, or rewrite the sentence")
        words = Span(sentence.start + self.start, sentence.start + self.end)
        if section.links_in(words.start, words.end):
            raise UnwritableEdit("these words are in a link already; choose others")
        span = section.source_map.source_span(words.start, words.end, with_notes=False)
        link = writer.around(span.cut(source.page.text))
        return Place(self.section, self.sentence, 0.0, Action.LINK_WORDS, "", span, link, words, text=sentence.text)

    def _text(self, sentence: Sentence, writer: LinkWriter) -> Place:
        try:
            link = writer.named()
        except UnwritableLink:
            link = ""  # the editor may know how
        action, span = Action.ADD_TO_SENTENCE, sentence.source
        if self.action is Action.ADD_SENTENCE:
            action, span = Action.ADD_SENTENCE, Span(span.end, span.end)
        return Place(self.section, self.sentence, 0.0, action, "", span, link, text=sentence.text)

    def _shown(self, edit: PageEdit, source: SourcePage, section: Section, sentence: Sentence) -> dict[str, Any]:
        """Return the page's new text, and the sentence before and after, as markup and as readers will see it."""
        end = sentence.source.end + len(edit.after) - len(edit.before)
        page = replace(source.page, text=edit.after, language=source.article.language)
        edited = parse(page).sections[self.section]
        start = sentence.start
        shown = edited.text[start : start + len(sentence.text) + len(edited.text) - len(section.text)]
        links = [[link.start - start, link.end - start] for link in edited.links if link.source == edit.link]
        return {
            "text": edit.after,
            "link": edit.link_markup,
            "before": sentence.source.cut(edit.before),
            "after": edit.after[sentence.source.start : end],
            "start": sentence.source.start,
            "end": sentence.source.end,
            "rendered": shown,
            "link_at": links[0] if links else None,
        }
