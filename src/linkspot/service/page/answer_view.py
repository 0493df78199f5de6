"""An answer for the page: its JSON, and the whole text of the article with a shade for each sentence."""

from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from linkspot.answers.answer import Answer
from linkspot.answers.json_shape import to_dict
from linkspot.answers.page_language import PageLanguage
from linkspot.answers.shades import STEPS, Shades
from linkspot.answers.source_page import SourcePage
from linkspot.answers.suggester import Suggester
from linkspot.answers.target import Targets
from linkspot.records import Entity, Page
from linkspot.service.worker_process import Workplace


@dataclass(frozen=True, slots=True)
class ViewTask:
    """A page and one target, for a worker; `index` is the folder of the index that knows them, if there is one."""

    page: Page
    target: Entity | Page
    anyway: bool = False
    index: Path | None = None

    def run(self, workplace: Workplace) -> dict[str, Any]:
        """Return the answer for the page."""
        source = SourcePage.of(self.page, limits=workplace.limits)
        targets = Targets(workplace.index(self.index) if self.index else None)
        suggester = Suggester(workplace.ranker, workplace.ranker_name, anyway=self.anyway, limits=workplace.limits)
        return answer_view(suggester.answer(source, targets.target(self.target, source)))


def answer_view(answer: Answer) -> dict[str, Any]:
    """Return the answer in dictionaries and lists; text is as it is, and the page shows it as text alone."""
    language, shades = PageLanguage.of(answer.article), Shades.of(answer)
    return {
        "answer": to_dict(answer),
        "text": {"language": language.tag, "direction": language.direction, "sections": _sections(answer, shades)},
        "shades": {"steps": list(STEPS), "are_probabilities": shades.are_probabilities},
    }


def _sections(answer: Answer, shades: Shades) -> list[dict[str, Any]]:
    """Return every section: its sentences, each with what stands before it, its level, and the links to the target."""
    numbers = count()
    sections = []
    for index, section in enumerate(answer.article.sections):
        existing = [(one.link.start, one.link.end) for one in answer.existing if one.section == index]
        sentences = []
        for gap, sentence in zip(section.gaps(), section.sentences, strict=False):
            number = next(numbers)
            links = [
                [start - sentence.start, end - sentence.start]
                for start, end in existing
                if sentence.start <= start and end <= sentence.end
            ]
            shown = {"text": sentence.text, "level": shades.levels[number]}
            shown |= {"paragraph": True} if "\n" in gap else {"gap": gap} if gap else {}
            shown |= ({"links": links} if links else {}) | ({"closed": True} if number in answer.closed else {})
            sentences.append(shown)
        sections.append({"title": section.title, "level": section.level, "sentences": sentences})
    return sections
