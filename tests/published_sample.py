"""A sample in the format of the paper's published dataset: real insertions, with all the flaws of the original.

The paper's files cannot be had everywhere, so tests make their own, step by step as the released code made those: what
counts as a section, how windows are cut and joined, which of them are wrong ones, what is left out.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from linkspot.examples.dataset_reader import ExistingLinks
from linkspot.records import Article, Scenario
from linkspot.tables.schemas import article_of

Row = dict[str, Any]

TESTS = pa.schema(
    {
        "source_title": pa.string(),
        "source_ID": pa.int64(),
        "target_title": pa.string(),
        "target_lead": pa.string(),
        "context": pa.string(),
        "section": pa.string(),
        "mention_present": pa.bool_(),
        "source_lead": pa.string(),
        "first_version": pa.int64(),
        "second_version": pa.int64(),
        "direct_match": pa.bool_(),
        "missing_category": pa.string(),
        "negative_contexts": pa.string(),
    }
)
MENTIONS = pa.schema({"target_title": pa.string(), "mention": pa.string()})

_AROUND = 5  # sentences on each side
_FEWEST_WORDS = 10  # a wrong window has more; the right one may have less
_ROWS_AT_ONCE = 100
_DIRECT = frozenset({Scenario.TEXT_PRESENT, Scenario.MISSING_MENTION})


def write_tests(dataset: Path, folder: Path) -> list[str]:
    """Write the insertions that test in a dataset as the released test files; returns their languages."""
    rows = ds.dataset(dataset / "insertions" / "test", format="parquet").to_table().to_pylist()
    rows.sort(key=lambda row: (row["language"], row["source_key"], row["after_revision"], row["target_key"]))
    languages = []
    folder.mkdir(parents=True, exist_ok=True)
    for language, of_language in groupby(rows, key=lambda row: row["language"]):
        insertions = list(of_language)
        tests = [test for insertion in insertions for test in _tests(insertion)]
        if tests:
            _write(tests, TESTS, folder / f"{language}.parquet")
            _write(list(_mentions(insertions)), MENTIONS, folder / f"{language}_mention_map.parquet")
            languages.append(language)
    return languages


def write_training(tests: Path, folder: Path, split: str = "train", negatives: int = 9) -> None:
    """Write released tests of one language as files of stage 2, and their mentions; the others lack negatives."""
    found = []
    for row in pq.read_table(tests).to_pylist():
        wrong = ast.literal_eval(row["negative_contexts"])[:negatives]
        if len(wrong) == negatives:
            same = {name: row[name] for name in ("source_title", "target_title", "source_lead", "target_lead")}
            same |= {"link_context": row["context"], "source_section": row["section"]}
            same |= {"missing_category": row["missing_category"] or ("present" if split == "train" else None)}
            same |= {f"source_section_neg_{number}": window["section"] for number, window in enumerate(wrong)}
            same |= {f"link_context_neg_{number}": window["context"] for number, window in enumerate(wrong)}
            found.append(same)
    (folder / split).mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(found), folder / split / f"{split}.parquet")
    mention_map = tests.with_name(f"{tests.stem}_mention_map.parquet")
    (folder / "mentions.parquet").write_bytes(mention_map.read_bytes())


def write_links(dataset: Path, folder: Path, negatives: int = 9) -> None:
    """Write the existing links of a dataset as files of stage 1, with the ranges that context removal needs."""
    rows, mentions = [], {}
    for link in ExistingLinks(dataset):
        number = link.sentence
        texts = [sentence.text for _, sentence in link.article.sentences]
        if len(texts) < 2:  # there is no wrong window
            continue
        first, last = max(0, number - _AROUND), min(len(texts), number + 1 + _AROUND)
        starts = list(accumulate((len(text) + 1 for text in texts[first:last]), initial=0))
        sentence = link.article.sentences[number][1]
        start, end = starts[number - first], starts[number - first] + len(texts[number])
        mention = start + link.mention.start - sentence.start
        row = {
            "source_title": encoded(link.article.title),
            "target_title": encoded(link.entity.title),
            "source_lead": texts[0],
            "target_lead": link.entity.lead,
            "link_context": " ".join(texts[first:last]),
            "source_section": link.section.title or "Lead",
            "context_span_start_index": start,
            "context_span_end_index": min(end + 1 + len(texts[number + 1]) if number + 1 < last else end, starts[-1]),
            "context_sentence_start_index": start,
            "context_sentence_end_index": end,
            "context_mention_start_index": mention,
            "context_mention_end_index": mention + len(link.mention),
            "lang": link.article.language,
        }
        wrong = [" ".join(texts[at : at + 2]) for at in range(len(texts)) if at != number]
        for place in range(negatives):
            row[f"link_context_neg_{place}"] = wrong[place % len(wrong)]
            row[f"source_section_neg_{place}"] = "Lead"
        rows.append(row)
        mentions |= {(encoded(link.entity.title), name): None for name in link.entity.mentions}
    (folder / "train").mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), folder / "train" / "train.parquet")
    pairs = [{"target_title": title, "mention": mention} for title, mention in mentions]
    _write(pairs, MENTIONS, folder / "mentions.parquet")


def encoded(title: str) -> str:
    """Return a title as it stands in a link's address."""
    return quote(title.replace(" ", "_"), safe="/:@!$*,;()")


