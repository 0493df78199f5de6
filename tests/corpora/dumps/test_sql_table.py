import gzip
import resource
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.corpora.dumps.sql_table import SqlTable
from linkspot.errors import UnusableInput

HEADER = """-- MySQL dump 10.19  Distrib 10.3.38-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: 10.64.32.82    Database: swwiki
-- ------------------------------------------------------
-- Server version\t10.4.28-MariaDB-log

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET NAMES utf8mb4 */;

--
-- Table structure for table `page_props`
--

DROP TABLE IF EXISTS `page_props`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8 */;
CREATE TABLE `page_props` (
  `pp_page` int(8) unsigned NOT NULL,
  `pp_propname` varbinary(60) NOT NULL DEFAULT '',
  `pp_value` blob NOT NULL,
  `pp_sortkey` float DEFAULT NULL,
  PRIMARY KEY (`pp_page`,`pp_propname`),
  UNIQUE KEY `pp_propname_page` (`pp_propname`,`pp_page`)
) ENGINE=InnoDB DEFAULT CHARSET=binary ROW_FORMAT=COMPRESSED;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `page_props`
--

/*!40000 ALTER TABLE `page_props` DISABLE KEYS */;
"""
FOOTER = """/*!40000 ALTER TABLE `page_props` ENABLE KEYS */;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

-- Dump completed on 2024-01-01  6:12:36
"""
WANTED = ("pp_page", "pp_propname", "pp_value")
ROWS = (
    "(1,'wikibase_item','Q144',NULL),(1,'page_image_free','It''s_a_(dog),(not).jpg',NULL),"
    r"""(2,'displaytitle','<i>A\'s \"b\", c);\n</i>\\',1.5e3)"""
)
READ = [
    ("1", "wikibase_item", "Q144"),
    ("1", "page_image_free", "It's_a_(dog),(not).jpg"),
    ("2", "displaytitle", '<i>A\'s "b", c);\n</i>\\'),
]


def table(path: Path, statements: str | bytes, **settings: bytes) -> SqlTable:
    data = statements if isinstance(statements, bytes) else f"{HEADER}{statements}\n{FOOTER}".encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return SqlTable(path, "page_props", WANTED, **settings)


@pytest.mark.parametrize("name", ["a.sql", "a.sql.gz"])
def test_rows_come_with_their_escapes_undone(name: str, tmp_path: Path) -> None:
    read = table(tmp_path / name, f"INSERT INTO `page_props` VALUES {ROWS};\nINSERT INTO `page_props` VALUES {ROWS};")
    assert list(read.rows()) == READ * 2
    assert (read.rejects, read.share) == ({}, 1.0)


def test_rows_may_stand_on_lines_of_their_own_as_newer_versions_write_them(tmp_path: Path) -> None:
    lines = ROWS.replace("),(1", "),\n(1").replace("),(2", "),\n(2")
    assert list(table(tmp_path / "a.sql", f"INSERT INTO `page_props` VALUES\n{lines};").rows()) == READ


def test_columns_are_found_by_their_names_in_any_order(tmp_path: Path) -> None:
    named = "INSERT INTO `page_props` (`pp_value`, `pp_page`, `pp_propname`) VALUES ('Q1',7,'wikibase_item');"
    assert list(table(tmp_path / "a.sql", named).rows()) == [("7", "wikibase_item", "Q1")]


def test_a_table_without_a_wanted_column_is_refused_in_one_line(tmp_path: Path) -> None:
    lacking = HEADER.replace("`pp_value` blob", "`pp_blob` blob").encode()
    with pytest.raises(UnusableInput, match=r"has no column pp_value, but pp_page, pp_propname, pp_blob, pp_sortkey;"):
        list(table(tmp_path / "a.sql", lacking).rows())


