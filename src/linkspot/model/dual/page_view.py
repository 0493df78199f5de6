"""A page as features see it, without a target: computed once, then used for every target."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from linkspot.records import Article, Link
from linkspot.text.bm25 import WordIndex, terms
from linkspot.text.words import fold, words

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

NEAR = 2  # sentences on each side that count as the neighbourhood, within the section
_SHORT = 60  # letters; a line of prose is longer
_FULL_STOP = re.compile(r"[.!?。！？…｡।؟۔።။᠃]['\")\]»”’）」』]*\s*$")
_COLON = re.compile(r"[:：]\s*$")
_DIGIT = re.compile(r"\d")
_SHORTEST_LIST = 3  # items; two are always in some order
_MOSTLY = 0.8  # of a line's letters


@dataclass(frozen=True, slots=True)
class LinkView:
    """A link of the page: its sentence, the words of its target and its mention, the parts of its address."""

    sentence: int
    words: frozenset[str]
    path: frozenset[str]


@dataclass(frozen=True)
class PageView:
    """A page's sentences by their numbers, n of them, and what is known about each without a target.

    `first` and `last` are the numbers at which each sentence's section begins and ends; `still` are the features that
    are the same for every target.
    """

    article: Article
    texts: tuple[str, ...]
    section_of: Ints  # (n,)
    first: Ints  # (n,)
    last: Ints  # (n,)
    links: tuple[LinkView, ...]
    beginnings: tuple[str, ...]
    index: WordIndex
    title_words: tuple[frozenset[str], ...]
    still: dict[str, Floats]

    @classmethod
    def of(cls, article: Article) -> "PageView":
        """Return the view of a page."""
        texts = tuple(sentence.text for _, sentence in article.sentences)
        section_of = np.array([section for section, _ in article.sentences], dtype=np.int64)
        first, last = _borders(section_of)
        links = _links(article)
        language = article.language
        page = cls(
            article,
            texts,
            section_of,
            first,
            last,
            tuple(
                LinkView(number, _link_words(link, language), frozenset(path_of(link.target))) for number, link in links
            ),
            tuple(fold(text.lstrip(), language)[:_SHORT] for text in texts),
            WordIndex([terms(text, language) for text in texts]),
            tuple(frozenset(words(section.title or article.title, language)) for section in article.sections),
            {},
        )
        page.still.update(_place(page) | _shape(page) | _paragraphs(page) | _links_there(page, links))
        return page

    @cached_property
    def lists(self) -> list[tuple[list[int], int]]:
        """The sections that hold a list: the numbers of its items, and of the section's last sentence."""
        is_item = (self.still["begins_with_link"] > 0) | (self.still["is_list_item"] > 0)
        lists = []
        for first, last in zip(*(np.unique(border).tolist() for border in (self.first, self.last)), strict=True):
            items = [number for number in range(first, last + 1) if is_item[number]]
            if len(items) >= _SHORTEST_LIST:
                lists.append((items, last))
        return lists

    @property
    def size(self) -> int:
        """How many sentences there are."""
        return len(self.texts)


def around(values: Floats, page: PageView, reach: int = NEAR) -> Floats:
    """Return for each sentence the mean over it and those within reach in its section: (n,) or (n, k) as given."""
    numbers = np.arange(page.size)
    start, end = np.maximum(page.first, numbers - reach), np.minimum(page.last, numbers + reach) + 1
    return mean_of_ranges(values, start, end)


def best_of_sections(values: Floats, page: PageView) -> Floats:
    """Return for each sentence the highest value in its section: (n,) or (n, k) as given."""
    if not page.size:
        return values
    starts, section = np.unique(page.first, return_inverse=True)
    best: Floats = np.maximum.reduceat(values, starts, axis=0)[section]
    return best


def path_of(address: str) -> list[str]:
    """Return the parts of an address or of a title with slashes, in a spelling that wikis and sites share."""
    return [part for part in address.casefold().replace(" ", "_").split("#")[0].split("/") if part]


def mean_of_ranges(values: Floats, start: Ints, end: Ints) -> Floats:
    """Return the means of values[start:end], one for each pair of borders."""
    sums = np.concatenate([np.zeros_like(values[:1], dtype=np.float64), np.cumsum(values, axis=0, dtype=np.float64)])
    widths = (end - start).reshape(-1, *[1] * (values.ndim - 1))
    means: Floats = ((sums[end] - sums[start]) / widths).astype(np.float32)
    return means


def _borders(section_of: Ints) -> tuple[Ints, Ints]:
    return (
        np.searchsorted(section_of, section_of, side="left"),
        np.searchsorted(section_of, section_of, side="right") - 1,
    )


