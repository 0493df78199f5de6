"""Commands that answer: suggest, rankers, demo."""

import sys
from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.cli.answer_options import (
    STANDARD_INPUT,
    AnswerFormat,
    Anyway,
    Contact,
    Diff,
    EditText,
    ExcludedSections,
    Format,
    IndexFolder,
    Language,
    Lead,
    LinkAddress,
    MarkupName,
    Mentions,
    PageName,
    PlaceNumber,
    RankerName,
    TargetFiles,
    TargetList,
    Titles,
    Top,
    Translations,
    WikiName,
    Write,
)
from linkspot.cli.editing import EditWish, make_edit
from linkspot.cli.live_wiki import LiveSource
from linkspot.cli.many_answers import answer_many, check_format
from linkspot.cli.output import say, say_html, say_json
from linkspot.cli.target_options import TargetOptions
from linkspot.corpora.wiki.page_address import is_address
from linkspot.errors import UnusableInput
from linkspot.parsing.markup import markup_names
from linkspot.ranking.ranker import DEFAULT_RANKER, all_rankers
from linkspot.records import Markup

if TYPE_CHECKING:
    from linkspot.answers.answer import Answer
    from linkspot.answers.source_page import SourcePage
    from linkspot.records import Article


def suggest(
    page: PageName,
    target: TargetFiles = None,
    title: Titles = None,
    targets: TargetList = None,
    lead: Lead = "",
    mention: Mentions = None,
    url: LinkAddress = "",
    index: IndexFolder = None,
    wiki: WikiName = "",
    contact: Contact = "",
    translation: Translations = None,
    ranker: RankerName = DEFAULT_RANKER,
    top: Top = None,
    anyway: Anyway = False,
    exclude_section: ExcludedSections = None,
    lang: Language = "",
    markup: MarkupName = "",
    write: Write = False,
    diff: Diff = False,
    place: PlaceNumber = 1,
    text: EditText = "",
    answer_format: AnswerFormat = Format.TEXT,
) -> None:
    """Rank the places in PAGE where a link to the target belongs, and say what to do at each.

    Example: linkspot suggest dog.html --title "Gray wolf" --mention wolf --mention wolves
    """
    from linkspot.answers.suggester import Suggester
    from linkspot.cli.late_progress import LateProgress

    wish = EditWish(write, diff, place, text)
    wish.check(page, answer_format)
    live = LiveSource.of(page, wiki, contact)
    names, files, mentions = tuple(title or ()), tuple(target or ()), tuple(mention or ())
    options = TargetOptions(names, files, targets, lead, mentions, url, index, live if wiki else None)
    if options.are_several:
        check_format(answer_format, wish.option if wish else "")
    with closing(live) if live else nullcontext():
        with LateProgress() as progress:
            progress.stage("reading the page")
            source = _source(page, markup, lang, live)
            excluded, needed = exclude_section or (), wish.places_needed(top)
            suggester = Suggester.of(ranker, needed, anyway=anyway, exclude_sections=excluded)
            translations = _translations(translation or ())
            if not options.are_several:
                answer = suggester.answer(source, options.target(source), translations, progress)
        if options.are_several:
            answer_many(source, options, suggester, translations, answer_format)
            return
    if wish:
        make_edit(answer, wish, source.path)
    else:
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


def _source(page: str, markup: str, language: str, live: LiveSource | None) -> "SourcePage":
    from linkspot.answers.source_page import SourcePage
    from linkspot.corpora.page_file import page_from_bytes

    if live and is_address(page):
        if markup not in {"", Markup.WIKITEXT}:
            raise UnusableInput("a page of a live wiki is read as wikitext; leave out --markup")
        return live.page(page, language)
    if page != STANDARD_INPUT:
        return SourcePage.of(Path(page), markup, language)
    if not markup:
        raise UnusableInput(f"a page from standard input needs its --markup: {', '.join(markup_names())}")
    return SourcePage.of(page_from_bytes(sys.stdin.buffer.read(), "standard input", markup, language))


def _translations(names: Sequence[Path]) -> "list[Article]":
    """Return the same page in other languages: each file says its language, or LANG=FILE does."""
    if Path(STANDARD_INPUT) in names:
        raise UnusableInput("a translation cannot come from standard input; save it to a file first")
    return [_translation(name) for name in names]


def _translation(name: Path) -> "Article":
    from linkspot.answers.source_page import SourcePage
    from linkspot.parsing import is_language_tag

    language, equals, file = str(name).partition("=")
    is_tagged = bool(equals) and is_language_tag(language) and not name.exists()
    return (SourcePage.of(Path(file), language=language) if is_tagged else SourcePage.of(name)).article


def _write(answer: "Answer", answer_format: Format) -> None:
    if answer_format is Format.TEXT:
        from linkspot.answers.terminal import show
        from linkspot.cli.safe_console import unwrapped_console

        show(answer, unwrapped_console(highlight=False))
    elif answer_format is Format.JSON:
        from linkspot.answers.json_shape import to_json

        say_json(to_json(answer))
    else:
        from linkspot.answers.web_page import to_html

        say_html(to_html(answer))
