"""What holds for every corpus: the same six articles, kept in any way, are the same articles."""

import bz2
import gzip
import io
import json
import lzma
import subprocess
import tarfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import py7zr
import pytest
from libzim.writer import Creator, Hint, Item, StringProvider

from linkspot.corpora.corpus import KINDS, open_corpus
from linkspot.errors import UnknownCorpus, UnreadablePage
from linkspot.links.titles import TitleRules
from linkspot.parsing import parse
from linkspot.records import Markup, Revision

Piece = str | tuple[str, str]  # words, or words that link to a title


@dataclass(frozen=True)
class Fixture:
    """An article, articles without any markup: its sections, of paragraphs, of pieces."""

    title: str
    language: str
    sections: tuple[tuple[str, tuple[tuple[Piece, ...], ...]], ...]


FIXTURES = (
    Fixture("Dhow", "en", (("", (("A dhow sails on the ", ("ocean", "Ocean"), ". It has a mast."),)),)),
    Fixture("Kamal", "en", (("", (("A board & a string.",),)), ("Use", ((("Sailors", "Sailor"), " held it."),)))),
    Fixture("Karafuu", "sw", (("", (("Karafuu ni ", ("viungo", "Viungo"), ". Hutoka Pemba."), ("Ni maua.",))),)),
    Fixture("玉露", "ja", (("", (("玉露は", ("緑茶", "緑茶"), "である。うまい。"),)), ("作り方", (("葉を蒸す。",),)))),
    Fixture("كلب", "ar", (("", (("الكلب ", ("حيوان", "حيوان"), " أليف."),)),)),
    Fixture("Сигнал", "ru", (("", (("Сигнал горит. Поезд ", ("стоит", "Стоянка"), "."),)),)),
)


def _wikitext(fixture: Fixture) -> str:
    def piece(part: Piece) -> str:
        return part.replace("&", "&amp;") if isinstance(part, str) else f"[[{part[1]}|{part[0]}]]"

    blocks = []
    for heading, paragraphs in fixture.sections:
        blocks += [f"== {heading} =="] if heading else []
        blocks += ["".join(map(piece, paragraph)) for paragraph in paragraphs]
    return "\n\n".join(blocks)


def _html(fixture: Fixture) -> str:
    def piece(part: Piece) -> str:
        return escape(part) if isinstance(part, str) else f'<a rel="mw:WikiLink" href="./{part[1]}">{part[0]}</a>'

    blocks = []
    for heading, paragraphs in fixture.sections:
        blocks += [f"<h2>{heading}</h2>"] if heading else []
        blocks += [f"<p>{''.join(map(piece, paragraph))}</p>" for paragraph in paragraphs]
    return f'<html lang="{fixture.language}"><body><h1>{fixture.title}</h1>{"".join(blocks)}</body></html>'


def _markdown(fixture: Fixture) -> str:
    def piece(part: Piece) -> str:
        return part.replace("&", "&amp;") if isinstance(part, str) else f"[{part[0]}]({part[1]}.md)"

    blocks = [f"---\ntitle: {fixture.title}\nlang: {fixture.language}\n---"]
    for heading, paragraphs in fixture.sections:
        blocks += [f"## {heading}"] if heading else []
        blocks += ["".join(map(piece, paragraph)) for paragraph in paragraphs]
    return "\n\n".join(blocks)


def _xml(fixtures: tuple[Fixture, ...]) -> bytes:
    pages = "".join(
        f"<page><title>{fixture.title}</title><ns>0</ns><id>{number}</id><revision><id>{100 + number}</id>"
        f"<timestamp>2024-05-0{number}T10:00:00Z</timestamp><model>wikitext</model>"
        f'<text xml:space="preserve">{escape(_wikitext(fixture))}</text></revision></page>'
        for number, fixture in enumerate(fixtures, start=1)
    )
    head = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en"><siteinfo/>'
    return f"{head}{pages}</mediawiki>".encode()


