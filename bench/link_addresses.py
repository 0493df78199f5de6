"""How many links linkspot writes as they stand in real pages, if one is taken away and its target is named.

A case is a link between two pages of a sample of a corpus. It is replaced by its words, and the page is asked for a
link to the same target: with an index of the sample; with the two files alone; and with nothing but a title.
"""

import random
import re
import shutil
import subprocess
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote
from zlib import crc32

from bench.wikis import DATA, SCHOOLS
from linkspot.answers.link_markup import LinkWriter
from linkspot.answers.source_page import SourcePage
from linkspot.answers.target import TargetDescription
from linkspot.corpora.corpus import CorpusSource, current_pages, open_corpus
from linkspot.corpora.languages import is_language
from linkspot.engines.engine import EngineSettings, open_engine
from linkspot.errors import LinkspotError
from linkspot.links.addresses import Naming
from linkspot.links.index import Index
from linkspot.links.titles import TitleRules
from linkspot.parsing import parse, redirect_target
from linkspot.parsing.markdown.dialects.link_forms import inline_words, shows_code
from linkspot.parsing.markdown.markup import write_text
from linkspot.parsing.markup import markup_kind
from linkspot.pipeline.index import index
from linkspot.records import Link, LinkKind, Markup, Page

_CASES = 200  # of each corpus
_IN_PAGE = 3
_SEED = 7
_LANGUAGE_PAGES = "{lang}/{slug}.md"


@dataclass(frozen=True)
class SampledSite:
    """A corpus of files: where it is, which of its pages are taken, and how their paths are read."""

    name: str
    archive: Path
    shares: dict[str, float]  # of the pages in each folder
    pages: str = ""
    language: str = ""


SITES = (
    SampledSite("Wikipedia for Schools (HTML)", SCHOOLS, {"wp": 0.15}, language="en"),
    SampledSite("MDN", DATA / "mdn/mdn.bundle", {"files/en-us": 0.2, "files/fr": 0.3}),
    SampledSite("ArchWiki", DATA / "wikis/archwiki.bundle", {"en": 0.15, "zh": 0.5}, _LANGUAGE_PAGES),
    SampledSite("FreeCAD", DATA / "wikis/freecad.bundle", {"en": 0.2, "fr": 0.2}, _LANGUAGE_PAGES),
    SampledSite("cpprefjp", DATA / "wikis/cpprefjp.bundle", {"ja": 0.2}, _LANGUAGE_PAGES),
    SampledSite("ethereum.org", DATA / "wikis/ethereum.bundle", {"es": 1.0, "id": 1.0}, _LANGUAGE_PAGES),
)
WIKIS = {
    "OpenTTD, en (wikitext)": DATA / "openttd/openttd-en-pages-meta-history.xml.xz",
    "Wikipedia, vi (wikitext)": DATA / "wikipedia/viwiki-truncated-100k.xml.xz",
    "Wikipedia, bn (wikitext)": DATA / "wikipedia/bnwiki-truncated-100k.xml.xz",
}


@dataclass(frozen=True)
class Case:
    """A link of a page, and the page that it leads to."""

    page: Page
    link: Link
    target: Page
    file: Path | None = None
    target_file: Path | None = None

    @cached_property
    def form(self) -> str:
        """The form in which the link is written."""
        return markup_kind(self.page.markup).link_form(self.link.source.cut(self.page.text))

    @cached_property
    def words(self) -> str:
        """The markup of the link's words, which look as they do in the link: as code, if it shows them so."""
        if self.page.markup != Markup.MARKDOWN:
            return markup_kind(self.page.markup).write_text(self.link.mention)
        if shows_code(self.form):
            return f"`{self.link.mention}`"
        return inline_words(self.link.source.cut(self.page.text)) or write_text(self.link.mention)

    @cached_property
    def without(self) -> Page:
        """The page with the link's words in the link's place."""
        start, end = self.link.source.start, self.link.source.end
        return replace(self.page, text=f"{self.page.text[:start]}{self.words}{self.page.text[end:]}")

    def source(self) -> SourcePage:
        """Return the page without the link, at the path of its file."""
        return SourcePage(self.without, parse(self.without), self.file)


@contextmanager
def sample(site: SampledSite) -> Iterator[Path]:
    """Give a folder with a sample of a corpus's pages, as they are now."""
    with TemporaryDirectory() as scratch:
        if site.archive.suffix == ".bundle":
            _check_out(site, scratch)
        else:
            with tarfile.open(site.archive) as archive:
                archive.extractall(
                    scratch, (member for member in archive if _is_kept(site, member.name)), filter="data"
                )
        yield Path(scratch)


