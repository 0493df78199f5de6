"""Many questions at once: each page is parsed once, each page and target encoded once, answers come one by one."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from linkspot.answers.answer import Answer
from linkspot.answers.source_page import PageInput, SourcePage, page_or_path
from linkspot.answers.suggester import Suggester
from linkspot.answers.target import TargetInput, Targets, target_or_path
from linkspot.errors import WrongType, WrongValue
from linkspot.links.index import Index, IndexInput, opened_index
from linkspot.ranking.ranker import DEFAULT_RANKER, Ranker
from linkspot.records import Entity, Page

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_Value = TypeVar("_Value")


def suggest_many(
    pages: Iterable[PageInput],
    targets: Iterable[TargetInput],
    ranker: str | Ranker = DEFAULT_RANKER,
    top: int | None = None,
    *,
    all_pairs: bool = False,
    markup: str = "",
    language: str = "",
    index: IndexInput | None = None,
    anyway: bool = False,
    exclude_sections: Sequence[str] = (),
) -> "Answers":
    """Answer for many pages and targets; every answer is the same as that of `suggest`.

    ```python
    answers = linkspot.suggest_many(["dog.html", "cat.html"], ["Gray wolf", "Wildcat"])  # two answers
    answers = linkspot.suggest_many(["dog.html", "cat.html"], ["Gray wolf", "Wildcat"], all_pairs=True)  # four
    table = answers.to_pandas()
    ```

    The first page goes with the first target, the second with the second, and so on. With `all_pairs`, every page goes
    with every target, page after page. The returned object is an iterable with a length. It reads pages and makes
    answers while you iterate. Each page is parsed once, and kept until its last pair: put the pairs of one page next to
    each other to save memory.

    Args:
        pages: The pages that get links, each as `suggest` takes it.
        targets: What the links lead to, each as `suggest` takes it.
        ranker: How to score places, as for `suggest`.
        top: How many places each answer has at most, as for `suggest`.
        all_pairs: Whether every page goes with every target.
        markup: The markup of pages that are paths or strings, as for `suggest`.
        language: The language of pages that are paths or strings, as for `suggest`.
        index: An index that knows the targets, as for `suggest`.
        anyway: Whether answers have places even if they are *nowhere*, or the page has the link already.
        exclude_sections: Titles of further sections that get no link, as for `suggest`.
    """
    page_list = [page_or_path(page) for page in _several(pages, "pages")]
    target_list = [target_or_path(target) for target in _several(targets, "targets")]
    if not all_pairs and len(page_list) != len(target_list):
        raise WrongValue(
            f"{len(page_list)} pages and {len(target_list)} targets do not make pairs; pass as many targets as pages, "
            "or all_pairs=True for every page with every target"
        )
    suggester = Suggester.of(ranker, top, anyway=anyway, exclude_sections=exclude_sections)
    opened = None if index is None else opened_index(index)
    return Answers(page_list, target_list, suggester, opened, markup, language, all_pairs=all_pairs)


class Answers:
    """The answers to many questions, made one by one while you iterate; `suggest_many` returns it.

    To iterate again makes them again: keep them in a list if you need them twice.
    """

    def __init__(
        self,
        pages: list[Page | Path | str],
        targets: list[Entity | Page | Path | str],
        suggester: Suggester,
        index: Index | None = None,
        markup: str = "",
        language: str = "",
        *,
        all_pairs: bool = False,
    ) -> None:
        self._pages, self._targets, self._all_pairs = pages, targets, all_pairs
        self._suggester, self._index = suggester, index
        self._markup, self._language = markup, language

    def __len__(self) -> int:
        return len(self._pages) * len(self._targets) if self._all_pairs else len(self._pages)

    def __repr__(self) -> str:
        return f"<Answers: {len(self)} for {len(set(self._pages))} pages, made one by one while you iterate>"

    def __iter__(self) -> Iterator[Answer]:
        uses = Counter(self._pages)
        if self._all_pairs:
            uses = Counter({page: count * len(self._targets) for page, count in uses.items()})
        targets = Targets(self._index)
        sources: dict[Page | Path | str, SourcePage] = {}
        pair_up = product if self._all_pairs else zip
        for page, target in pair_up(self._pages, self._targets):
            if page not in sources:
                sources[page] = self._opened(page)
            source = sources[page]
            uses[page] -= 1
            if not uses[page]:
                del sources[page]
            yield self._suggester.answer(source, targets.target(target, source))

    def to_arrow(self) -> "pa.Table":
        """Make all answers, and return them as an Arrow table with one row for each place.

        An answer without places has one row, too, in which `rank` and all that a place has are null.

        | column | meaning |
        | --- | --- |
        | `answer` | the number of the answer, from 0 |
        | `page_title`, `page_id`, `language` | the page that gets the link |
        | `target_title`, `target_id` | what the link leads to |
        | `nowhere` | whether the answer is *nowhere* |
        | `nowhere_probability` | how likely *nowhere* is right; null if the ranker has no probabilities |
        | `rank` | 1 for the best place |
        | `score`, `probability` | of the place; the probability is null if the ranker has none |
        | `action` | `link_words`, `add_to_sentence` or `add_sentence` |
        | `section`, `sentence` | the title of the place's section (empty for the lead), the text of its sentence |
        | `reason` | why this action, for people |
        | `link` | the markup of the link; null if the page's markup cannot link the target |
        | `source_start`, `source_end` | the range of the page's markup to replace, in characters |
        """
        from linkspot.answers.answer_table import to_arrow

        return to_arrow(self)

    def to_pandas(self) -> "pd.DataFrame":
        """Make all answers, and return them as a data frame with the columns of `to_arrow`."""
        from linkspot.answers.answer_table import to_pandas

        return to_pandas(self)

    def _opened(self, page: Page | Path | str) -> SourcePage:
        if isinstance(page, Page):
            return SourcePage.of(page)
        return SourcePage.of(page, self._markup, self._language)


def _several(values: Iterable[_Value], name: str) -> list[_Value]:
    if isinstance(values, str | os.PathLike | Page | Entity) or not isinstance(values, Iterable):
        raise WrongType(f"{name} is a list of them, not one {type(values).__name__}; write [it], or use suggest")
    return list(values)
