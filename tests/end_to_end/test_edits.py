"""From real pages to real edits: a suggestion, once made, adds one link and changes nothing that a reader sees."""

import random
import re
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from linkspot import Action, Entity, Markup, Page, parse, suggest
from linkspot.corpora.corpus import current_pages, open_corpus
from linkspot.records import Article
from linkspot.source_map import Span

pytestmark = pytest.mark.shared_data
SOME_OR_MANY = [12, pytest.param(60, marks=pytest.mark.slow)]  # pages of each corpus


def _schools(data: Path) -> Iterator[Page]:
    with tarfile.open(data / "wikipedia" / "wikipedia-for-schools-2007-en.tar.xz") as tar:
        for number, member in enumerate(member for member in tar if member.name.endswith(".htm")):
            stream = tar.extractfile(member) if number % 80 == 7 else None
            if stream is not None:
                yield Page("", stream.read().decode("utf-8", "replace"), Markup.HTML, "en")


def _openttd(data: Path) -> Iterator[Page]:
    for language in ("ru", "zh", "fr", "el"):
        dump = data / "openttd" / f"openttd-{language}-pages-meta-history.xml.xz"
        yield from list(current_pages(open_corpus(dump)))[::7]


def _wikipedia(data: Path) -> Iterator[Page]:
    for language in ("bn", "ja", "uk", "vi"):
        pages = current_pages(open_corpus(data / "wikipedia" / f"{language}wiki-truncated-100k.xml.xz"))
        yield from list(pages)[::15]


def _mdn(data: Path, folder: Path) -> Iterator[Page]:
    archive = folder / "mdn"
    subprocess.run(["git", "clone", "-q", "-b", "main", data / "mdn" / "mdn.bundle", archive], check=True)
    yield from list(current_pages(open_corpus(archive, "folder")))[::100]


def _unlinked_word(article: Article, chance: random.Random) -> str:
    """Return some word of the prose that no link holds."""
    words = []
    for section in article.sections:
        for word in re.finditer(r"[^\W\d_]{5,}", section.text):
            if not any(section.links_in(word.start(), word.end())):
                words.append(word.group())
    return chance.choice(words) if words else ""


def _texts(article: Article) -> list[tuple[str, str]]:
    return [(section.title, section.text) for section in article.sections]


def _mentions(article: Article) -> list[str]:
    return sorted(link.mention for section in article.sections for link in section.links)


@pytest.fixture(scope="module", params=["schools", "openttd", "wikipedia", "mdn"])
def drawn(request: pytest.FixtureRequest, shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Page]:
    """Pages of one corpus, in an order that is always the same."""
    if request.param == "mdn":
        found = list(_mdn(shared_data, tmp_path_factory.mktemp("mdn")))
    else:
        found = list({"schools": _schools, "openttd": _openttd, "wikipedia": _wikipedia}[request.param](shared_data))
    return random.Random(7).sample(found, len(found))


@pytest.fixture(params=SOME_OR_MANY)
def pages(request: pytest.FixtureRequest, drawn: list[Page]) -> list[Page]:
    """Return the first of them."""
    return drawn[: request.param]


def test_linking_words_adds_one_link_and_changes_nothing_else(pages: list[Page]) -> None:
    chance = random.Random(7)
    made = 0
    for page in pages:
        article = parse(page)
        word = _unlinked_word(article, chance)
        if not word:
            continue
        # The title is no word of the page, so that its own links are never taken for links to the target.
        entity = Entity("Zzyzx target", mentions=(word,))
        for place in suggest(page, entity, ranker="string-match", top=3).places:
            if place.action is not Action.LINK_WORDS:
                continue
            edited = parse(replace(page, text=place.edit(page.text)))
            words = place.words.cut(article.sections[place.section].text) if place.words else ""
            assert _texts(edited) == _texts(article), (page.title, word, place)
            assert _mentions(edited) == sorted([*_mentions(article), words]), (page.title, word, place)
            made += 1
    assert made >= len(pages) // 2


def test_a_sentence_added_behind_another_stands_there_and_changes_nothing_else(pages: list[Page]) -> None:
    chance = random.Random(5)
    added = " Zzyzx stands here."
    made = 0
    for page in pages:
        article = parse(page)
        for index, sentence in chance.sample(article.sentences, min(5, len(article.sentences))):
            behind = Span(sentence.source.end, sentence.source.end)
            edited = parse(replace(page, text=behind.replace(page.text, added)))
            expected = [section.text for section in article.sections]
            expected[index] = expected[index][: sentence.end] + added + expected[index][sentence.end :]
            assert [section.text for section in edited.sections] == expected, (page.title, sentence.text)
            made += 1
    assert made >= 2 * len(pages)