def _check_out(site: SampledSite, folder: str) -> None:
    git = ["git", "-C", folder]
    clone = ["git", "clone", "--quiet", "--no-checkout", "--branch", "main", str(site.archive), folder]
    subprocess.run(clone, check=True, capture_output=True)
    listing = subprocess.run([*git, "ls-tree", "-r", "-z", "--name-only", "main"], check=True, capture_output=True)
    kept = [path for path in listing.stdout.split(b"\0") if _is_kept(site, path.decode())]
    checkout = [*git, "checkout", "--quiet", "main", "--pathspec-from-file=-", "--pathspec-file-nul"]
    subprocess.run(checkout, check=True, input=b"\0".join(b":(literal)" + path for path in kept), capture_output=True)
    shutil.rmtree(Path(folder) / ".git")


def _is_kept(site: SampledSite, path: str) -> bool:
    inside = path.removeprefix("./")
    folder = next((folder for folder in site.shares if inside.startswith(f"{folder}/")), "")
    return bool(folder) and crc32(inside.encode()) / 2**32 < site.shares[folder]


def cases_of(site: SampledSite, folder: Path, most: int = _CASES) -> list[Case]:
    """Return links between pages of the folder, some of each page, in an order drawn at random."""
    corpus = CorpusSource(folder, "folder", site.language, site.pages).open()
    pages = list(current_pages(corpus))
    naming = Naming(corpus.layout, corpus.capitalises)
    keys = Counter((page.language, naming.key_of(page)) for page in pages)
    named = {(page.language, naming.key_of(page)): page for page in pages}
    by_key = {key: page for key, page in named.items() if keys[key] == 1}  # else the index has one for all of them
    files = {file.relative_to(folder).with_suffix("").as_posix(): file for file in folder.rglob("*") if file.is_file()}
    draw = random.Random(_SEED)
    draw.shuffle(pages)
    cases: list[Case] = []
    for page in pages:
        linked = ((link, by_key.get((page.language, naming.target_key(link.target, page)))) for link in _links(page))
        own = [Case(page, link, target, files[page.id], files[target.id]) for link, target in linked if target]
        own = [case for case in own if case.target.id != page.id and not _is_translated(case)]
        cases += draw.sample(own, min(_IN_PAGE, len(own)))
        if len(cases) >= most:
            break
    return cases[:most]


def _is_translated(case: Case) -> bool:
    """Return whether a link names the version of its target in another language, which is another page."""
    first = case.link.target.strip("/").partition("/")[0].lower()
    return is_language(first) and first != case.page.language


def wiki_cases(dump: Path, most: int = _CASES) -> list[Case]:
    """Return links between articles of a dump; a link to a redirect leads to the page behind it."""
    corpus = open_corpus(dump)
    pages = list(current_pages(corpus))
    naming = Naming(None, corpus.capitalises)
    by_key = {naming.key_of(page): page for page in pages}
    draw = random.Random(_SEED)
    draw.shuffle(pages)
    cases: list[Case] = []
    for page in pages:
        linked = (
            (link, _behind(by_key.get(naming.target_key(link.target, page)), by_key, naming)) for link in _links(page)
        )
        own = [Case(page, link, target) for link, target in linked if target and target.title != page.title]
        cases += draw.sample(own, min(_IN_PAGE, len(own)))
        if len(cases) >= most:
            break
    return cases[:most]


def _behind(page: Page | None, by_key: dict[str, Page], naming: Naming) -> Page | None:
    redirect = redirect_target(page) if page else None
    return by_key.get(naming.target_key(redirect, page)) if redirect and page else page


def _links(page: Page) -> list[Link]:
    try:
        sections = parse(page).sections
    except LinkspotError:
        return []
    links = (link for section in sections for link in section.links)
    return [link for link in links if link.kind is LinkKind.PAGE and not link.target.startswith("#")]


def written(case: Case, description: TargetDescription, opened: Index | None = None) -> tuple[str, str]:
    """Return the target and the form of the link that linkspot writes for a case."""
    source, kind = case.source(), markup_kind(case.page.markup)
    try:
        writer = LinkWriter.of(source, description.target(source, opened))
        markup = writer.around(case.words)
    except LinkspotError as error:
        return f"({error})", ""
    if kind.links_hold_titles:
        return parse(replace(case.page, text=f"a {markup} b")).sections[0].links[0].target, ""
    return writer.address.address, kind.link_form(markup)


