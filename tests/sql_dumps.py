"""Tables as Wikimedia dumps them beside the pages, in the form that mysqldump writes."""

import gzip
from collections.abc import Sequence
from pathlib import Path

_TABLES = {
    "page_props": """\
  `pp_page` int(8) unsigned NOT NULL,
  `pp_propname` varbinary(60) NOT NULL DEFAULT '',
  `pp_value` blob NOT NULL,
  `pp_sortkey` float DEFAULT NULL,
  PRIMARY KEY (`pp_page`,`pp_propname`),
  UNIQUE KEY `pp_propname_page` (`pp_propname`,`pp_page`)
""",
    "langlinks": """\
  `ll_from` int(8) unsigned NOT NULL DEFAULT 0,
  `ll_lang` varbinary(35) NOT NULL DEFAULT '',
  `ll_title` varbinary(255) NOT NULL DEFAULT '',
  PRIMARY KEY (`ll_from`,`ll_lang`),
  KEY `ll_lang` (`ll_lang`,`ll_title`)
""",
}


def write_page_props(path: Path, items: dict[int, str]) -> Path:
    """Write the Wikidata items of pages, each with another property before it, as real dumps have them."""
    rows = [f"({page},'defaultsort','Wiki\\'s, (page); {page}',NULL),({page},'wikibase_item','{item}',NULL)"
            for page, item in items.items()]  # fmt: skip
    return _write(path, "page_props", rows)


def write_langlinks(path: Path, links: Sequence[tuple[int, str, str]]) -> Path:
    """Write links from pages to titles in other languages."""
    quoted = [(page, language, title.replace("\\", "\\\\").replace("'", "\\'")) for page, language, title in links]
    return _write(path, "langlinks", [f"({page},'{language}','{title}')" for page, language, title in quoted])


def _write(path: Path, table: str, rows: Sequence[str]) -> Path:
    text = (
        "-- MySQL dump 10.19  Distrib 10.3.38-MariaDB, for debian-linux-gnu (x86_64)\n--\n"
        "/*!40101 SET NAMES utf8mb4 */;\n\n"
        f"DROP TABLE IF EXISTS `{table}`;\nCREATE TABLE `{table}` (\n{_TABLES[table]}"
        ") ENGINE=InnoDB DEFAULT CHARSET=binary;\n\n"
        f"/*!40000 ALTER TABLE `{table}` DISABLE KEYS */;\n"
        + (f"INSERT INTO `{table}` VALUES {','.join(rows)};\n" if rows else "")
        + f"/*!40000 ALTER TABLE `{table}` ENABLE KEYS */;\n-- Dump completed on 2024-01-01  6:12:36\n"
    )
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path
