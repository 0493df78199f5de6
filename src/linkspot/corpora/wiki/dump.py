"""A dump of a live wiki, in the shape of Wikimedia Enterprise's: one article a line, fetched page by page."""

import gzip
import io
import json
import tarfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any, TypeVar

from linkspot.corpora.wiki.api import TITLES_A_CALL, Wiki
from linkspot.corpora.wiki.wiki_article import WikiArticle
from linkspot.errors import BrokenRun, UnreadablePage, UnusableInput

_LINES, _PACKED_LINES, _ARCHIVE = ".ndjson", ".ndjson.gz", ".json.tar.gz"
_ENDINGS = (_LINES, _PACKED_LINES, _ARCHIVE)
_LINES_A_MEMBER = 1000
_CHUNK = 1 << 16
_GZIP = 31  # zlib's number for it
_BEGINNING = b'{"name": '
T = TypeVar("T")


def enterprise_lines(wiki: Wiki, rejects: Counter[str], known: Collection[int] = ()) -> Iterator[dict[str, Any]]:
    """Yield a record of each of the wiki's articles whose id is not known; one without HTML is only counted."""
    site = wiki.site
    unknown = (article for article in wiki.articles() if article.id not in known)
    for batch in _batches(unknown, TITLES_A_CALL):
        wikitexts = wiki.wikitexts([article.revision.id for article in batch])
        for article in batch:
            try:
                html = wiki.revision_html(article.revision.id)
            except UnreadablePage:
                rejects["an article without HTML"] += 1
                continue
            yield record_of(site, article, html, wikitexts.get(article.revision.id))


def fetch(wiki: Wiki, out: Path, rejects: Counter[str], on_article: Callable[[str], None] = lambda _: None) -> int:
    """Write the wiki's articles to a file, or continue one, and return how many articles it holds.

    The file ends in .ndjson, .ndjson.gz or .json.tar.gz; the last is packed at the end, from lines kept beside it.
    `on_article` gets each title when it is written.
    """
    if not out.name.endswith(_ENDINGS):
        raise UnusableInput(f"{out} does not end in {', '.join(_ENDINGS)}; choose one of these forms for the dump")
    is_archive = out.name.endswith(_ARCHIVE)
    path = out.with_name(out.name.removesuffix(_ARCHIVE) + _PACKED_LINES) if is_archive else out
    name = wiki.site["wikiid"]  # asked first, so that a wrong address leaves no file behind
    with LinesFile(path) as lines:
        if lines.wiki not in {"", name}:
            raise UnusableInput(f"{path} holds pages of {lines.wiki}, not of {name}; name another file")
        for record in enterprise_lines(wiki, rejects, lines.ids):
            lines.append(record)
            on_article(record["name"])
        rejects.update(wiki.rejects)
        count = len(lines.ids)
    if is_archive:
        pack(path, out)
        path.unlink()
    return count


class LinesFile:
    """A file of records, one a line, that only grows: half a line that a killed run left is cut off at opening.

    Packed, each line is a gzip member of its own, which costs little (they see back 32 kB at most) and can be cut.
    """

    def __init__(self, path: Path) -> None:
        self.ids: set[int] = set()
        self.versions: set[int] = set()
        self.wiki = ""
        self._path = path
        self._is_packed = path.name.endswith(".gz")
        try:
            end = self._read() if path.exists() else 0
            self._file = path.open("ab", buffering=0)  # so that no buffer holds half a line when the disk is full
            self._file.truncate(end)
        except OSError as error:
            raise UnreadablePage(f"{path} cannot be written: {_reason(error)}") from error

    def __enter__(self) -> "LinesFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def append(self, record: dict[str, Any]) -> None:
        """Write one complete record before returning."""
        line = json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        data = memoryview(gzip.compress(line, mtime=0) if self._is_packed else line)
        try:
            while data:
                data = data[self._file.write(data) :]
        except OSError as error:
            raise BrokenRun(
                f"{self._path} cannot be written ({_reason(error)}); make room, and run the same command to continue"
            ) from error
        self._know(record)

    def _know(self, record: dict[str, Any]) -> None:
        self.ids.add(record["identifier"])
        self.versions.add(record.get("version", {}).get("identifier", 0))

    def _read(self) -> int:
        """Note the records of the file, and return where its last complete line ends."""
        last_end = 0
        with self._path.open("rb") as file:
            for piece, end in _members(file) if self._is_packed else _whole_lines(file):
                for line in piece.splitlines():
                    self._note(line)
                last_end = end
            file.seek(0)
            if not last_end and not self._is_begun(file.read(_CHUNK)):  # cutting would empty somebody else's file
                raise self._foreign()
        return last_end

    def _note(self, line: bytes) -> None:
        try:
            record = json.loads(line)
            self._know(record)
            self.wiki = self.wiki or record["is_part_of"]["identifier"]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise self._foreign() from error

    def _is_begun(self, beginning: bytes) -> bool:
        """Return whether a file that begins like this is one of ours, however short it is."""
        try:
            beginning = zlib.decompressobj(_GZIP).decompress(beginning) if self._is_packed else beginning
        except zlib.error:
            return False
        return beginning.startswith(_BEGINNING[: len(beginning)])

    def _foreign(self) -> UnusableInput:
        return UnusableInput(f"{self._path} exists and is not a dump that linkspot fetched; name another file")


def pack(lines: Path, archive: Path) -> None:
    """Write the lines as Wikimedia Enterprise packs them: a tar of files of lines."""
    unfinished = archive.with_name(f"{archive.name}.part")
    with gzip.open(lines) as source, tarfile.open(unfinished, "w:gz") as tar:
        for number, batch in enumerate(_batches(source, _LINES_A_MEMBER)):
            data = b"".join(batch)
            member = tarfile.TarInfo(f"{archive.name.removesuffix(_ARCHIVE)}_{number}{_LINES}")
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    unfinished.replace(archive)


def record_of(site: dict[str, Any], article: WikiArticle, html: str, wikitext: str | None) -> dict[str, Any]:
    """Return an article in the form of Wikimedia Enterprise."""
    time = article.revision.time
    return {
        "name": article.title,
        "identifier": article.id,
        "date_modified": time.isoformat().replace("+00:00", "Z") if time else None,
        "version": {"identifier": article.revision.id},
        "url": article.url,
        "namespace": {"identifier": 0},
        "in_language": {"identifier": article.language or site["lang"]},
        "is_part_of": {"identifier": site["wikiid"]},
        **({"main_entity": {"identifier": article.entity}} if article.entity else {}),
        "redirects": [{"name": name} for name in article.redirects],
        "article_body": {"html": html, "wikitext": wikitext},
    }


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def _whole_lines(file: IO[bytes]) -> Iterator[tuple[bytes, int]]:
    end = 0
    for line in file:
        end += len(line)
        if line.endswith(b"\n"):
            yield line, end


def _members(file: IO[bytes]) -> Iterator[tuple[bytes, int]]:
    """Yield what each whole gzip member holds, and where it ends, up to the first that is cut off or damaged."""
    position, rest = 0, b""
    unpacker, piece = zlib.decompressobj(_GZIP), b""
    while chunk := rest or file.read(_CHUNK):
        try:
            piece += unpacker.decompress(chunk)
        except zlib.error:
            return
        rest = unpacker.unused_data
        position += len(chunk) - len(rest)
        if unpacker.eof:
            yield piece, position
            unpacker, piece = zlib.decompressobj(_GZIP), b""
