"""The dataset reader: the tables of a dataset → examples by number, each made when it is needed."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from linkspot.examples.linked_example import LinkedExample, section_span, without_links
from linkspot.examples.target_names import Names, counts_of_links, names_of_targets, target_of
from linkspot.links.identity import local_id
from linkspot.records import Article, Entity, Example, Scenario
from linkspot.tables.mapped_table import MappedTable
from linkspot.tables.schemas import Row, article_of, precedent_of

_ENTITY = ("target_title", "target_lead", "target_entity", "mentions")
_INSERTION = ("corpus", "language", "source_key", "source_title", "target_key", "after_revision", "scenario", "gold")
_PLACE = ("corpus", "language", "source_key", "target_key", "mention_end", "sentence_end")
_LINK = (*_PLACE, "sentence", "mention_start", "sentence_start", "context_links")
_ARTICLE = ("corpus", "language", "key", "title", "sections")
# Columns that identify a row, so that draws and their order do not depend on the order of a table.
_EVENT = ("corpus", "language", "source_key", "after_revision", "target_key")
_LINK_KEY = ("corpus", "language", "source_key", "sentence", "mention_start", "target_key")
_ARTICLES_KEPT = 64  # parsed articles; neighbouring examples often share a page

NO_ARTICLE = "an existing link whose article is not in the dataset"
ACROSS_SENTENCES = "an existing link that goes on in the next sentence"
LINKED_AGAIN = "an existing link of a page that links the target more than once"


Wiki = tuple[str, str]  # a corpus and a language
Key = tuple[str | int, ...]  # a corpus, a language, and what identifies a row there


@dataclass(frozen=True, slots=True)
class InsertionExample:
    """A real insertion as a ranking problem, with what evaluation groups by; `event` identifies the edit."""

    example: Example
    scenario: Scenario
    language: str
    corpus: str
    event: str

    @property
    def wiki(self) -> Wiki:
        """The corpus and the language that it is from."""
        return self.corpus, self.language

    @property
    def gold(self) -> tuple[int, ...]:
        """The numbers of the right candidates."""
        return self.example.gold


class Insertions:
    """The links that editors added, in one split of a dataset, ordered by their keys.

    The seed draws at most `per_language` of each language (0: all of them).
    """

    def __init__(
        self, folder: Path, split: str, languages: Sequence[str] = (), *, per_language: int = 0, seed: int = 0
    ) -> None:
        self._table = MappedTable(folder, f"insertions/{split}", (*_INSERTION, *_ENTITY, "precedents", "sections"))
        self._rows = _drawn(dict(enumerate(self._table.keys(_EVENT))), languages, per_language, seed)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, number: int) -> InsertionExample:
        row = self._table.row(self._rows[number])
        precedents = tuple(map(precedent_of, row["precedents"]))
        entity = replace(_entity(row), precedents=precedents)
        example = Example(entity, _article(row, "source_title"), tuple(row["gold"]))
        return InsertionExample(example, Scenario(row["scenario"]), row["language"], row["corpus"], _event(row))

    def __iter__(self) -> Iterator[InsertionExample]:
        return (self[number] for number in range(len(self)))

    @property
    def languages(self) -> frozenset[str]:
        """All languages of the split, even those that were not asked for."""
        return frozenset(self._table.strings("language"))

    def wikis(self) -> dict[Wiki, list[int]]:
        """Return the numbers of the insertions of each wiki."""
        return _by_wiki(self._table, self._rows)

    def facts(self, number: int) -> Row:
        """Return the facts about an example that do not need its page."""
        row = self._table.row(self._rows[number])
        return {
            **{name: row[name] for name in ("corpus", "language", "scenario", "source_title", "target_title", "gold")},
            "event": _event(row),
            "mentions": len(row["mentions"]),
            "candidates": sum(len(section["sentences"]) for section in row["sections"]),
            "sections": [len(section["sentences"]) for section in row["sections"]],
        }

    def article(self, number: int) -> Article:
        """Return the page of an example as it was before the edit."""
        return self[number].example.article


class ExistingLinks:
    """The existing links of a dataset, each with its link removed from the page, ordered by their keys.

    The seed draws at most `per_language` of each language (0: all of them). `left_out` counts by reason the links that
    cannot train.
    """

    def __init__(self, folder: Path, languages: Sequence[str] = (), *, per_language: int = 0, seed: int = 0) -> None:
        self._links = MappedTable(folder, "existing_links/train", (*_LINK, *_ENTITY))
        self._articles = MappedTable(folder, "articles/train", _ARTICLE)
        self._names = names_of_targets(self._links)
        self._article_rows, self.left_out = self._find_articles()
        keys = self._links.keys(_LINK_KEY)
        self._rows = _drawn({row: keys[row] for row in self._article_rows}, languages, per_language, seed)
        self._keys = [keys[row] for row in self._rows]
        self._parsed = lru_cache(_ARTICLES_KEPT)(self._parse)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, number: int) -> LinkedExample:
        row = self._links.row(self._rows[number])
        article = self.article(number)
        mention = section_span(article, row["sentence"], *_range_in_sentence(row))
        if mention is None:
            raise IndexError(f"a link of {article.title!r} extends beyond its sentence")
        unlinked = without_links(article, self._names[target_of(row)])
        return LinkedExample(_entity(row), unlinked, row["sentence"], mention)

    def __iter__(self) -> Iterator[LinkedExample]:
        return (self[number] for number in range(len(self)))

    def article(self, number: int) -> Article:
        """Return the page of a link, with all of its links."""
        return self._parsed(self._article_rows[self._rows[number]])

    def wiki(self, number: int) -> Wiki:
        """Return the corpus and the language of a link."""
        corpus, language, *_ = self._keys[number]
        return str(corpus), str(language)

    def place(self, number: int) -> tuple[Key, int]:
        """Return the page of a link and the number of its sentence there, without reading the page."""
        corpus, language, page, sentence, *_ = self._keys[number]
        return (corpus, language, page), int(sentence)

    def wikis(self) -> dict[Wiki, list[int]]:
        """Return the numbers of the links of each wiki."""
        return _by_wiki(self._links, self._rows)

    def _parse(self, row: int) -> Article:
        return _article(self._articles.row(row), "title")

    def _find_articles(self) -> tuple[dict[int, int], Counter[str]]:
        """Return the row of the article of each link that can train, and counts by reason of those that cannot."""
        articles = {key: row for row, key in enumerate(self._articles.keys(("corpus", "language", "key")))}
        article_rows: dict[int, int] = {}
        left_out: Counter[str] = Counter()
        links_of_article: defaultdict[int, list[tuple[int, Names]]] = defaultdict(list)
        for begin, batch in self._links.batches():
            for number, row in enumerate(batch.select(_PLACE).to_pylist(), begin):
                article = articles.get((row["corpus"], row["language"], row["source_key"]))
                if article is None:
                    left_out[NO_ARTICLE] += 1
                elif row["mention_end"] > row["sentence_end"]:
                    left_out[ACROSS_SENTENCES] += 1
                else:
                    article_rows[number] = article
                    links_of_article[article].append((number, self._names[target_of(row)]))
        for number, count in counts_of_links(self._articles, links_of_article):
            if count > 1:
                del article_rows[number]
                left_out[LINKED_AGAIN] += 1
        return article_rows, left_out


def _by_wiki(table: MappedTable, rows: Sequence[int]) -> dict[Wiki, list[int]]:
    """Return the numbers of the rows of each wiki."""
    corpora, languages = (table.strings(name) for name in ("corpus", "language"))
    numbers: defaultdict[Wiki, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        numbers[corpora[row], languages[row]].append(number)
    return dict(numbers)


def _drawn(keys: Mapping[int, Key], wanted: Sequence[str], most: int, seed: int) -> list[int]:
    """Return at most so many rows of each wanted language (of every language, if none is named), ordered by keys."""
    by_language: defaultdict[str | int, list[int]] = defaultdict(list)
    for row, (_corpus, language, *_) in keys.items():
        if not wanted or language in wanted:
            by_language[language].append(row)
    drawn = (
        sorted(rows, key=lambda row: _draw(keys[row], seed))[:most] if 0 < most < len(rows) else rows
        for rows in by_language.values()
    )
    return sorted((row for rows in drawn for row in rows), key=lambda row: keys[row])


def _draw(key: Key, seed: int) -> bytes:
    """Return a row's random number, which does not depend on the other rows."""
    return blake2b("/".join(map(str, (seed, *key))).encode(), digest_size=8).digest()


def _event(row: Row) -> str:
    return "/".join(row[name] for name in _EVENT[1:])


def _entity(row: Row) -> Entity:
    identity = local_id(row["target_entity"], row["language"])
    return Entity(row["target_title"], row["target_lead"], tuple(row["mentions"]), identity)


def _article(row: Row, title: str) -> Article:
    return article_of(row[title], row["language"], row["sections"])


def _range_in_sentence(row: Row) -> tuple[int, int]:
    return row["mention_start"] - row["sentence_start"], row["mention_end"] - row["sentence_start"]
