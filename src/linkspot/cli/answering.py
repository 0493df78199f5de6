"""Commands that answer: suggest, rankers, demo."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.cli.answer_options import (
    AnswerFormat,
    Anyway,
    Format,
    IndexFolder,
    Language,
    Lead,
    LinkAddress,
    MarkupName,
    Mentions,
    PageFile,
    RankerName,
    TargetFile,
    Title,
    Top,
    Translations,
)
from linkspot.cli.output import say, say_html, say_json
from linkspot.errors import UnusableInput
from linkspot.parsing.markup import markup_names
from linkspot.ranking.ranker import DEFAULT_RANKER, all_rankers

if TYPE_CHECKING:
    from linkspot.answers.answer import Answer
    from linkspot.answers.source_page import SourcePage
    from linkspot.records import Article

_STANDARD_INPUT = Path("-")


def suggest(
    page: PageFile,
    target: TargetFile = None,
    title: Title = "",
    lead: Lead = "",
    mention: Mentions = None,
    url: LinkAddress = "",
    index: IndexFolder = None,
    translation: Translations = None,
    ranker: RankerName = DEFAULT_RANKER,
    top: Top = 5,
    anyway: Anyway = False,
    lang: Language = "",
    markup: MarkupName = "",
    answer_format: AnswerFormat = Format.TEXT,
) -> None:
    """Rank the places in PAGE where a link to the target belongs, and say what to do at each.

    Example: linkspot suggest dog.html --title "Gray wolf" --mention wolf --mention wolves
    """
    from linkspot.answers.suggestion import Suggester
    from linkspot.answers.target import TargetDescription

    if target == _STANDARD_INPUT:
        raise UnusableInput("the target cannot come from standard input; save it to a file first")
    source = _read(page, markup, lang)
    description = TargetDescription(title.strip(), lead.strip(), tuple(mention or ()), url, target)
    entity = description.entity(source, index)
    answer = Suggester.of(ranker, top, anyway=anyway).answer(source, entity, _translations(translation or ()))
    _write(answer, answer_format)


def rankers() -> None:
    """List the rankers that are installed."""
    from rich.markup import escape
    from rich.table import Table

    from linkspot.cli.safe_console import safe_console

    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold")
    table.add_column()
    for name, entry in all_rankers().items():
        parameters = f":{escape(entry.takes)}" if entry.takes else ""
        is_default = " [dim](default)[/]" if name == DEFAULT_RANKER else ""
        table.add_row(f"[bold]{name}[/]{parameters}", entry.description + is_default)
    table.add_row("[bold]FOLDER[/]", "a model that 'linkspot train' made")
    safe_console().print(table)


def demo(
    answer_format: AnswerFormat = Format.TEXT,
) -> None:
    """Rank places in the sample pages that come with linkspot, in three languages and markups."""
    from linkspot.answers.samples import SAMPLES
    from linkspot.answers.suggestion import suggest as find_places

    for number, sample in enumerate(SAMPLES):
        if number and answer_format is Format.TEXT:
            say("\n" + "─" * 80)
        _write(find_places(sample.page(), sample.target(), top=2), answer_format)


def _read(path: Path, markup: str, language: str) -> "SourcePage":
    from linkspot.answers.source_page import SourcePage
    from linkspot.corpora.page_file import page_from_bytes

    if path != _STANDARD_INPUT:
        return SourcePage.of(path, markup, language)
    if not markup:
        raise UnusableInput(f"a page from standard input needs its --markup: {', '.join(markup_names())}")
    return SourcePage.of(page_from_bytes(sys.stdin.buffer.read(), "standard input", markup, language))


def _translations(paths: Sequence[Path]) -> "list[Article]":
    """Return the same page in other languages; each file says its language itself."""
    if _STANDARD_INPUT in paths:
        raise UnusableInput("a translation cannot come from standard input; save it to a file first")
    return [_read(path, "", "").article for path in paths]


def _write(answer: "Answer", answer_format: Format) -> None:
    if answer_format is Format.TEXT:
        from linkspot.answers.terminal import show
        from linkspot.cli.safe_console import safe_console

        show(answer, safe_console(highlight=False))
    elif answer_format is Format.JSON:
        from linkspot.answers.json_shape import to_json

        say_json(to_json(answer))
    else:
        from linkspot.answers.web_page import to_html

        say_html(to_html(answer))