def _lines(fixtures: tuple[Fixture, ...]) -> bytes:
    return b"".join(
        json.dumps(
            {
                "name": fixture.title,
                "identifier": number,
                "date_modified": f"2024-05-0{number}T10:00:00Z",
                "version": {"identifier": 100 + number},
                "namespace": {"identifier": 0},
                "in_language": {"identifier": fixture.language},
                "main_entity": {"identifier": f"Q{number}"},
                "redirects": [{"name": f"{fixture.title} 2"}],
                "article_body": {"html": _html(fixture)},
            }
        ).encode()
        + b"\n"
        for number, fixture in enumerate(fixtures, start=1)
    )


def _tar(lines: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        member = tarfile.TarInfo("enwiki_0.ndjson")
        member.size = len(lines)
        tar.addfile(member, io.BytesIO(lines))
    return packed.getvalue()


def _write_files(folder: Path, suffix: str, render: Callable[[Fixture], str]) -> Path:
    for fixture in FIXTURES:
        (folder / f"{fixture.title}{suffix}").write_text(render(fixture), encoding="utf-8")
    return folder


def _write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def _seven_zip(path: Path) -> Path:
    with py7zr.SevenZipFile(path, "w") as archive:
        archive.writestr(_xml(FIXTURES), path.stem)
    return path


class _ZimPage(Item):  # type: ignore[misc]
    """A page as libzim wants it."""

    def __init__(self, fixture: Fixture) -> None:
        super().__init__()
        self._fixture = fixture

    def get_path(self) -> str:
        return self._fixture.title

    def get_title(self) -> str:
        return self._fixture.title

    def get_mimetype(self) -> str:
        return "text/html"

    def get_contentprovider(self) -> StringProvider:
        return StringProvider(_html(self._fixture))

    def get_hints(self) -> dict[Hint, int]:
        return {Hint.FRONT_ARTICLE: True}


def _zim(path: Path) -> Path:
    with Creator(path).config_indexing(False, "eng") as creator:
        for fixture in FIXTURES:
            creator.add_item(_ZimPage(fixture))
        creator.add_metadata("Language", "eng,swa,jpn,ara,rus")
        creator.set_mainpath(FIXTURES[0].title)
    return path


def _run_git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True)


def _git(folder: Path) -> Path:
    _write_files(folder, ".md", _markdown)
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "pages"]):
        _run_git(folder, *command)
    return folder


def _bundle(folder: Path) -> Path:
    _run_git(_git(folder), "bundle", "create", "-q", "pages.bundle", "main")
    return folder / "pages.bundle"


def _bare(folder: Path) -> Path:
    _run_git(_git(folder), "clone", "-q", "--bare", ".", "bare.git")
    return folder / "bare.git"


CORPORA: dict[str, Callable[[Path], Path]] = {
    "xml": lambda folder: _write(folder / "wiki.xml", _xml(FIXTURES)),
    "xml.bz2": lambda folder: _write(folder / "wiki.xml.bz2", bz2.compress(_xml(FIXTURES))),
    "xml.gz": lambda folder: _write(folder / "wiki.xml.gz", gzip.compress(_xml(FIXTURES))),
    "xml.xz": lambda folder: _write(folder / "wiki.xml.xz", lzma.compress(_xml(FIXTURES))),
    "xml.lzma": lambda folder: _write(
        folder / "wiki.xml.lzma", lzma.compress(_xml(FIXTURES), format=lzma.FORMAT_ALONE)
    ),
    "xml.7z": lambda folder: _seven_zip(folder / "wiki.xml.7z"),
    "part of an xml.bz2": lambda folder: _write(
        folder / "enwiki-20240501-pages-meta-history1.xml-p1p873.bz2", bz2.compress(_xml(FIXTURES))
    ),
    "part of an xml.7z": lambda folder: _seven_zip(folder / "enwiki-20240501-pages-meta-history1.xml-p1p873.7z"),
    "json.tar.gz": lambda folder: _write(folder / "enwiki-NS0.json.tar.gz", _tar(_lines(FIXTURES))),
    "ndjson": lambda folder: _write(folder / "enwiki.ndjson", _lines(FIXTURES)),
    "folder of html": lambda folder: _write_files(folder, ".html", _html),
    "folder of wikitext": lambda folder: _write_files(folder, ".wiki", _wikitext),
    "folder of markdown": lambda folder: _write_files(folder, ".md", _markdown),
    "zim": lambda folder: _zim(folder / "wiki.zim"),
    "git": _git,
    "bare git": _bare,
    "git bundle": _bundle,
}