def outcome(case: Case, address: str, form: str) -> str:
    """Return whether a link is equal to the one that stood there, equal for the site, or different."""
    stood = case.link.target.partition("#")[0]
    has_same_form = case.form.lower() == form.lower()
    if not has_same_form and not _writes_both(case, form or case.form):
        return "different"
    if case.form or form:
        stood, address = (re.sub(r"^/[\w-]+(?=/docs/)", "", text) for text in (stood, address))
    if address == stood:
        return "equal" if has_same_form else "equivalent"
    if case.page.markup == Markup.WIKITEXT:
        rules = TitleRules(case.page.language)
        is_same = rules.normalise(address) == rules.normalise(case.target.title)
        return "equivalent" if is_same else "different"
    return "equivalent" if _canonical(address) == _canonical(stood) else "different"


def _canonical(address: str) -> str:
    """Return an address without what makes no difference: escapes, a fragment, the last slash, blanks, capitals."""
    path = address.partition("#")[0]
    while unquote(path) != path:
        path = unquote(path)
    return path.rstrip("/").replace(" ", "_").lower()


def _writes_both(case: Case, macro: str) -> bool:
    """Return whether the rest of the page links such targets both by this macro and by ordinary links.

    Of the ordinary links, only those count that the macro could have written.
    """
    kind, name = markup_kind(case.page.markup), macro.lower()
    others = [link for link in _links(case.page) if link.source != case.link.source]
    markups = [(link.source.cut(case.page.text), link.target) for link in others]
    has_macro = any(kind.link_form(markup).lower() == name for markup, _ in markups)
    has_ordinary = any(
        name in map(str.lower, kind.forms_instead(markup, target))
        for markup, target in markups
        if not kind.link_form(markup)
    )
    return has_macro and has_ordinary


def by_title(case: Case) -> TargetDescription:
    """Describe the target by nothing but its title."""
    return TargetDescription(case.target.title or parse(case.target).title)


def by_file(case: Case) -> TargetDescription:
    """Describe the target by its file."""
    return TargetDescription(file=case.target_file)


def by_id(case: Case) -> TargetDescription:
    """Describe the target by its id in the index."""
    return TargetDescription(case.target.entity)


def measure() -> str:
    """Return the table of all corpora."""
    rows = []
    for site in SITES:
        with sample(site) as folder, TemporaryDirectory() as scratch:
            cases = cases_of(site, folder)
            opened = indexed(site, folder, Path(scratch) / "index")
            rows.append(_row(site.name, cases, by_id, opened, "an index"))
            rows.append(_row(site.name, cases, by_file, None, "the files"))
            rows.append(_row(site.name, cases, by_title, None, "a title"))
    rows += [_row(name, wiki_cases(dump), by_title, None, "a title") for name, dump in WIKIS.items()]
    return "\n".join([_INTRODUCTION, *rows])


_INTRODUCTION = """A link between two pages is taken away, and linkspot writes it again from what is left: with an index of the pages; with
the two files among their neighbours; with the title alone, when nothing says in which folder the target is. *Equal* is
the same address, character by character, without the fragment, which no target names. *Equal for the site* also counts
other escapes, blanks and capitals, a last slash, a redirect to the page, and a macro in place of an ordinary link, or
the reverse, if the rest of the page has both the macro and ordinary links that it could have written. The words that
are left look as they did in the link: what a macro shows as code is left as code. Links to a page's version in another
language, and to pages that the index has under one name, are left out. Each corpus is a sample of its pages, in one or
two languages.

| corpus | what is known | links | equal | equal for the site | different |
| --- | --- | ---: | ---: | ---: | ---: |"""  # noqa: E501


def indexed(site: SampledSite, folder: Path, out: Path) -> Index:
    """Return an index of the folder's pages."""
    engine = open_engine("local", EngineSettings(jobs=1))
    try:
        index([CorpusSource(folder, "folder", site.language, site.pages)], out, engine)
    finally:
        engine.close()
    return Index(out)


def _row(
    name: str, cases: Sequence[Case], describe: Callable[[Case], TargetDescription], opened: Index | None, known: str
) -> str:
    outcomes = outcomes_of(cases, describe, opened)
    shares = [outcomes["equal"], outcomes["equal"] + outcomes["equivalent"], outcomes["different"]]
    cells = " | ".join(f"{share / len(cases):.1%}" for share in shares)
    return f"| {name} | {known} | {len(cases)} | {cells} |"


def outcomes_of(
    cases: Sequence[Case], describe: Callable[[Case], TargetDescription], opened: Index | None = None
) -> Counter[str]:
    """Return how many links are written with each outcome."""
    return Counter(outcome(case, *written(case, describe(case), opened)) for case in cases)
