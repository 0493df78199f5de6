from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.published_sample import MENTIONS, TESTS, write_tests

from linkspot.errors import UnusableInput
from linkspot.evaluation.published import PublishedTests
from linkspot.examples.dataset_reader import Insertions
from linkspot.examples.published_rows import PublishedQuery, PublishedWindow, decoded, mentions_of
from linkspot.records import Entity, Scenario

NEGATIVES = [{"context": "It rains.\nOften.", "section": "Weather"}, {"context": "He's “old”.", "section": "Lead"}]
ROW = {
    "source_title": "Caf%C3%A9_au_lait",
    "source_ID": 7,
    "target_title": "Fuchs%27_dystrophy",
    "target_lead": "An illness of the eye.",
    "context": "Eyes see. They tire.",
    "section": "Lead",
    "mention_present": False,
    "source_lead": "Eyes see.",
    "first_version": 1,
    "second_version": 2,
    "direct_match": True,
    "missing_category": "missing_mention",
    "negative_contexts": str(NEGATIVES),
}


def write(folder: Path, rows: list[dict[str, Any]], mentions: Sequence[tuple[str, str]] = ()) -> PublishedTests:
    """Write the test files of one language."""
    pq.write_table(pa.Table.from_pylist([ROW | row for row in rows], TESTS), folder / "en.parquet", row_group_size=1)
    pairs = [{"target_title": title, "mention": mention} for title, mention in mentions]
    pq.write_table(pa.Table.from_pylist(pairs, MENTIONS), folder / "en_mention_map.parquet")
    return PublishedTests(folder)


def test_a_query_has_its_target_and_all_windows(tmp_path: Path) -> None:
    tests = write(tmp_path, [{}], [("Fuchs%27_dystrophy", "dystrophy"), ("Eye", "eye")])
    (query,) = tests.queries("en")
    assert query.entity == Entity("Fuchs' dystrophy", "An illness of the eye.", ("dystrophy",))
    assert (query.source_title, query.source_lead, query.language) == ("Café au lait", "Eyes see.", "en")
    assert query.scenario is Scenario.MISSING_MENTION
    assert query.windows[query.gold] == PublishedWindow("Eyes see. They tire.", "")
    wrong = [window for number, window in enumerate(query.windows) if number != query.gold]
    assert wrong == [PublishedWindow("It rains.\nOften.", "Weather"), PublishedWindow("He's “old”.", "")]
    assert (tests.rejects, tests.count("en")) == (Counter(), 1)


