"""An answer for people at a terminal: the page's outline and the best places, in colour where there is colour."""

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from linkspot.answers.answer import Answer
from linkspot.answers.line_position import line_position
from linkspot.answers.notes import ACTIONS, NO_LINK, how_sure, page_name
from linkspot.answers.sentence_markup import SentenceMarkup
from linkspot.examples.candidates import CONTEXT_SENTENCES
from linkspot.records import Action, Place, Section
from linkspot.text.display import displayed

_CONTEXT_CHARACTERS = 160  # shown on each side of the sentence
_INDENT = (0, 0, 0, 4)
_INDENT_OF_CHANGE = (0, 0, 0, 6)


def show(answer: Answer, console: Console) -> None:
    """Print the answer."""
    console.print(_heading(answer))
    for note in answer.notes:
        console.print()
        console.print(Text(displayed(note), style="yellow"))
    console.print(Padding(_outline(answer), (1, 0, 0, 2), expand=False))
    for rank, place in enumerate(answer.places, start=1):
        console.print()
        console.print(_place(answer, rank, place))


def _heading(answer: Answer) -> Text:
    article = answer.article
    about = f"  {article.markup}, {article.language}, {len(article.sentences)} sentences, ranker {answer.ranker}"
    return Text.assemble(
        "Where does ",
        (f"“{displayed(answer.entity.names[0])}”", "bold cyan"),
        " belong in ",
        (displayed(page_name(article)), "bold"),
        "?",
        (about, "dim"),
    )


def _outline(answer: Answer) -> Table:
    table = Table.grid(padding=(0, 2))
    ranks: dict[int, list[str]] = {}
    for rank, place in enumerate(answer.places, start=1):
        ranks.setdefault(place.section, []).append(f"#{rank}")
    top_level = min((section.level for section in answer.article.sections[1:]), default=2)
    for index, section in enumerate(answer.article.sections):
        if index == 0 and not section.sentences:
            continue
        indent = "  " * max(0, section.level - top_level) if index else ""
        row = [
            Text(indent + (section.title or "(lead)"), style="bold" if index in ranks else ""),
            Text(str(len(section.sentences)), style="dim", justify="right"),
            Text(" ".join(ranks.get(index, [])), style="green"),
        ]
        table.add_row(*row if ranks else row[:2])  # an empty column would take room from the others
    return table


def _place(answer: Answer, rank: int, place: Place) -> RenderableType:
    section = answer.article.sections[place.section]
    head = Text.assemble(
        (f"#{rank}  ", "bold green"),
        (section.title or "(lead)", "bold"),
        (f"  {how_sure(place)}", "dim"),
    )
    lines: list[RenderableType] = [head, Padding(_passage(section, place), _INDENT, expand=False)]
    todo = Text.assemble(("→ ", "bold green"), (ACTIONS[place.action], "bold"), f": {place.reason}")
    lines.append(Padding(todo, _INDENT, expand=False))
    offsets = f"at {place.source.start}–{place.source.end}" if len(place.source) else f"at {place.source.start}"
    where = f"{line_position(answer.page.text, place.source.start)}, {offsets}"
    link = (place.link, "cyan") if place.link else (NO_LINK, "yellow")
    lines.append(Padding(Text.assemble("  ", link, (f"  {where}", "dim")), _INDENT, expand=False))
    if place.action is Action.LINK_WORDS:
        lines.append(Padding(_change(SentenceMarkup.of(answer, place).on_one_line()), _INDENT_OF_CHANGE, expand=False))
    return Group(*lines)


def _change(markup: SentenceMarkup) -> RenderableType:
    """Return the sentence's markup before and after the edit, a line each."""
    before = Text.assemble(("- ", "red"), (markup.head, "dim"), (markup.changed, "bold red"), (markup.tail, "dim"))
    after = Text.assemble(("+ ", "green"), markup.head, (markup.link, "bold green"), markup.tail)
    return Group(before, after)


def _passage(section: Section, place: Place) -> Text:
    """Return the sentence with some context; the words to link, or the spot after it, are highlighted."""
    sentence = section.sentences[place.sentence]
    around = section.sentences[max(0, place.sentence - CONTEXT_SENTENCES) : place.sentence + CONTEXT_SENTENCES + 1]
    before = _shortened(section.text[around[0].start : sentence.start], from_end=True)
    after = _shortened(section.text[sentence.end : around[-1].end], from_end=False)
    text = Text(before, style="dim")
    if place.words is not None:
        first, last = place.words.start - sentence.start, place.words.end - sentence.start
        text.append(sentence.text[:first], style="not dim")
        text.append(f"[{sentence.text[first:last]}]", style="not dim bold reverse green")
        text.append(sentence.text[last:], style="not dim")
    else:
        text.append(sentence.text, style="not dim underline" if place.action is Action.ADD_TO_SENTENCE else "not dim")
        text.append(" [+]" if place.action is Action.ADD_SENTENCE else "", style="not dim bold green")
    return text.append(after)


def _shortened(context: str, *, from_end: bool) -> str:
    """Return the context's end or beginning, cut between words where the script has spaces."""
    flat = context.replace("\n", " ")
    if len(flat) <= _CONTEXT_CHARACTERS:
        return flat
    if from_end:
        cut = flat[-_CONTEXT_CHARACTERS:]
        return f"… {cut[cut.find(' ') + 1 :]}"
    cut = flat[:_CONTEXT_CHARACTERS]
    return f"{cut[: cut.rfind(' ')] if ' ' in cut[1:] else cut} …"
