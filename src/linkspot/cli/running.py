"""How commands do long work: with an engine, with progress bars, and so that Ctrl-C loses nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.cli.interruption import INTERRUPTION
from linkspot.cli.options import EngineName
from linkspot.cli.values import spark_setting
from linkspot.errors import StoppedRun, UnusableInput

if TYPE_CHECKING:
    from linkspot.cli.progress import TerminalProgress
    from linkspot.corpora.corpus import CorpusSource
    from linkspot.engines.engine import Engine

_AGAIN = "run the same command again to continue"


@contextmanager
def resumable(advice: str = _AGAIN) -> Iterator[None]:
    """Say how the work inside continues, if Ctrl-C or SIGTERM stops it."""
    INTERRUPTION.message = f"stopped; what is done is kept, {advice}"
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise StoppedRun(INTERRUPTION.message) from interrupt
    except Exception as error:  # what a library makes of Ctrl-C, such as DuckDB's RuntimeError("Query interrupted")
        if INTERRUPTION.code:
            raise StoppedRun(INTERRUPTION.message) from error
        raise
    INTERRUPTION.message = "stopped"


def sources_of(paths: list[Path], kind: str, lang: str, pages: str, link_base: str) -> "list[CorpusSource]":
    """Return the corpora at some paths, each opened once to see that it can be read."""
    from linkspot.corpora.corpus import sources
    from linkspot.parsing import is_language_tag

    if lang and not is_language_tag(lang):
        raise UnusableInput(f"{lang!r} is not a language code; write it like en, sw, pt-br or zh-tw")
    corpora = [source for path in paths for source in sources(path, kind, lang, pages, link_base)]
    for source in corpora:
        source.open()  # a wrong path among many is reported before hours of work
    return corpora


@contextmanager
def at_work(
    name: EngineName, jobs: int, master: str, settings: list[str] | None
) -> Iterator[tuple["Engine", "TerminalProgress"]]:
    """Give the engine that the options ask for and bars that show what it does; both are closed after the work."""
    from linkspot.cli.progress import TerminalProgress

    engine = _engine_of(name, jobs, master, settings)
    try:
        with TerminalProgress() as progress:
            yield engine, progress
    except Exception as error:
        explained = engine.explained(error)
        if explained is None:
            raise
        raise explained from error
    finally:
        engine.close()


def _engine_of(name: EngineName, jobs: int, master: str, settings: list[str] | None) -> "Engine":
    from linkspot.engines.engine import EngineSettings, open_engine

    return open_engine(name, EngineSettings(jobs, master, dict(map(spark_setting, settings or ()))))
