"""The table of decisions, the same in SQLite, PostgreSQL and MariaDB."""

from sqlalchemy import BigInteger, Column, Double, Integer, MetaData, String, Table, Text
from sqlalchemy.dialects.mysql import LONGTEXT

METADATA = MetaData()
_TEXT = Text().with_variant(LONGTEXT(), "mysql", "mariadb")
_ASCII = 64  # characters of ids and names that programs make

#: In the order of the fields of Decision, between the number that orders them and the time at which one was undone.
DECISIONS = Table(
    "linkspot_decisions",
    METADATA,
    Column("number", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True),
    Column("id", String(_ASCII), nullable=False, unique=True),
    Column("session", String(_ASCII), nullable=False, index=True),
    Column("verdict", String(_ASCII), nullable=False),
    Column("page", _TEXT, nullable=False),
    Column("target", _TEXT, nullable=False),
    Column("wiki", _TEXT, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("section", _TEXT, nullable=False),
    Column("sentence", _TEXT, nullable=False),
    Column("start", BigInteger, nullable=False),
    Column("end", BigInteger, nullable=False),
    Column("rank", BigInteger, nullable=False),
    Column("action", String(_ASCII), nullable=False),
    Column("probability", Double),
    Column("words", _TEXT, nullable=False),
    Column("before", _TEXT, nullable=False),
    Column("after", _TEXT, nullable=False),
    Column("reason", String(_ASCII)),
    Column("note", _TEXT, nullable=False),
    Column("model", _TEXT, nullable=False),
    Column("time", String(_ASCII), nullable=False),
    Column("undone", String(_ASCII)),
    # A number is never given twice, and every character is kept.
    sqlite_autoincrement=True,
    mysql_charset="utf8mb4",
    mysql_collate="utf8mb4_bin",
    mariadb_charset="utf8mb4",
    mariadb_collate="utf8mb4_bin",
)
