"""What the end-to-end tests share: a wiki that runs."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.end_to_end.mediawiki import LiveWiki, cut_history, running_wiki


@pytest.fixture(scope="session")
def live_wiki(needs: Callable[..., None], shared_data: Path) -> Iterator[LiveWiki]:
    """A MediaWiki with 20 pages of the Russian OpenTTD wiki, every revision of them; it is gone after the session."""
    needs("php", "mediawiki")
    dump = shared_data / "openttd" / "openttd-ru-pages-meta-history.xml.xz"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        history = cut_history(dump, folder / "history.xml", least=10, most=40, enough=300)
        with running_wiki(folder, history, "ru") as wiki:
            yield wiki
