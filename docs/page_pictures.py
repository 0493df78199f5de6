"""Draw the pictures of docs/editors-page.md: `python -m docs.page_pictures`, where Chromium is installed."""

import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import uvicorn
from docs.browser import open_browser

from linkspot.service.app import create_app
from linkspot.service.settings import ServiceSettings

DOCS = Path(__file__).parent
_SECONDS_TO_START = 300
_PATIENCE = 300_000  # milliseconds


@contextmanager
def served(settings: ServiceSettings) -> Iterator[str]:
    """Serve on the port of the settings, 0 for a free one, until the block is left; gives the address."""
    server = uvicorn.Server(uvicorn.Config(create_app(settings), port=settings.port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield _address(server)
    finally:
        server.should_exit = True
        thread.join(_SECONDS_TO_START)


def draw(folder: Path) -> None:
    """Draw the page on a screen, and on a phone in Arabic."""
    settings = ServiceSettings(port=0, workers=1, database=str(folder / "decisions.sqlite"))
    with served(settings) as address, open_browser() as browser:
        for name, sample, options in (
            ("editors-page.png", 1, {"viewport": {"width": 1200, "height": 1000}, "locale": "en"}),
            ("editors-page-phone.png", 1, {"viewport": {"width": 390, "height": 1200}, "locale": "ar"}),
        ):
            page = browser.new_page(reduced_motion="reduce", **options)
            page.set_default_timeout(_PATIENCE)
            page.goto(f"{address}/page")
            page.click(f".sample[value='{sample}']")
            page.wait_for_selector("#card-1")
            page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
            # The names of the samples need fonts for Japanese, which not every machine has.
            page.evaluate("document.querySelector('.samples').parentElement.hidden = true")
            page.screenshot(path=DOCS / name)
            page.close()


def _address(server: uvicorn.Server) -> str:
    end = time.monotonic() + _SECONDS_TO_START
    while not server.started:
        _pause(end)
    address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    while not _is_ready(address):
        _pause(end)
    return address


def _pause(end: float) -> None:
    if time.monotonic() > end:
        raise TimeoutError("the service does not start")
    time.sleep(0.1)


def _is_ready(address: str) -> bool:
    try:
        with urlopen(f"{address}/readyz", timeout=60):
            return True
    except (URLError, TimeoutError):
        return False


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        draw(Path(name))
