"""Databases for decisions: SQLite by default, with every acknowledged write on the disk; PostgreSQL, MariaDB by URL."""

from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from linkspot.errors import MissingExtra, UnusableInput, without_password

_BUSY_SECONDS = 30
_SQLITE = ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA foreign_keys=ON")
_DRIVERS = {
    "sqlite": ("sqlite", ""),
    "postgresql": ("postgresql+psycopg", "psycopg[binary]"),
    "postgres": ("postgresql+psycopg", "psycopg[binary]"),
    "mariadb": ("mariadb+pymysql", "pymysql"),
    "mysql": ("mysql+pymysql", "pymysql"),
}
EXPECTED = (
    "a path, or a URL such as sqlite:///decisions.sqlite, postgresql://user@host/name or mariadb://user@host/name"
)


def open_database(database: str) -> Engine:
    """Return the engine for a database, named by a URL or, for SQLite, by the path of its file."""
    url = _url(database)
    kind = url.get_backend_name()
    options: dict[str, Any] = {"pool_pre_ping": True, "hide_parameters": True}
    if kind == "sqlite":
        _make_folder(url)
        options["connect_args"] = {"timeout": _BUSY_SECONDS}
    elif kind in {"mariadb", "mysql"}:
        url = url.update_query_dict({"charset": "utf8mb4"})
    try:
        engine = create_engine(url, **options)
    except ImportError as error:
        package = next(package for name, package in _DRIVERS.values() if name == url.drivername)
        raise MissingExtra(f"{kind} needs {error.name}; run: pip install '{package}'") from None
    if kind == "sqlite":
        event.listen(engine, "connect", _make_durable)
    return engine


def _url(database: str) -> URL:
    if "://" not in database:
        return URL.create("sqlite", database=database)
    try:
        url = make_url(database)
    except (ArgumentError, ValueError):
        raise UnusableInput(f"{without_password(database)!r} is not a database; expected {EXPECTED}") from None
    if url.drivername not in _DRIVERS:
        raise UnusableInput(f"there is no support for databases of {url.drivername!r}; expected {EXPECTED}")
    return url.set(drivername=_DRIVERS[url.drivername][0])


def _make_folder(url: URL) -> None:
    if not url.database or url.database == ":memory:":
        raise UnusableInput("decisions would be lost in memory; name the file of the database")
    folder = Path(url.database).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnusableInput(f"{folder} cannot be made: {(error.strerror or '').lower()}") from error


def _make_durable(connection: Any, _record: object) -> None:
    for pragma in _SQLITE:
        connection.execute(pragma)
