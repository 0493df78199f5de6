"""The laws that every page must keep: parse → offsets → suggest → edit → parse."""

import re
import traceback
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from time import process_time

from selectolax.lexbor import LexborHTMLParser, LexborNode

from linkspot.answers.answer import Answer
from linkspot.answers.link_markup import LinkWriter
from linkspot.answers.source_page import SourcePage
from linkspot.answers.suggester import Suggester
from linkspot.answers.target import Target
from linkspot.limits import LIMITS
from linkspot.parsing import link_targets, parse
from linkspot.parsing.html.source import as_read
from linkspot.records import Action, Article, Entity, LinkKind, Markup, Page, Place, Section
from linkspot.source_map import Span

RANKERS = ("string-match", "bm25")
_TOP = 1  # more pages find more than more places
_LONGEST_NAME = 60  # characters
_SLOW = 2.0  # seconds of this process for one page of some hundred characters
_BLANKS = str.maketrans("\t\n\r\f", "    ")
_NAME = re.compile(r"\w+(?: \w+)?|[^\s\w]")


class BrokenLaw(Exception):
    """A page that does not keep a law; the text names the law."""


@dataclass(frozen=True, slots=True)
class FuzzCase:
    """A page (and its article, if it is parsed), the target of the link, and the ranker that looks for its place."""

    page: Page
    article: Article | None = None
    title: str = ""
    mention: str = ""
    ranker: str = RANKERS[0]


def drawn_case(page: Page, random: Random) -> FuzzCase:
    """Return the page with a target that some words of it name, or without a target if it has no words."""
    article = parse(page)
    sentences = [sentence.text for _, sentence in article.sentences]
    names = _NAME.findall(random.choice(sentences)) if sentences else []
    if not names:
        return FuzzCase(page, article)
    name = random.choice(names)[:_LONGEST_NAME]
    title = name if random.random() < 0.5 else "Gray wolf"
    return FuzzCase(page, article, title, name, random.choice(RANKERS))


def fault_of(case: FuzzCase) -> str:
    """Return which law the case breaks, in a few words that are the same for the same fault, or nothing."""
    start = process_time()
    try:
        _check(case)
    except BrokenLaw as fault:
        return str(fault)
    except Exception as error:  # noqa: BLE001 (any exception at all is a finding)
        return error_name(error)
    return "takes too long" if process_time() - start > _SLOW else ""


