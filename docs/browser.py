"""A Chromium without a window, for the pictures of the documents and for the tests in a browser."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def is_installed() -> bool:
    """Return whether there is a Chromium."""
    return any(map(shutil.which, _NAMES))


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Open the Chromium of this machine; playwright's own is not fetched."""
    path = next(filter(None, map(shutil.which, _NAMES)))
    with sync_playwright() as playwright:
        # Without its sandbox, since Chromium has none for root, whom containers run as.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()