@pytest.mark.parametrize(
    ("category", "scenario"),
    [
        (None, Scenario.TEXT_PRESENT),
        ("present", Scenario.TEXT_PRESENT),
        ("missing_mention", Scenario.MISSING_MENTION),
        ("missing_sentence", Scenario.MISSING_SENTENCE),
        ("missing_span", Scenario.MISSING_SPAN),
    ],
)
def test_a_category_names_a_scenario(tmp_path: Path, category: str | None, scenario: Scenario) -> None:
    row = {"missing_category": category, "mention_present": scenario is Scenario.TEXT_PRESENT}
    assert [query.scenario for query in write(tmp_path, [row]).queries("en")] == [scenario]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"negative_contexts": "[{'context': 'A'"}, "no Python list"),
        ({"negative_contexts": "[open('/etc/passwd')]"}, "no Python list"),
        ({"negative_contexts": None}, "no list of windows"),
        ({"negative_contexts": "['A']"}, "no list of windows"),
        ({"negative_contexts": "[{'context': 'A'}]"}, "without a text or a section"),
        ({"negative_contexts": "[{'context': '\\ud800', 'section': 'A'}]"}, "not Unicode"),
        ({"negative_contexts": "[" * 500}, "no Python list"),
        ({"negative_contexts": "[]"}, "without a wrong window"),
        ({"context": " "}, "without a text or a section"),
        ({"context": None}, "without a text or a section"),
        ({"target_title": "_"}, "without a target"),
        ({"missing_category": "missing_section"}, "a new section"),
        ({"missing_category": "missing_verb"}, "'missing_verb'"),
        ({"missing_category": None}, "disagree"),
        ({"mention_present": True}, "disagree"),
    ],
)
def test_a_row_that_is_no_query_is_set_aside_and_counted(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    tests = write(tmp_path, [{}, change, {"source_title": "B"}])
    assert [query.id for query in tests.queries("en")] == ["en/0", "en/2"]
    (told,) = tests.rejects
    assert reason in told
    assert tests.rejects[told] == 1


def test_lists_of_structs_categoricals_and_further_columns_are_read_like_the_released_form(tmp_path: Path) -> None:
    (expected,) = write(tmp_path, [{}], [("Fuchs%27_dystrophy", "dystrophy")]).queries("en")
    table = pq.read_table(tmp_path / "en.parquet")
    for name in ("target_title", "section", "missing_category", "source_lead"):
        table = table.set_column(table.schema.get_field_index(name), name, table[name].dictionary_encode())
    windows = pa.array([NEGATIVES], pa.list_(pa.struct({"context": pa.string(), "section": pa.string()})))
    table = table.set_column(table.schema.get_field_index("negative_contexts"), "negative_contexts", windows)
    table = table.append_column("bm25_rank", pa.array([3]))
    pq.write_table(table, tmp_path / "en.parquet")
    mentions = pq.read_table(tmp_path / "en_mention_map.parquet")
    coded = {name: mentions[name].dictionary_encode() for name in mentions.column_names}
    pq.write_table(pa.table({**coded, "count": [2]}), tmp_path / "en_mention_map.parquet")
    tests = PublishedTests(tmp_path)
    assert list(tests.queries("en")) == [expected]
    assert not tests.rejects


@pytest.mark.parametrize(
    ("column", "values", "expected"),
    [
        ("context", pa.array([7]), "of the type int64; expected text"),
        ("negative_contexts", pa.array([["a"]]), "or a list of structs with context and section"),
        ("mention_present", pa.array(["yes"]), "expected true and false"),
    ],
)
def test_a_column_of_another_type_is_refused_by_its_name(
    tmp_path: Path, column: str, values: pa.Array, expected: str
) -> None:
    tests = write(tmp_path, [{}])
    table = pq.read_table(tmp_path / "en.parquet")
    pq.write_table(table.set_column(table.schema.get_field_index(column), column, values), tmp_path / "en.parquet")
    with pytest.raises(UnusableInput, match=f"the column '{column}' of .*{expected}"):
        list(tests.queries("en"))


def test_some_rows_alone_can_be_asked_for(tmp_path: Path) -> None:
    tests = write(tmp_path, [{}, {}, {"context": ""}, {}, {"context": ""}])
    assert [query.id for query in tests.queries("en", {1, 2, 3})] == ["en/1", "en/3"]
    assert sum(tests.rejects.values()) == 1


def test_a_file_is_read_a_few_rows_at_a_time_and_a_broken_one_says_so(tmp_path: Path) -> None:
    tests = write(tmp_path, [{"negative_contexts": str(NEGATIVES * number)} for number in range(1, 200)])
    path = tmp_path / "en.parquet"
    last = pq.ParquetFile(path).metadata.row_group(198).column(TESTS.get_field_index("negative_contexts"))
    start = last.dictionary_page_offset or last.data_page_offset
    content = path.read_bytes()
    path.write_bytes(
        content[:start] + b"\xff" * last.total_compressed_size + content[start + last.total_compressed_size :]
    )
    queries = tests.queries("en")
    assert next(queries).id == "en/0"
    with pytest.raises(UnusableInput, match=r"en\.parquet breaks off: .*; fetch it again"):
        list(queries)


@given(st.lists(st.sampled_from(["oak", "oaks", "Oak", "", " ", "quercus"]), max_size=30))
def test_the_most_frequent_mentions_come_first(tmp_path_factory: pytest.TempPathFactory, used: list[str]) -> None:
    path = tmp_path_factory.mktemp("map") / "map.parquet"
    pq.write_table(pa.table({"target_title": ["O%61k"] * len(used), "mention": pa.array(used, pa.string())}), path)
    counts = Counter(mention for mention in used if mention.strip())
    found = mentions_of(path, {"Oak"}).get("Oak", ())
    assert sorted(found) == sorted(counts)
    assert [counts[mention] for mention in found] == sorted(counts.values(), reverse=True)


def test_ten_mentions_are_enough_and_a_column_of_counts_is_heeded(tmp_path: Path) -> None:
    words = [f"oak {number}" for number in range(12)]
    table = {"target_title": ["Oak"] * 12 + [None], "mention": [*words, "elm"], "count": [*range(12), 99]}
    pq.write_table(pa.table(table), tmp_path / "counted.parquet")
    pq.write_table(pa.table(table).drop("count"), tmp_path / "plain.parquet")
    assert mentions_of(tmp_path / "counted.parquet", {"Oak", "Elm"}) == {"Oak": tuple(words[:1:-1])}
    assert mentions_of(tmp_path / "plain.parquet", {"Oak"}) == {"Oak": tuple(words[:10])}


def test_the_place_of_the_right_window_is_no_hint_and_always_the_same(tmp_path: Path) -> None:
    tests = write(tmp_path, [{}] * 600)
    places = [query.gold for query in tests.queries("en")]
    assert places == [query.gold for query in tests.queries("en")]
    assert all(150 < count < 250 for count in Counter(places).values())


def test_a_twin_of_the_right_window_is_right(tmp_path: Path) -> None:
    twin = {"context": "Eyes see.\n They  tire.", "section": "Lead"}
    (query,) = write(tmp_path, [{"negative_contexts": str([*NEGATIVES, twin])}]).queries("en")
    assert len(query.right) == 2
    assert query.gold in query.right
    assert {query.windows[number].text.split()[0] for number in query.right} == {"Eyes"}


def test_a_query_knows_its_right_window() -> None:
    with pytest.raises(ValueError, match="one of 1"):
        PublishedQuery("en/0", "en", Scenario.TEXT_PRESENT, Entity("A"), "B", "", (PublishedWindow("C", ""),), 1)


def test_what_is_no_published_dataset_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"has no test files; expected <language>\.parquet"):
        PublishedTests(tmp_path)
    tests = write(tmp_path, [{}])
    with pytest.raises(UnusableInput, match=r"no xx\.parquet; there are: en"):
        PublishedTests(tmp_path, ["xx"])
    (tmp_path / "en_mention_map.parquet").unlink()
    with pytest.raises(UnusableInput, match=r"en_mention_map\.parquet is missing"):
        next(tests.queries("en"))
    pq.write_table(pa.table({"page": ["A"]}), tmp_path / "en.parquet")
    with pytest.raises(UnusableInput, match="has no column 'target_title' but page"):
        next(tests.queries("en"))
    (tmp_path / "en.parquet").write_text("no Parquet")
    with pytest.raises(UnusableInput, match="cannot be read as Parquet"):
        next(tests.queries("en"))


@pytest.mark.parametrize("title", ["%", "100%", "A%2520B", "C%23", "%E6%9D%B1%E4%BA%AC", "_a__b_"])
def test_any_title_can_be_decoded(title: str) -> None:
    assert "_" not in decoded(title)


def test_real_insertions_come_back_from_the_released_format(trees: Path, tmp_path: Path) -> None:
    assert write_tests(trees, tmp_path) == ["en", "sw"]
    tests = PublishedTests(tmp_path)
    queries = [query for language in tests.languages for query in tests.queries(language)]
    assert tests.rejects == Counter()
    known = [(one.language, one.example.article.title, one.example.entity) for one in Insertions(trees, "test")]
    found = [(query.language, query.source_title, query.entity) for query in queries]
    assert sorted((language, page, target.title, target.lead) for language, page, target in found) == sorted(
        (language, page, target.title, target.lead) for language, page, target in known
    )
    for query in queries:
        assert query.entity.title.lower() in query.windows[query.gold].text
        others = (window for number, window in enumerate(query.windows) if number not in query.right)
        assert all(mention not in window.text for window in others for mention in query.entity.mentions)
