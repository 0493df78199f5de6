"""The task of a worker that answers: one page, and the targets that it should link to."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path

from linkspot.answers.json_shape import to_dict
from linkspot.answers.source_page import SourcePage
from linkspot.answers.suggester import Suggester
from linkspot.answers.target import Targets
from linkspot.records import Entity, Page
from linkspot.service.worker_process import Workplace


@dataclass(frozen=True, slots=True)
class AnswerTask:
    """A page and its targets; `index` is the folder of the index that knows them, if there is one."""

    page: Page
    targets: tuple[Entity, ...]
    translations: tuple[Page, ...] = ()
    top: int | None = None
    anyway: bool = False
    exclude_sections: tuple[str, ...] = ()
    index: Path | None = None

    def run(self, workplace: Workplace) -> list[bytes]:
        """Return the answer for each target, in JSON."""
        source = SourcePage.of(self.page, limits=workplace.limits)
        translations = [SourcePage.of(page, limits=workplace.limits).article for page in self.translations]
        targets = Targets(workplace.index(self.index) if self.index else None)
        options = (self.top, self.anyway, self.exclude_sections, workplace.limits)
        suggester = Suggester(workplace.ranker, workplace.ranker_name, *options)
        return [
            json.dumps(
                to_dict(suggester.answer(source, targets.target(entity, source), translations)),
                ensure_ascii=False,
                separators=(",", ":"),
            ).encode(errors="replace")
            for entity in self.targets
        ]

    def keys(self, model: str) -> list[str]:
        """Return for each target a digest of all that its answer depends on."""
        shared = (model, asdict(self.page), list(map(asdict, self.translations)), self.top, self.anyway)
        return [digest((*shared, self.exclude_sections, str(self.index), asdict(entity))) for entity in self.targets]

    def only(self, numbers: Sequence[int]) -> "AnswerTask":
        """Return the task for some of the targets."""
        targets = tuple(self.targets[number] for number in numbers)
        return AnswerTask(
            self.page, targets, self.translations, self.top, self.anyway, self.exclude_sections, self.index
        )


def digest(value: object) -> str:
    """Return a digest of a value that can be written as JSON."""
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, default=str)
    return blake2b(text.encode(), digest_size=16).hexdigest()