def test_rows_of_other_tables_and_other_properties_are_left_out(tmp_path: Path) -> None:
    other = "INSERT INTO `langlinks` VALUES (1,'de','wikibase_item');\n"
    read = table(tmp_path / "a.sql", f"{other}INSERT INTO `page_props` VALUES {ROWS};", mark=b"'wikibase_item'")
    assert list(read.rows()) == READ[:1]


def test_broken_rows_among_good_ones_are_counted(tmp_path: Path) -> None:
    broken = "(1,'wikibase_item','Q1',NULL),(2,'wikibase_item),(3,'wikibase_item','Q3',NULL),(4,'x'),(5,'y','Q5',NULL)"
    read = table(tmp_path / "a.sql", f"INSERT INTO `page_props` VALUES {broken};")
    assert [row[0] for row in read.rows()] == ["1", "3", "5"]
    assert read.rejects == {"a row of page_props that is broken": 2}


def test_a_value_that_is_not_utf_8_costs_one_row(tmp_path: Path) -> None:
    data = HEADER.encode() + b"INSERT INTO `page_props` VALUES (1,'a','\xff',NULL),(2,'a','b',NULL);\n"
    read = table(tmp_path / "a.sql", data)
    assert [row[0] for row in read.rows()] == ["2"]
    assert read.rejects == {"a row of page_props that is not UTF-8": 1}


@pytest.mark.parametrize("cut", [10, 40, 60])
def test_a_table_that_is_cut_off_gives_what_it_has(cut: int, tmp_path: Path) -> None:
    whole = f"{HEADER}INSERT INTO `page_props` VALUES {ROWS}".encode()
    read = table(tmp_path / "a.sql", whole[:-cut])
    assert list(read.rows()) == READ[: 2 if cut < 60 else 1]
    assert any(reason.startswith("a row of page_props that is") for reason in read.rejects)


@given(st.lists(st.tuples(st.integers(0, 9**9), st.text(), st.text()), max_size=20))
def test_whatever_stands_in_a_table_comes_out_as_it_went_in(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, str, str]]
) -> None:
    path = tmp_path_factory.mktemp("sql") / "a.sql"
    values = ",".join(f"({number},'{_escaped(name)}','{_escaped(value)}',NULL)" for number, name, value in rows)
    read = table(path, f"INSERT INTO `page_props` VALUES {values};".encode("utf-8", "replace")) if rows else None
    expected = [(str(number), *(text.encode("utf-8", "replace").decode() for text in texts)) for number, *texts in rows]
    assert (list(_with_columns(read)) if read else []) == expected


def _with_columns(read: SqlTable) -> list[tuple[str, ...]]:
    read._columns = (*WANTED, "pp_sortkey")  # a dump without its CREATE TABLE
    return list(read.rows())


def _escaped(text: str) -> str:
    for sign, escape in {
        "\\": "\\\\",
        "'": "\\'",
        '"': '\\"',
        "\n": "\\n",
        "\r": "\\r",
        "\0": "\\0",
        "\x1a": "\\Z",
    }.items():
        text = text.replace(sign, escape)
    return text


@pytest.mark.no_cover
def test_a_large_table_streams_in_little_memory_and_a_string_without_end_does_not_take_forever(tmp_path: Path) -> None:
    path = tmp_path / "a.sql"
    with path.open("w", encoding="utf-8") as file:
        file.write(HEADER)
        for block in range(60):
            rows = ",".join(
                f"({n},'wikibase_item','Q{n}',NULL)" for n in range(block * 10_000, block * 10_000 + 10_000)
            )
            file.write(f"INSERT INTO `page_props` VALUES {rows};\n")
        file.write("INSERT INTO `page_props` VALUES (1,'" + "x" * 3_000_000)
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    read = SqlTable(path, "page_props", WANTED, b"'wikibase_item'")
    assert sum(1 for _ in read.rows()) == 600_000
    assert read.rejects == {"a row of page_props that is cut off": 1}
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000  # kB; the table has 24 MB
    assert time.process_time() - start < 60