def _content_of(revision: Revision) -> object:
    """What an article says, without how it is written: for each section its title, text, sentences and links."""
    fixture = next(
        f for f in FIXTURES if f.title in {revision.page.title, revision.page.id} or f.title in revision.page.id
    )
    # All six are in one dump of one wiki, which has but one language; the other markups say their own.
    says_language = revision.page.markup != Markup.WIKITEXT
    article = parse(revision.page if says_language else replace(revision.page, language=fixture.language))
    rules = TitleRules(fixture.language)
    return article.title, [
        (
            section.title,
            section.text,
            [sentence.text for sentence in section.sentences],
            [(link.mention, str(rules.normalise(link.target))) for link in section.links],
        )
        for section in article.sections
        if section.text
    ]


def _expected(fixture: Fixture) -> object:
    sections = []
    for heading, paragraphs in fixture.sections:
        texts = ["".join(part if isinstance(part, str) else part[0] for part in paragraph) for paragraph in paragraphs]
        links = [part for paragraph in paragraphs for part in paragraph if not isinstance(part, str)]
        sections.append((heading, "\n".join(texts), links))
    return fixture.title, sections


@pytest.mark.parametrize("name", CORPORA)
def test_the_same_six_articles_come_out_of_every_corpus(name: str, tmp_path: Path) -> None:
    corpus = open_corpus(CORPORA[name](tmp_path))
    articles = [_content_of(revision) for revision in corpus.revisions()]
    without_sentences = [(title, [(h, text, links) for h, text, _, links in sections]) for title, sections in articles]
    key = str
    assert sorted(without_sentences, key=key) == sorted((_expected(fixture) for fixture in FIXTURES), key=key)
    assert sum(len(sentences) for _, sections in articles for _, _, sentences, _ in sections) == 13
    assert not corpus.rejects


@pytest.mark.parametrize("name", ["xml", "xml.7z", "json.tar.gz", "git", "git bundle"])
def test_a_revision_knows_its_id_and_time(name: str, tmp_path: Path) -> None:
    for revision in open_corpus(CORPORA[name](tmp_path)).revisions():
        assert revision.id
        assert revision.time is not None
        assert revision.time.tzinfo is not None


def test_every_kind_is_recognised_by_what_it_is(tmp_path: Path) -> None:
    recognised = {}
    for number, (name, make) in enumerate(CORPORA.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = make(folder)
        recognised[name] = next(kind for kind, entry in KINDS.items() if entry.is_one(path))
    assert set(recognised.values()) == set(KINDS)
    assert {recognised[name] for name in ("git", "bare git", "git bundle")} == {"git"}
    assert recognised["folder of html"] == "folder"


def test_what_is_no_corpus_is_refused_in_one_line(tmp_path: Path) -> None:
    text = _write(tmp_path / "notes.txt", b"Hello.")
    with pytest.raises(
        UnknownCorpus, match=r"notes\.txt is not a corpus that linkspot recognises \(mediawiki-xml: .*name its --kind"
    ):
        open_corpus(text)
    with pytest.raises(UnknownCorpus, match="no kind of corpus is called 'zip'; there are: mediawiki-xml"):
        open_corpus(text, "zip")
    with pytest.raises(UnreadablePage, match="does not exist"):
        open_corpus(tmp_path / "nothing.xml")
