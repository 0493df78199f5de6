"""The command that answers over HTTP: serve."""

import os
import signal
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkspot.cli.answer_options import Contact
from linkspot.cli.interruption import INTERRUPTION
from linkspot.cli.output import say
from linkspot.cli.serve_options import (
    CacheFolder,
    Database,
    Host,
    Indexes,
    ModelNameOption,
    Port,
    ServedWikis,
    ServiceFile,
    ServiceRanker,
    Workers,
)
from linkspot.errors import UnusableInput, first_line
from linkspot.extras import Extra, require

if TYPE_CHECKING:
    from linkspot.service.settings import ServiceSettings, WikiSettings

_SECONDS_TO_END = 20
_PREFIX = "LINKSPOT_"


def serve(
    config: ServiceFile = None,
    host: Host = "",
    port: Port = 0,
    wiki: ServedWikis = None,
    index: Indexes = None,
    ranker: ServiceRanker = "",
    model_name: ModelNameOption = "",
    database: Database = "",
    cache: CacheFolder = None,
    workers: Workers = 0,
    contact: Contact = "",
) -> None:
    """Answer over HTTP, for people in a browser and for other programs.

    A flag comes before the environment (LINKSPOT_PORT and so on), the environment before the file.

    Example: linkspot serve --wiki https://sw.wikipedia.org/w/api.php --contact me@example.org
    """
    require(Extra.SERVE, "linkspot serve")
    flags = {
        "host": host, "port": port, "ranker": ranker, "model_name": model_name, "database": database,
        "cache_folder": cache, "workers": workers, "contact": contact,
    }  # fmt: skip
    settings = read_settings(config, os.environ, flags, wiki or [], index or [])
    _run(settings)


def read_settings(
    file: Path | None, environment: Mapping[str, str], flags: Mapping[str, Any], wikis: list[str], indexes: list[str]
) -> "ServiceSettings":
    """Return the settings that a file, the environment and the flags give together."""
    from linkspot.service.settings import ServiceLimits, ServiceSettings

    table = _table_of(file) if file else {}
    known = {one.name: one.type for one in fields(ServiceSettings)}
    limits = _limits(ServiceLimits(), table.pop("limits", {}))
    named = [*_wiki_tables(table.pop("wikis", [])), *map(_wiki_of, wikis)]
    unknown = sorted(set(table) - set(known))
    if unknown:
        raise UnusableInput(f"{file} has a setting {unknown[0]!r}; there are: {', '.join(sorted(known))}")
    values = {**table, **_from_environment(environment, known), **{key: value for key, value in flags.items() if value}}
    return replace(ServiceSettings(), **_typed(values), limits=limits, wikis=_with_indexes(named, indexes))


