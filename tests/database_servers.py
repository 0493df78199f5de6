"""Real servers of databases for one session of tests, each in a folder of its own, on a free port."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SECONDS_TO_START = 60
_ROOT = os.geteuid() == 0
_MARIADB_FILES = ("mariadb-install-db", "mysql_install_db")


@contextmanager
def postgresql() -> Iterator[str]:
    """Start a PostgreSQL, and give the URL of its database."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    path = f"{programs[-1]}:{os.environ['PATH']}" if programs else os.environ["PATH"]
    initdb, server = shutil.which("initdb", path=path), shutil.which("postgres", path=path)
    if programs:  # the programs of one release
        initdb, server = str(programs[-1] / "initdb"), str(programs[-1] / "postgres")
    user = "postgres" if _ROOT else None  # PostgreSQL refuses to run as root
    with _folder(user) as folder:
        data, port = folder / "data", _free_port()
        subprocess.run(
            [str(initdb), "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync"],
            user=user, cwd=folder, check=True, capture_output=True,
        )  # fmt: skip
        command = [str(server), "-D", data, "-p", port, "-k", folder, "-c", "listen_addresses=127.0.0.1"]
        with _running(command, folder, user, int(port)):
            yield f"postgresql://tester@127.0.0.1:{port}/postgres"


@contextmanager
def mariadb() -> Iterator[str]:
    """Start a MariaDB, and give the URL of its database."""
    user = "mysql" if _ROOT else None
    installer = next(filter(None, map(shutil.which, _MARIADB_FILES)))
    server = shutil.which("mariadbd", path=f"{os.environ['PATH']}:/usr/sbin") or "mariadbd"
    with _folder(user) as folder:
        data, port = folder / "data", _free_port()
        subprocess.run(
            [installer, "--no-defaults", f"--datadir={data}", "--auth-root-authentication-method=normal"],
            user=user, cwd=folder, check=True, capture_output=True,
        )  # fmt: skip
        command = [
            server, "--no-defaults", f"--datadir={data}", f"--socket={folder / 'socket'}", f"--port={port}",
            f"--pid-file={folder / 'pid'}", "--bind-address=127.0.0.1", "--skip-name-resolve",
        ]  # fmt: skip
        with _running(command, folder, user, int(port)):
            yield f"mariadb://root@127.0.0.1:{port}/test"


@contextmanager
def _folder(user: str | None) -> Iterator[Path]:
    """Give a folder with a short name, since the path of a socket has at most 107 characters."""
    with tempfile.TemporaryDirectory(prefix="db-", ignore_cleanup_errors=True) as name:
        if user:
            shutil.chown(name, user)
        yield Path(name)


@contextmanager
def _running(command: list[str | Path], folder: Path, user: str | None, port: int) -> Iterator[None]:
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, user=user, cwd=folder, stdout=log, stderr=log)
    try:
        _wait_for(port, server, folder)
        yield
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait_for(port: int, server: "subprocess.Popen[bytes]", folder: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    log = (folder / "server.log").read_text(encoding="utf-8", errors="replace")
    raise RuntimeError(f"the database does not answer: {log.strip()[-500:]}")


def _free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])
