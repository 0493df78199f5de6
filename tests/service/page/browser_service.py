"""The service on a port of its own, for a real browser."""

from collections.abc import Iterator
from contextlib import contextmanager

from docs.page_pictures import served
from tests.service.conftest import PATIENT

from linkspot.service.settings import ServiceSettings, WikiSettings


@contextmanager
def served_page(database: str, wikis: tuple[str, ...] = ()) -> Iterator[str]:
    """Serve until the block is left; gives the address."""
    settings = ServiceSettings(
        port=0,
        workers=1,
        database=database,
        wikis=tuple(map(WikiSettings, wikis)),
        contact="test@example.org",
        secret="s" * 32,
        limits=PATIENT,
    )
    with served(settings) as address:
        yield address
