"""Candidate targets: the pages of an index that a page names and does not link."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from linkspot.answers.excluded_sections import excluded_sections
from linkspot.links.existing import existing_links, is_own_page
from linkspot.links.index import Index
from linkspot.links.index_tables import IndexTables
from linkspot.records import Article, Entity
from linkspot.text.scripts import UNSPACED

_WORD = re.compile(rf"[{UNSPACED}]|(?:(?![{UNSPACED}])[^\W_])+(?:[’'-](?:(?![{UNSPACED}])[^\W_])+)*")
_IS_UNSPACED = re.compile(f"[{UNSPACED}]")
_MOST_WORDS = 5
_MOST_LETTERS = 12  # of a name in a script without spaces
_SHORTEST = 3  # characters of a name with spaces around it
_SHORTEST_UNSPACED = 2
_CLEAR = 0.5  # the share of a name's links that lead to one page, at least
_NAMES_AT_ONCE = 20_000
_READ = 4  # targets that are looked up for each one that is wanted


@dataclass(frozen=True, slots=True)
class NamedTarget:
    """A page that a text names: its key and the name, how many links have that name, and which of them lead there."""

    key: str
    name: str
    links: int
    share: float


class CandidateFinder:
    """Finds candidate targets with one index."""

    def __init__(self, index: Index) -> None:
        self._index, self._tables = index, IndexTables(Path(index.folder))

    def targets(self, article: Article, most: int, exclude_sections: tuple[str, ...] = ()) -> list[Entity]:
        """Return the pages that a page names and does not link, those with the longest and most used names first."""
        names = set(_names_in(article, exclude_sections))
        named = sorted(self._named(names, article.language), key=_merit, reverse=True)
        keys = list(dict.fromkeys(one.key for one in named))[: _READ * most]  # some are linked already
        entities = self._index.entities_of(keys, article)
        return [one for one in entities if not is_own_page(article, one) and not existing_links(article, one)][:most]

    def _named(self, names: set[str], language: str) -> Iterator[NamedTarget]:
        """Yield for each name that links have, or that is a title, the page that it most often means."""
        links: dict[str, dict[str, int]] = {}
        ordered = sorted(names)
        for start in range(0, len(ordered), _NAMES_AT_ONCE):
            some = ordered[start : start + _NAMES_AT_ONCE]
            wanted = [[("language", "=", language), ("mention", "in", some)]]
            for row in self._tables.rows("mentions", wanted, ["mention", "key", "count"]):
                links.setdefault(row["mention"], {})[row["key"]] = row["count"]
            titles = [*some, *(name[:1].upper() + name[1:] for name in some)]
            known = [[("language", "=", language), ("title", "in", titles)]]
            for row in self._tables.rows("entities", known, ["title", "key"]):
                links.setdefault(row["title"], {}).setdefault(row["key"], 1)
        for name, counts in links.items():
            key = max(counts, key=lambda key: (counts[key], key))
            share = counts[key] / sum(counts.values())
            if share >= _CLEAR:
                yield NamedTarget(key, name, counts[key], share)


def _merit(named: NamedTarget) -> tuple[int, float, int, str]:
    words = len(_WORD.findall(named.name))
    return min(words, 2), named.share * min(named.links, 20), len(named.name), named.name


def _names_in(article: Article, exclude_sections: tuple[str, ...]) -> Iterator[str]:
    """Yield all runs of a few words in the sentences of a page, outside of links."""
    excluded = excluded_sections(article, exclude_sections)
    for number, sentence in article.sentences:
        if number in excluded:
            continue
        section = article.sections[number]
        words = [
            (match.start(), match.end())
            for match in _WORD.finditer(section.text, sentence.start, sentence.end)
            if not section.links_in(match.start(), match.end())
        ]
        for first, (start, _) in enumerate(words):
            is_unspaced = bool(_IS_UNSPACED.match(section.text, start))
            for _, end in words[first : first + (_MOST_LETTERS if is_unspaced else _MOST_WORDS)]:
                name = section.text[start:end]
                shortest = _SHORTEST_UNSPACED if is_unspaced else _SHORTEST
                if len(name) >= shortest and not name.isdigit() and "\n" not in name:
                    yield name
