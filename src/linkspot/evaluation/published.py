"""The paper's published dataset (Zenodo record 13888211), read as it was released.

A language has two test files. `<language>.parquet` holds a query a row: what was linked to, the right window
(`context`, `section`) and in `negative_contexts` the wrong ones, a Python list of `{'context': …, 'section': …}` in a
string. `<language>_mention_map.parquet` holds the words that links used for each target. Titles are those of addresses.

What the released code shows of the protocol, and what linkspot does:

- The candidates are the right window and all wrong ones. Random draws a rank from 1 to n, so that its Hits@1 is
  expected to be the mean of 1/n.
- A row without a category is *present*. Queries that need a new section, have no wrong window or an empty right one
  were taken out before the release; should there be any, they are set aside and counted.
- Of more than ten mentions the paper's models saw ten, drawn by chance. Here it is always the same ten.
- Among equal scores the baselines of the paper drew by chance, and its models were given the best rank. Here ties
  count against the ranker, but for `twins`, as they are the right window once more. They come from the released code:
  it looked for the right window among the wrong ones before it normalised its white space, and so passed over those at
  the beginning or the end of a section.
- Each right window stood first. Here its place is drawn by the query's id.
"""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from pathlib import Path

from linkspot.errors import UnusableInput
from linkspot.examples.published_rows import (
    BrokenRow,
    Mentions,
    PublishedQuery,
    Row,
    decoded,
    listed_windows,
    mentions_of,
    open_file,
    query_of,
    rows_of,
)
from linkspot.records import Scenario

_MENTION_MAP = "_mention_map"
_TARGET = ("source_title", "source_lead", "target_title", "target_lead")
_TESTS = (*_TARGET, "context", "section", "mention_present", "missing_category", "negative_contexts")


class PublishedTests:
    """The test files of a folder; `rejects` counts the rows that were set aside so far, by reason."""

    def __init__(self, folder: Path, languages: Sequence[str] = ()) -> None:
        there = sorted(path.stem for path in folder.glob("*.parquet") if not path.stem.endswith(_MENTION_MAP))
        if not there:
            raise UnusableInput(
                f"{folder} has no test files; expected <language>.parquet and <language>{_MENTION_MAP}.parquet of the "
                "published dataset (Zenodo record 13888211)"
            )
        unknown = [language for language in languages if language not in there]
        if unknown:
            raise UnusableInput(f"{folder} has no {unknown[0]}.parquet; there are: {', '.join(there)}")
        self._folder = folder
        self.languages = tuple(languages or there)
        self.rejects: Counter[str] = Counter()

    def count(self, language: str) -> int:
        """Return how many rows a language has, those included that will be set aside."""
        return int(open_file(self._folder / f"{language}.parquet", _TESTS).metadata.num_rows)

    def queries(self, language: str, numbers: Container[int] | None = None) -> Iterator[PublishedQuery]:
        """Yield the queries of a language, in the order of its file; only of some rows, if their numbers are given."""
        path = self._folder / f"{language}.parquet"
        mentions = mentions_of(self._folder / f"{language}{_MENTION_MAP}.parquet", _targets([path]))
        for number, row in enumerate(rows_of(path, _TESTS)):
            if numbers is not None and number not in numbers:
                continue
            try:
                yield _test(row, f"{language}/{number}", language, mentions)
            except BrokenRow as reason:
                self.rejects[str(reason)] += 1


def _targets(files: Sequence[Path]) -> set[str]:
    titles = {row["target_title"] for file in files for row in rows_of(file, ("target_title",))}
    return {decoded(title) for title in titles if title}


def _test(row: Row, id_: str, language: str, mentions: Mentions) -> PublishedQuery:
    query = query_of(row, id_, language, mentions, listed_windows(row["negative_contexts"]))
    if query.scenario is Scenario.MISSING_SECTION:
        raise BrokenRow("a query that needs a new section, which the paper leaves out")
    if bool(row["mention_present"]) != (query.scenario is Scenario.TEXT_PRESENT):
        raise BrokenRow("a query whose mention_present and missing_category disagree")
    return query
