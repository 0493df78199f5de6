"""A real MediaWiki for one session of tests: installed afresh in a folder of its own, with real histories imported."""

import lzma
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

MEDIAWIKI = Path(os.environ.get("MEDIAWIKI", "/usr/share/mediawiki"))
WORKERS = 3
SECONDS_TO_START = 180

# MediaWiki's own settings, behind those that its installer writes. A link to Translation: stands in the margin of the
# OpenTTD wiki and is no text of the page; here it is a link to another language, which MediaWiki treats alike.
_SETTINGS = """
wfLoadExtension( 'Parsoid', "$IP/vendor/wikimedia/parsoid/extension.json" );
$wgExtraInterlanguageLinkPrefixes = [ 'translation' ];
$wgJobRunRate = 0;
"""
# Pages of our own beside the real ones, which are articles alone: a redirect, and a template that many of them use.
_OWN_PAGES = """
<page><title>TTDPatch</title><ns>0</ns><id>9001</id><revision><id>9001</id><timestamp>2019-01-01T00:00:00Z</timestamp>
<model>wikitext</model><format>text/x-wiki</format>
<text xml:space="preserve">#REDIRECT [[ru/Archive/OpenTTD/TTDPatch]]</text></revision></page>
<page><title>Template:Ru/Manual/Оглавление</title><ns>10</ns><id>9002</id><revision><id>9002</id>
<timestamp>2019-01-01T00:00:00Z</timestamp><model>wikitext</model><format>text/x-wiki</format>
<text xml:space="preserve">Эти слова написаны в [[Шаблон для всех|шаблоне]]. Их нет ни на одной странице.</text>
</revision></page>
"""


@dataclass(frozen=True)
class LiveWiki:
    """A wiki that runs: the address of its API, and the history that was imported into it."""

    api_url: str
    folder: Path
    history: Path

    def dump(self, path: Path) -> Path:
        """Write every revision of every page as MediaWiki itself dumps them."""
        _php(self.folder, "dumpBackup.php", "--full", "--quiet", f"--output=file:{path}")
        return path


@contextmanager
def running_wiki(folder: Path, history: Path, language: str) -> Iterator[LiveWiki]:
    """Install a wiki in the folder, import the history and serve it, until the block is left, however it is left."""
    port = _free_port()
    address = f"http://127.0.0.1:{port}"
    _php(
        folder, "install.php", "--dbtype", "sqlite", "--dbpath", folder / "data", "--dbname", "testwiki",
        "--server", address, "--scriptpath", "", "--lang", language, "--pass", "only-for-this-test",
        "--confpath", folder, "Test", "Admin",
    )  # fmt: skip
    with (folder / "LocalSettings.php").open("a", encoding="utf-8") as settings:
        settings.write(_SETTINGS)
    _add_interwiki(folder / "data" / "testwiki.sqlite")
    _php(folder, "importDump.php", "--no-updates", "--quiet", history)
    server = _serve(folder, port)
    try:
        _wait_for(address, server, folder)
        yield LiveWiki(f"{address}/api.php", folder, history)
    finally:
        _stop(server)


def cut_history(dump: Path, out: Path, least: int, most: int, enough: int) -> Path:
    """Write the pages of a dump with so many revisions each, until there are enough, and our own pages."""
    revisions = 0
    with lzma.open(dump) as stream, out.open("wb") as slice_:
        slice_.write(b'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11">\n')
        for _, page in etree.iterparse(stream, tag="{*}page", huge_tree=True):
            length = len(page.findall("{*}revision"))
            if least <= length <= most:
                slice_.write(etree.tostring(page, encoding="utf-8"))
                revisions += length
            page.clear()
            if revisions >= enough:
                break
        slice_.write(f"{_OWN_PAGES}</mediawiki>\n".encode())
    return out


def _php(folder: Path, script: str, *arguments: str | Path) -> None:
    command = [_program(), str(MEDIAWIKI / "maintenance" / script), *map(str, arguments)]
    done = subprocess.run(command, env=_environment(folder), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"MediaWiki's {script} failed: {(done.stdout + done.stderr).strip()[-500:]}")


def _program() -> str:
    return shutil.which("php") or "php"


def _environment(folder: Path) -> dict[str, str]:
    settings = folder / "LocalSettings.php"
    told = {"MW_CONFIG_FILE": str(settings)} if settings.exists() else {}  # the installer stops where there is one
    return {**os.environ, **told, "PHP_CLI_SERVER_WORKERS": str(WORKERS)}


def _add_interwiki(database: Path) -> None:
    connection = sqlite3.connect(database)
    with connection:
        connection.execute(
            "INSERT INTO interwiki (iw_prefix, iw_url, iw_api, iw_wikiid, iw_local, iw_trans) VALUES (?,?,?,?,?,?)",
            ("translation", "https://wiki.openttd.org/$1", "", "", 0, 0),
        )
    connection.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _serve(folder: Path, port: int) -> subprocess.Popen[bytes]:
    with (folder / "server.log").open("wb") as log:
        return subprocess.Popen(
            [_program(), "-S", f"127.0.0.1:{port}", "-t", str(MEDIAWIKI)],
            env=_environment(folder),
            stdout=log,
            stderr=log,
            start_new_session=True,  # so that its workers can be stopped with it
        )


def _wait_for(address: str, server: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/api.php?action=query&meta=siteinfo&format=json", timeout=10).close()
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.1)
        else:
            return
    log = (folder / "server.log").read_text(encoding="utf-8", errors="replace")
    raise RuntimeError(f"the wiki does not answer: {log.strip()[-500:]}")


def _stop(server: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, subprocess.TimeoutExpired):
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(10)
    with suppress(ProcessLookupError):  # a worker may outlive the server that made it
        os.killpg(server.pid, signal.SIGKILL)
    server.wait()
