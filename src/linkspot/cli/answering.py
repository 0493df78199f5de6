"""Commands that answer: suggest, rankers, demo."""

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkspot.cli.output import say, say_html, say_json
from linkspot.errors import UnusableInput
from linkspot.parsing.markup import MARKUPS, markup_names
from linkspot.ranking.ranker import DEFAULT_RANKER, all_rankers

if TYPE_CHECKING:
    from linkspot.answers.answer import Answer
    from linkspot.answers.source_page import SourcePage
    from linkspot.records import Article

_STANDARD_INPUT = Path("-")


class Format(StrEnum):
    """How an answer is written."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


def suggest(
    page: Annotated[
        Path,
        typer.Argument(
            metavar="PAGE", help="The page: a file (.html, .wiki, .md, …), or - for standard input.", show_default=False
        ),
    ],
    target: Annotated[
        Path | None, typer.Option(help="The page to link to, as a file. Instead of it: --title.", show_default=False)
    ] = None,
    title: Annotated[str, typer.Option(help="The target's title.", show_default=False)] = "",
    lead: Annotated[str, typer.Option(help="What the target is about: its first paragraph.", show_default=False)] = "",
    mention: Annotated[
        list[str] | None,
        typer.Option(help="Words that the target is known by; give it once for each.", show_default=False),
    ] = None,
    url: Annotated[
        str,
        typer.Option(
            help="The link's address, in HTML and Markdown. By default from the file names.", show_default=False
        ),
    ] = "",
    index: Annotated[
        Path | None,
        typer.Option(
            help="A folder that 'linkspot index' made: the target's lead and mentions are looked up there by --title, "
            "and where the page links it in other languages.",
            show_default=False,
        ),
    ] = None,
    translation: Annotated[
        list[Path] | None,
        typer.Option(
            help="The same page in another language, as a file: where it links the target already is a hint. "
            "Give it once for each.",
            show_default=False,
        ),
    ] = None,
    ranker: Annotated[str, typer.Option(help="How to score places: see 'linkspot rankers'.")] = DEFAULT_RANKER,
    top: Annotated[int, typer.Option(min=1, help="How many places to show.")] = 5,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Show the best places even if the answer is that it belongs nowhere.")
    ] = False,
    lang: Annotated[
        str, typer.Option(help="The pages' language (en, sw, zh-tw). By default as the page says.", show_default=False)
    ] = "",
    markup: Annotated[
        str,
        typer.Option(
            help=f"The page's markup ({', '.join(MARKUPS)}). By default from the file's name.", show_default=False
        ),
    ] = "",
    answer_format: Annotated[Format, typer.Option("--format", help="How to write the answer.")] = Format.TEXT,
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
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    for name, entry in all_rankers().items():
        told = f":{escape(entry.takes)}" if entry.takes else ""
        is_default = " [dim](default)[/]" if name == DEFAULT_RANKER else ""
        table.add_row(f"[bold]{name}[/]{told}", entry.description + is_default)
    table.add_row("[bold]FOLDER[/]", "a model that 'linkspot train' made")
    Console().print(table)


def demo(
    answer_format: Annotated[Format, typer.Option("--format", help="How to write the answers.")] = Format.TEXT,
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
    """Return the same page in other languages, which the files tell by themselves."""
    if _STANDARD_INPUT in paths:
        raise UnusableInput("a translation cannot come from standard input; save it to a file first")
    return [_read(path, "", "").article for path in paths]


def _write(answer: "Answer", answer_format: Format) -> None:
    if answer_format is Format.TEXT:
        from rich.console import Console

        from linkspot.answers.terminal import show

        show(answer, Console(highlight=False))
    elif answer_format is Format.JSON:
        from linkspot.answers.json_shape import to_json

        say_json(to_json(answer))
    else:
        from linkspot.answers.web_page import to_html

        say_html(to_html(answer))
