"""Files that say what the pages of a dump are about, found beside it by their names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from linkspot.corpora.corpus import CorpusSource
from linkspot.corpora.dumps.sql_table import SqlTable
from linkspot.corpora.entity_table import EntityTable
from linkspot.corpora.wiki_languages import language_of_code

_WIKIDATA_ITEM = "wikibase_item"
_PACKINGS = ("", ".gz", ".bz2", ".xz")
_DUMP = re.compile(
    r"-pages-.*$|-NS0-.*$|\.(?:xml|json|ndjson|zim)(?:-p\d+p\d+)?(?:\.tar)?(?:\.(?:gz|bz2|xz|lzma|7z))?$", re.IGNORECASE
)


class IdFileKind(StrEnum):
    """How a file says what pages are about; the value is the end of its name, without packing."""

    ENTITIES = "entities.tsv"  # a table of titles and ids, as `linkspot fetch --ids` writes it
    PAGE_PROPS = "page_props.sql"
    LANGLINKS = "langlinks.sql"
    GIVEN = "--entities"  # a table that the user names


class IdFact(NamedTuple):
    """What a file says of one page, which is named by its number in the wiki or by its title.

    It is about `entity`, or the same as the page with the title `other_title` in `other_language`.
    """

    page_id: str = ""
    title: str = ""
    language: str = ""
    entity: str = ""
    other_language: str = ""
    other_title: str = ""


@dataclass(frozen=True, slots=True)
class IdFile:
    """A file with facts about the pages of one wiki; `wiki` is empty where rows name the language instead."""

    path: Path
    kind: IdFileKind
    wiki: str = ""

    @property
    def size(self) -> int:
        """How many bytes the file has."""
        return self.path.stat().st_size

    def open(self) -> "SqlTable | EntityTable":
        """Return the table in the file."""
        if self.kind is IdFileKind.PAGE_PROPS:
            return SqlTable(self.path, "page_props", ("pp_page", "pp_propname", "pp_value"), b"'wikibase_item'")
        if self.kind is IdFileKind.LANGLINKS:
            return SqlTable(self.path, "langlinks", ("ll_from", "ll_lang", "ll_title"))
        return EntityTable(self.path)

    def facts(self, table: "SqlTable | EntityTable") -> Iterator[IdFact]:
        """Yield what the rows of the opened table say; links to a part of a page say nothing of the page."""
        if isinstance(table, EntityTable):
            for named in table.rows():
                yield IdFact(title=named.title, language=named.language, entity=named.id)
            return
        for page_id, name, value in table.rows():
            if self.kind is IdFileKind.LANGLINKS and value and "#" not in value:
                yield IdFact(page_id, other_language=language_of_code(name), other_title=value)
            elif name == _WIKIDATA_ITEM:
                yield IdFact(page_id, entity=value)


def wiki_of(source: CorpusSource) -> str:
    """Return what names the wiki of a dump among others: its path up to what is dumped, without parts and packing."""
    return str(source.path.with_name(_DUMP.sub("", source.path.name)))


def path_beside(source: CorpusSource, kind: IdFileKind) -> Path:
    """Return where a file of this kind stands beside a dump, if it is not packed."""
    return Path(f"{wiki_of(source)}-{kind}")


def id_files_beside(sources: list[CorpusSource]) -> list[IdFile]:
    """Return the files with ids beside dumps, each once: `swwiki-20240101-page_props.sql.gz` and the like.

    Where each dump has Wikidata ids, links between languages say nothing new, and their large files are left out.
    """
    wikis = dict.fromkeys(wiki_of(source) for source in sources if source.path.is_file())
    kinds = (IdFileKind.ENTITIES, IdFileKind.PAGE_PROPS, IdFileKind.LANGLINKS)
    found = (_first_file(wiki, kind) for wiki in wikis for kind in kinds)
    files = [file for file in found if file is not None]
    with_items = [file for file in files if file.kind is not IdFileKind.LANGLINKS]
    return with_items if {file.wiki for file in with_items} == set(wikis) else files


def _first_file(wiki: str, kind: IdFileKind) -> IdFile | None:
    paths = (Path(f"{wiki}-{kind}{packing}") for packing in _PACKINGS)
    return next((IdFile(path, kind, wiki) for path in paths if path.is_file()), None)