def _table_of(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UnusableInput(f"{file} cannot be read as TOML: {first_line(error)}") from error


def _from_environment(environment: Mapping[str, str], known: Mapping[str, Any]) -> dict[str, str]:
    """Return the settings in the environment; PORT, MODEL_NAME and MODEL_PATH are those of KServe and Toolforge."""
    others = {"PORT": "port", "MODEL_NAME": "model_name", "MODEL_PATH": "ranker"}
    found = {name: environment[variable] for variable, name in others.items() if environment.get(variable)}
    own = {name: environment.get(f"{_PREFIX}{name.upper()}", "") for name in known if name not in {"limits", "wikis"}}
    return {**found, **{name: value for name, value in own.items() if value}}


def _typed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with the types of the settings; those of the environment are all text."""
    typed = dict(values)
    for name in ("host", "ranker", "model_name", "database", "secret", "contact"):
        if not isinstance(typed.get(name, ""), str):
            raise UnusableInput(f"{name} is a text, not {typed[name]!r}")
    for name in ("port", "workers", "cache_memory_bytes", "cache_disk_bytes"):
        if name in typed:
            typed[name] = _number(name, typed[name], int)
    if "threshold" in typed:
        typed["threshold"] = _number("threshold", typed["threshold"], float)
    if "cache_folder" in typed:
        typed["cache_folder"] = Path(typed["cache_folder"])
    if "has_samples" in typed:
        typed["has_samples"] = str(typed["has_samples"]).lower() not in {"0", "false", "no"}
    if "trusted_proxies" in typed:
        proxies = typed["trusted_proxies"]
        typed["trusted_proxies"] = tuple(proxies.split(",") if isinstance(proxies, str) else proxies)
    return typed


def _number(name: str, value: Any, kind: type[int] | type[float]) -> int | float:
    try:
        return kind(value)
    except (TypeError, ValueError):
        raise UnusableInput(f"{value!r} is not a number; {name} is one") from None


def _limits(limits: Any, table: Any) -> Any:
    known = {one.name for one in fields(limits)}
    if not isinstance(table, dict) or set(table) - known:
        raise UnusableInput(f"the limits are a table of these numbers: {', '.join(sorted(known))}")
    return replace(limits, **{name: _number(name, value, type(getattr(limits, name))) for name, value in table.items()})


def _wiki_tables(tables: Any) -> "list[WikiSettings]":
    from linkspot.service.settings import WikiSettings

    known = {one.name for one in fields(WikiSettings)}
    if not isinstance(tables, list) or any(not isinstance(table, dict) or set(table) - known for table in tables):
        raise UnusableInput(f"wikis are tables ([[wikis]]) with: {', '.join(sorted(known))}")
    wikis = []
    for table in tables:
        if not isinstance(table.get("api"), str):
            raise UnusableInput("each of the wikis needs the address of its api.php, as api")
        index = Path(table["index"]) if table.get("index") else None
        wikis.append(WikiSettings(**{**table, "index": index}))
    return wikis


def _wiki_of(text: str) -> "WikiSettings":
    """Return the wiki that a flag names, written like https://sw.wikipedia.org/w/api.php, or NAME=ADDRESS."""
    from linkspot.corpora.wiki.page_address import apis_of_wiki, is_address
    from linkspot.service.settings import WikiSettings

    name, equals, address = text.partition("=")
    if not equals or is_address(name):
        name, address = "", text
    return WikiSettings(apis_of_wiki(address)[0], name)


def _with_indexes(wikis: "list[WikiSettings]", indexes: list[str]) -> "tuple[WikiSettings, ...]":
    """Give each wiki its index: NAME=FOLDER, or FOLDER if there is one wiki."""
    for text in indexes:
        name, equals, folder = text.rpartition("=")
        if not equals and len(wikis) != 1:
            raise UnusableInput(f"--index {text} does not say whose index it is; write it like sw=swwiki")
        number = next((number for number, wiki in enumerate(wikis) if not equals or name in wiki.names), None)
        if number is None:
            raise UnusableInput(f"--index {text} names a wiki that is not given; give it with --wiki")
        wikis[number] = replace(wikis[number], index=Path(folder))
    return tuple(wikis)


def _run(settings: "ServiceSettings") -> None:
    import uvicorn

    from linkspot.service.app import create_app
    from linkspot.service.request_log import log_to_stderr

    server = uvicorn.Server(
        uvicorn.Config(
            create_app(settings),
            host=settings.host,
            port=settings.port,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=list(settings.trusted_proxies),
            timeout_graceful_shutdown=_SECONDS_TO_END,
        )
    )
    log_to_stderr()
    say(f"linkspot answers at http://{settings.host}:{settings.port}/ (Ctrl-C ends it)")
    # The server ends in good order by itself, which may take longer than other commands get.
    signal.set_wakeup_fd(-1)
    try:
        server.run()
    except KeyboardInterrupt:  # raised again by the server, after it has ended
        INTERRUPTION.code = 0
    except SystemExit:  # it has said in its log why it did not start
        pass
    if not server.started:
        raise UnusableInput(f"port {settings.port} of {settings.host} cannot be used; name another one with --port")
