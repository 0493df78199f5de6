"""`linkspot suggest` for several targets: a table of their best places, or JSON lines as the answers are made."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from linkspot.cli.answer_options import Format
from linkspot.cli.output import say_json
from linkspot.cli.safe_console import safe_console, unwrapped_console
from linkspot.cli.target_options import TargetOptions
from linkspot.errors import UnusableInput
from linkspot.text.display import displayed

if TYPE_CHECKING:
    from linkspot.answers.source_page import SourcePage
    from linkspot.answers.suggester import Suggester
    from linkspot.records import Article


def check_format(answer_format: Format, edit_option: str) -> None:
    """Refuse what is for one target only; `edit_option` is the option that asks for an edit, if one does."""
    if edit_option:
        raise UnusableInput(f"{edit_option} makes one edit, and these are several targets; name one of them")
    if answer_format is Format.HTML:
        raise UnusableInput("--format html shows one target; for several, use text or json")


def answer_many(
    source: "SourcePage",
    options: TargetOptions,
    suggester: "Suggester",
    translations: "list[Article]",
    answer_format: Format,
) -> None:
    """Answer for each target; the page is parsed and encoded once."""
    from linkspot.answers.json_shape import to_json_line
    from linkspot.answers.notes import page_name
    from linkspot.answers.target_lines import TargetLines
    from linkspot.answers.target_table import TargetRow, show_targets

    path = options.list_file
    lines = TargetLines(path) if path is not None and not path.is_dir() else None
    rows: list[TargetRow] = []
    with _counting(answer_format) as count:
        for target in options.several(source, lines):
            answer = suggester.answer(source, target, translations)
            rows.append(TargetRow.of(answer))
            count(len(rows))
            if answer_format is Format.JSON:
                say_json(to_json_line(answer))
                sys.stdout.flush()
    complaint = lines.complaint() if lines else ""
    if not rows:
        raise UnusableInput(complaint or f"{path} has no target for a page in {source.article.language!r}")
    if answer_format is Format.TEXT:
        show_targets(page_name(source.article), rows, unwrapped_console(highlight=False))
    if complaint and sys.stderr is not None:
        sys.stderr.write(f"linkspot: {displayed(complaint)}\n")


@contextmanager
def _counting(answer_format: Format) -> Iterator[Callable[[int], None]]:
    """Give a function that shows on standard error how many targets are done, if that is a terminal."""
    console = safe_console(stderr=True)
    if not console.is_terminal or (answer_format is Format.JSON and sys.stdout.isatty()):
        yield lambda _: None
        return
    with console.status("targets") as status:
        yield lambda number: status.update(f"targets: {number:,} done")