def _place(page: PageView) -> dict[str, Floats]:
    n = page.size
    numbers = np.arange(n)
    sections = page.article.sections
    before, after = numbers - page.first, page.last - numbers
    level = np.array([section.level for section in sections])[page.section_of]
    columns = {
        "place_in_page": numbers / max(1, n - 1),
        "place_in_section": before / np.maximum(1, before + after),
        "sentences_before": np.log1p(before),
        "sentences_after": np.log1p(after),
        "is_first_of_section": before == 0,
        "is_last_of_section": after == 0,
        "is_last_of_page": numbers == n - 1,
        "section_size": np.log1p(before + after + 1),
        "section_place": page.section_of / max(1, len(sections) - 1),
        "is_last_section": page.section_of == (page.section_of[-1] if n else 0),
        "section_level": level,
        "is_lead": (page.section_of == 0) & (level == 1),
        "page_size": np.full(n, np.log1p(n)),
        "page_sections": np.full(n, np.log1p(len(sections))),
    }
    return {name: np.asarray(values, dtype=np.float32) for name, values in columns.items()}


def _shape(page: PageView) -> dict[str, Floats]:
    length = np.array([len(text) for text in page.texts], dtype=np.float32)
    ends = _flags(page.texts, _FULL_STOP)
    is_item = ((1 - ends) * (length < 2 * _SHORT)).astype(np.float32)
    return {
        "length": np.log1p(length),
        "is_short": (length < _SHORT).astype(np.float32),
        "is_list_item": is_item,
        "list_share": mean_of_ranges(is_item, page.first, page.last + 1),
        "ends_with_colon": _flags(page.texts, _COLON),
        "has_digits": _flags(page.texts, _DIGIT),
        "is_item_before": is_item[np.maximum(page.first, np.arange(page.size) - 1)],
        "is_item_after": is_item[np.minimum(page.last, np.arange(page.size) + 1)],
    }


def _paragraphs(page: PageView) -> dict[str, Floats]:
    ends: list[bool] = []
    for section in page.article.sections:
        ends += [
            "\n" in gap or "\n" in sentence.text
            for gap, sentence in zip(section.gaps()[1:], section.sentences, strict=True)
        ]
    numbers = np.arange(page.size)
    ends_one = np.array(ends, dtype=bool) | (numbers == page.last)
    begins_one = np.concatenate([[True], ends_one[:-1]])[: page.size]
    number = np.cumsum(begins_one) - 1
    size = np.bincount(number, minlength=1)[number] if page.size else number
    return {
        "begins_paragraph": begins_one.astype(np.float32),
        "ends_paragraph": ends_one.astype(np.float32),
        "paragraph_size": np.log1p(size).astype(np.float32),
        "paragraphs_in_section": mean_of_ranges(ends_one.astype(np.float32), page.first, page.last + 1),
    }


def _links_there(page: PageView, links: Sequence[tuple[int, Link]]) -> dict[str, Floats]:
    count, letters, leading = (np.zeros(page.size, dtype=np.float32) for _ in range(3))
    sentences = page.article.sentences
    for number, link in links:
        sentence = sentences[number][1]
        count[number] += 1
        letters[number] += min(link.end, sentence.end) - max(link.start, sentence.start)
        leading[number] = max(leading[number], float(link.start <= sentence.start + 1))
    length = np.array([max(1, len(text)) for text in page.texts], dtype=np.float32)
    is_linked = (count > 0).astype(np.float32)
    share = letters / length
    is_alone = (share > _MOSTLY).astype(np.float32)
    section = page.first, page.last + 1
    return {
        "links": np.log1p(count),
        "links_near": around(count, page),
        "links_in_section": mean_of_ranges(is_linked, *section),
        "link_share": np.minimum(share, 1).astype(np.float32),
        "begins_with_link": leading,
        "is_link_alone": is_alone,
        "links_alone_in_section": mean_of_ranges(is_alone, *section),
    }


def _links(article: Article) -> list[tuple[int, Link]]:
    """Return each link with the number of the sentence that it begins in."""
    numbered, passed = [], 0
    for section in article.sections:
        ends = [sentence.end for sentence in section.sentences]
        numbers = ((bisect_right(ends, link.start), link) for link in section.links)
        numbered += [(passed + number, link) for number, link in numbers if number < len(ends)]
        passed += len(ends)
    return numbered


def _link_words(link: Link, language: str) -> frozenset[str]:
    return frozenset(words(f"{link.target} {link.mention}", language))


def _flags(texts: Sequence[str], pattern: re.Pattern[str]) -> Floats:
    return np.array([bool(pattern.search(text)) for text in texts], dtype=np.float32)
