import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkspot.corpora.entity_table import EntityTable, NamedEntity
from linkspot.errors import UnusableInput

DOG, YUE = NamedEntity("Dog", "Q144", "en"), NamedEntity('狗 "A", b', "Q144", "yue")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tsv", 'title\tid\tlanguage\nDog\tQ144\ten\n狗 "A", b\tQ144\tzh-yue\n'),
        ("b.tsv", '\ufeffLanguage\tID\tother\tTitle\nen\tQ144\t5\tDog\nzh-yue\tQ144\t\t狗 "A", b\n'),
        ("c.tsv", 'Dog\tQ144\ten\n狗 "A", b\tQ144\tzh-yue'),
        ("a.csv", 'title,id,language\r\nDog,Q144,en\r\n"狗 ""A"", b",Q144,zh-yue\r\n'),
        ("a.jsonl", '{"title": "Dog", "id": "Q144", "language": "en"}\n\n'
                    '{"title": "狗 \\"A\\", b", "entity": "Q144", "language": "zh-yue"}\n'),
    ],
)  # fmt: skip
def test_a_table_is_read_in_any_form(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    for path in (tmp_path / name, packed):
        table = EntityTable(path)
        assert list(table.rows()) == [DOG, YUE]
        assert (table.rejects, table.share) == ({}, 1.0)


def test_a_table_of_parquet_is_read(tmp_path: Path) -> None:
    rows = [{"title": one.title, "language": one.language, "id": one.id, "n": 1} for one in (DOG, YUE)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")
    assert list(EntityTable(tmp_path / "a.parquet").rows()) == [DOG, YUE]


def test_rows_without_a_title_or_an_id_are_counted_and_an_empty_id_is_none(tmp_path: Path) -> None:
    lines = ['{"title": "Dog", "id": "Q144"}', '{"title": "Cat"}', '{"id": "Q1"}', '{"title": "", "id": "Q2"}']
    lines += ['{"title": "Cow", "id": ""}', "[1]", "no", f'{{"title": "{"x" * 2000}", "id": "Q3"}}']
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    table = EntityTable(tmp_path / "a.jsonl")
    assert [one.title for one in table.rows()] == ["Dog"]
    assert table.rejects == {
        "a row of the table of entities without a title or an id": 4,
        "a line of the table of entities that is not a JSON object": 2,
    }


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", "ends in .txt; expected .tsv, .csv, .jsonl, .ndjson, .parquet"),
        ("a", b"", "ends in nothing; expected .tsv"),
        ("a.tsv", b"title\tname\nDog\tx\n", "has the columns title, name; expected title and id, and perhaps language"),
        ("a.parquet", b"PAR1", "cannot be read as Parquet"),
        ("a.csv", b"title,id\n" + b"x" * 200_000 + b",Q1\n", "cannot be read as a table"),
    ],
)
def test_what_is_no_such_table_is_refused_in_one_line(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnusableInput, match=message):
        list(EntityTable(tmp_path / name).rows())
