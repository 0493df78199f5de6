"""The Wikidata ids of a dump's pages, asked of its live wiki and kept in a table beside the dump."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from linkspot.corpora.corpus import CorpusSource, current_pages
from linkspot.corpora.dumps.id_files import IdFileKind, path_beside
from linkspot.corpora.wiki.answer_parts import page_list, part, text
from linkspot.corpora.wiki.api import TITLES_A_CALL, Wiki
from linkspot.errors import BrokenRun, UnusableInput
from linkspot.records import Page

_HEADER = "title\tid\n"
_UNFINISHED = ".unfinished"


def fetch_ids(
    wiki: Wiki, source: CorpusSource, rejects: Counter[str], on_pages: Callable[[float, int], None] = lambda *_: None
) -> Path:
    """Write what the articles of a dump are about to a table beside it, or continue one, and return its path.

    A page without an id has an empty one there. `on_pages` gets how much of the dump is done, and the number of pages.
    """
    path = path_beside(source, IdFileKind.ENTITIES)
    if path.exists():
        return path
    unfinished = path.with_name(path.name + _UNFINISHED)
    corpus = source.open()
    if corpus.layout is not None:
        raise UnusableInput(f"{source.path} has pages by their paths; --ids takes a dump whose pages have titles")
    try:
        known = _known_titles(unfinished)
        with unfinished.open("a", encoding="utf-8", newline="") as file:
            file.write("" if file.tell() else _HEADER)
            done = len(known)
            pages = (page for page in current_pages(corpus) if not page.redirect and page.title not in known)
            while batch := list(islice(pages, TITLES_A_CALL)):
                items = _items(wiki, batch, rejects)
                file.writelines(f"{page.title}\t{items.get(page.title, '')}\n" for page in batch)
                file.flush()
                done += len(batch)
                on_pages(corpus.share, done)
        unfinished.replace(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BrokenRun(f"{unfinished} cannot be written ({reason}); run the same command again to continue") from error
    return path


def _known_titles(path: Path) -> set[str]:
    """Return the titles that an earlier run wrote; half a line that it left is cut off."""
    if not path.exists():
        return set()
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    path.write_bytes(whole)
    lines = whole.decode("utf-8", "replace").splitlines()[1:]
    return {line.partition("\t")[0] for line in lines}


def _items(wiki: Wiki, pages: Sequence[Page], rejects: Counter[str]) -> dict[str, str]:
    """Return the Wikidata ids of pages by their titles; a page that the wiki lacks or calls otherwise is counted."""
    # By their numbers, since fifty long titles do not fit into an address.
    has_numbers = all(page.id.isdecimal() for page in pages)
    names = {"pageids": "|".join(page.id for page in pages)} if has_numbers else {"titles": _titles(pages)}
    answer = wiki.ask({"prop": "pageprops", "ppprop": "wikibase_item", **names})
    told = {text(page, "title"): text(part(page, "pageprops"), "wikibase_item") for page in page_list(answer)}
    unknown = [page.title for page in pages if page.title not in told]
    rejects["a page that the wiki has no more, or by another title"] += len(unknown)
    return told


def _titles(pages: Sequence[Page]) -> str:
    return "|".join(page.title for page in pages)