def _write(rows: list[Row], schema: pa.Schema, path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(rows, schema), path, row_group_size=_ROWS_AT_ONCE)


def _mentions(insertions: Sequence[Row]) -> Iterator[Row]:
    pairs = {(row["target_title"], mention): None for row in insertions for mention in row["mentions"]}
    return ({"target_title": encoded(title), "mention": mention} for title, mention in pairs)


def _tests(insertion: Row) -> Iterator[Row]:
    """Yield the insertion as a row; nothing for one that the released code leaves out."""
    scenario = Scenario(insertion["scenario"])
    if scenario is Scenario.MISSING_SECTION:
        return
    page = _Page.of(article_of(insertion["source_title"], insertion["language"], insertion["sections"]))
    section, context = page.positive(tuple(insertion["gold"]), is_direct=scenario in _DIRECT)
    mentions = insertion["mentions"] or [insertion["target_title"]]
    negatives = list(page.negatives(mentions, context))
    if context.strip() and negatives:
        yield {
            "source_title": encoded(insertion["source_title"]),
            "source_ID": int(insertion["source_id"]),
            "target_title": encoded(insertion["target_title"]),
            "target_lead": insertion["target_lead"],
            "context": _evened(context),
            "section": section,
            "mention_present": scenario is Scenario.TEXT_PRESENT,
            "source_lead": _evened(" ".join(page.sections.get("Lead", []))),
            "first_version": int(insertion["before_revision"]),
            "second_version": int(insertion["after_revision"]),
            "direct_match": scenario in _DIRECT,
            "missing_category": None if scenario is Scenario.TEXT_PRESENT else str(scenario),
            "negative_contexts": str(negatives),
        }


def _evened(text: str) -> str:
    """Return the text with its white space evened, which the released code does for right windows and leads alone."""
    text = re.sub("\n+", "\n", re.sub(" +", " ", text.strip()))
    return re.sub("\n +", "\n", text)


@dataclass(frozen=True)
class _Page:
    """The sentences of a page by its major sections, headings among them, and where each sentence stands there.

    Sections of one name are one. A sentence that ends its line keeps the line's end.
    """

    article: Article
    sections: dict[str, list[str]]
    places: list[tuple[str, int]]

    @classmethod
    def of(cls, article: Article) -> "_Page":
        sections: defaultdict[str, list[str]] = defaultdict(list)
        places = []
        for index, (section, major) in enumerate(zip(article.sections, article.major_sections, strict=True)):
            name = article.sections[major].title or "Lead"
            if index == major and section.title:
                sections[name].append(section.title)
            opening = f"{section.title}\n" if index != major else ""
            for sentence, gap in zip(section.sentences, section.gaps()[1:], strict=True):
                places.append((name, len(sections[name])))
                sections[name].append(opening + sentence.text + ("\n" if "\n" in gap else ""))
                opening = ""
        return cls(article, dict(sections), places)

    def positive(self, gold: tuple[int, ...], *, is_direct: bool) -> tuple[str, str]:
        """Return the section and the right window: around a sentence, or of what stood around a new one."""
        name, place = self.places[gold[-1]]
        sentences = self.sections[name]
        if is_direct:
            left, right = sentences[max(0, place - _AROUND) : place], sentences[place + 1 : place + 1 + _AROUND]
            return name, " ".join(left) + " " + sentences[place] + " " + " ".join(right)
        if len(gold) == 1 and self._ends_its_section(gold[0]):
            place += 1
        left, right = sentences[max(0, place - _AROUND) : place], sentences[place : place + _AROUND]
        return name, " ".join(left) + " ".join(right)  # the seam

    def _ends_its_section(self, number: int) -> bool:
        following = self.article.sentences[number + 1 : number + 2]
        return not following or following[0][0] != self.article.sentences[number][0]

    def negatives(self, mentions: Sequence[str], positive: str) -> Iterator[dict[str, str]]:
        """Yield every other window of the page without a known mention; windows end where a mention stands."""
        seen = {positive}
        for name, sentences in self.sections.items():
            for is_free, run in groupby(sentences, key=lambda text: not _has_any(text, mentions)):
                free = list(run) if is_free else []
                for place in range(len(free)):
                    window = " ".join(free[max(0, place - _AROUND) : place + 1 + _AROUND]).strip()
                    if len(window.split(" ")) > _FEWEST_WORDS and window not in seen:
                        seen.add(window)
                        yield {"context": window, "section": name}


def _has_any(text: str, mentions: Sequence[str]) -> bool:
    return any(mention.lower() in text.lower() for mention in mentions)
