"""The target that the options of `linkspot suggest` describe, or the several that they name."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.cli.answer_options import STANDARD_INPUT
from linkspot.cli.live_wiki import LiveSource
from linkspot.errors import EmptyTarget, UnusableInput

if TYPE_CHECKING:
    from linkspot.answers.source_page import SourcePage
    from linkspot.answers.target import Target, TargetDescription
    from linkspot.answers.target_lines import TargetLines
    from linkspot.links.index import IndexInput


@dataclass(frozen=True, slots=True)
class TargetOptions:
    """What the options say of targets.

    One title and one file are one target, which the title names. Several of them, or a list of targets, are several.
    """

    titles: tuple[str, ...]
    files: tuple[Path, ...]
    list_file: Path | None
    lead: str
    mentions: tuple[str, ...]
    url: str
    index: Path | None = None
    wiki: LiveSource | None = None

    def __post_init__(self) -> None:
        if Path(STANDARD_INPUT) in (*self.files, self.list_file):
            raise UnusableInput("the target cannot come from standard input; save it to a file first")
        if self.are_several and (self.lead or self.mentions or self.url):
            raise UnusableInput(
                "--lead, --mention and --url describe one target; for several, write them into the file of --targets, "
                "as JSON lines"
            )
        if self.wiki and self.index:
            raise UnusableInput("--wiki and --index both look up the target; choose one of them")
        if self.wiki and self.files:
            raise UnusableInput("--wiki looks up the target by its title; name it with --title, not with --target")

    @property
    def are_several(self) -> bool:
        """Whether the options name several targets, or a list that may have several."""
        return len(self.titles) > 1 or len(self.files) > 1 or self.list_file is not None

    def target(self, source: "SourcePage") -> "Target":
        """Return the one target for a page."""
        from linkspot.answers.target import TargetDescription

        title, file = next(iter(self.titles), ""), next(iter(self.files), None)
        description = TargetDescription(title.strip(), self.lead.strip(), self.mentions, self.url, file)
        return self._described(description, source, self.index)

    def several(self, source: "SourcePage", lines: "TargetLines | None") -> "Iterator[Target]":
        """Yield the several targets for one page, first those that options name one by one."""
        from linkspot.answers.target import Target, TargetDescription, Targets
        from linkspot.links.index import opened_index

        index = None if self.index is None else opened_index(self.index)
        named = [TargetDescription(title.strip()) for title in self.titles]
        named += [TargetDescription(file=file) for file in self.files]
        yield from [self._described(target, source, index) for target in named]  # a wrong one is refused at once
        if lines is not None:
            targets = Targets(index)
            for entity in lines:
                if self.wiki:
                    yield Target(self.wiki.completed(entity), url=entity.url)
                else:
                    yield targets.target(entity, source)
        elif self.list_file is not None:
            yield from _targets_of_index(self.list_file, source)

    def _described(
        self, description: "TargetDescription", source: "SourcePage", index: "IndexInput | None"
    ) -> "Target":
        from linkspot.answers.target import Target, completed
        from linkspot.records import Entity

        if self.wiki is None:
            return description.target(source, index)
        if not description.title:
            raise EmptyTarget("a wiki is asked by --title; name the target with it")
        known = self.wiki.entity(description.title)  # the title as the wiki spells it
        named = Entity(known.title, description.lead, description.mentions, url=description.url)
        return Target(completed(named, known), url=description.url)


def _targets_of_index(folder: Path, source: "SourcePage") -> "Iterator[Target]":
    """Yield the entities of an index that a page could link to: neither itself nor what it links already."""
    from linkspot.answers.target import Target
    from linkspot.links.existing import existing_links, is_own_page
    from linkspot.links.index import open_index

    article, index = source.article, open_index(folder)
    for entity, location in index.located_entities(page=article):
        if not is_own_page(article, entity) and not existing_links(article, entity):
            yield Target(entity, index=index, location=location)