def error_name(error: Exception) -> str:
    """Return the type of an error and the line of linkspot that it came from."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "linkspot" in frame.filename]
    frame = frames[-1] if frames else traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(frame.filename).name}, {frame.name}"


def _check(case: FuzzCase) -> None:
    page = case.page
    article = case.article or parse(page)
    for section in article.sections:
        _check_offsets(page, section)
    _demand(not _targets(article) - link_targets(page).keys(), "the quick look misses a target")
    if case.mention:
        entity = Entity(case.title, mentions=(case.mention,))
        answer = _suggester(case.ranker).answer(SourcePage(page, article), entity)
        for link in {place.link for place in answer.places if place.link and place.action is not Action.LINK_WORDS}:
            _check_link(answer, link)
        for place in answer.places:
            if place.action is Action.LINK_WORDS:
                _check_edit(answer, place)


@cache
def _suggester(ranker: str) -> Suggester:
    return Suggester.of(ranker, _TOP, anyway=True)


def _targets(article: Article) -> set[str]:
    """Return the pages that the article links; a link whose markup is longer than any title names none."""
    links = [link for section in article.sections for link in section.links if link.kind is LinkKind.PAGE]
    return {link.target for link in links if len(link.source) <= LIMITS.title_characters + len(link.mention)}


def _demand(is_kept: bool, law: str) -> None:
    if not is_kept:
        raise BrokenLaw(law)


def _check_offsets(page: Page, section: Section) -> None:
    end = 0
    for run in section.source_map.runs:
        _demand(run.start >= end and not section.text[end : run.start].strip(), "runs are out of order")
        end = run.end
        _demand(0 <= run.source_start <= run.source_end <= len(page.text), "a run is outside of the page")
        if run.is_verbatim:
            was = page.text[run.source_start : run.source_end].translate(_BLANKS)
            shown = section.text[run.start : run.end]
            _demand(shown in {was, was.replace("\0", "\ufffd")}, "a run is not what the page says")
    _demand(not section.text[end:].strip(), "text comes from no run")
    for sentence in section.sentences:
        _demand(0 <= sentence.source.start < sentence.source.end <= len(page.text), "a sentence is outside of the page")
    for link in section.links:
        _demand(0 <= link.source.start < link.source.end <= len(page.text), "a link is outside of the page")
        for run in section.source_map.runs:
            if run.is_verbatim and run.start < link.end and link.start < run.end:
                first = run.source_start_of(max(run.start, link.start))
                last = run.source_end_of(min(run.end, link.end))
                _demand(link.source.start <= first <= last <= link.source.end, "a mention is outside of its link")
    parts = [part for pair in zip(section.gaps(), [*section.sentences, None], strict=True) for part in pair]
    rebuilt = "".join(part if isinstance(part, str) else part.text for part in parts if part)
    _demand(rebuilt == section.text, "sentences and gaps do not make the section")
    _demand(not any(gap.strip() for gap in section.gaps()), "a gap holds text")


def _check_link(answer: Answer, link: str) -> None:
    alone = parse(replace(answer.page, text=link, language=answer.article.language))
    links = [link for section in alone.sections for link in section.links]
    _demand(len(links) == 1 and len(alone.sections) == 1, "a finished link is not one link")
    _demand(links[0].mention == alone.sections[0].text, "a finished link has other words")
    _demand(_writer(answer).leads_there(links[0]), "a finished link leads elsewhere")


def _check_edit(answer: Answer, place: Place) -> None:
    edited = parse(replace(answer.page, text=place.edit(answer.page.text)))
    before, after = _links(answer.article), _links(edited)
    _demand(_texts(edited) == _texts(answer.article), "an edit changes the text")
    _demand(not before - after, "an edit changes another link")
    _demand(len(list((after - before).elements())) == 1, "an edit does not add one link")
    section = edited.sections[place.section]
    new = [link for link in section.links if place.words == Span(link.start, link.end)]
    _demand(len(new) == 1, "a new link is in another place")
    _demand(_writer(answer).leads_there(new[0]), "a new link leads elsewhere")
    if answer.page.markup == Markup.HTML:
        _check_in_browser(answer.page.text, place.edit(answer.page.text))


def _check_in_browser(before: str, after: str) -> None:
    """Compare both pages as a browser's tree shows them, which knows nothing of our parser.

    No file holds half of a character, so a browser never sees one.
    """
    old, new = (LexborHTMLParser(as_read(text)) for text in (before, after))
    _demand(_shown(old) == _shown(new), "an edit changes the text of the tree")
    old_anchors, new_anchors = (Counter(_shown_in(node) for node in tree.css("a")) for tree in (old, new))
    _demand(not old_anchors - new_anchors, "an edit changes an anchor of the tree")
    _demand((new_anchors - old_anchors).total() == 1, "an edit does not add one anchor to the tree")


def _shown(tree: LexborHTMLParser) -> str:
    return (tree.root.text() or "") if tree.root else ""


def _shown_in(node: LexborNode) -> tuple[str, str]:
    return node.attributes.get("href") or "", node.text() or ""


def _writer(answer: Answer) -> LinkWriter:
    return LinkWriter.of(SourcePage(answer.page, answer.article), Target(answer.entity, url=answer.entity.url))


def _links(article: Article) -> Counter[tuple[str, str, int]]:
    return Counter(
        (link.target, link.mention, index) for index, section in enumerate(article.sections) for link in section.links
    )


def _texts(article: Article) -> list[tuple[str, str, int]]:
    return [(section.title, section.text, section.level) for section in article.sections]
