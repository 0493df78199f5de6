"""The application: the service with all its addresses, ready for any ASGI server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Any

from fastapi import FastAPI

from linkspot.plugins import resolved
from linkspot.service import api, error_shapes, health
from linkspot.service.request_body import BodyReader
from linkspot.service.service import Service
from linkspot.service.settings import ServiceSettings

_PAGE = "linkspot.service.page"
_DESCRIPTION = "Finds the spot for a link: ranks the places in a page where a link to another page belongs."


def create_app(settings: ServiceSettings) -> FastAPI:
    """Return the application; its workers start and end with it."""
    from linkspot import __version__

    service = Service(settings)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        service.start()
        try:
            yield
        finally:
            service.close()

    app = FastAPI(title="linkspot", version=__version__, description=_DESCRIPTION, lifespan=lifespan)
    app.state.service = service
    error_shapes.register(app)
    app.add_middleware(BodyReader, most_bytes=settings.limits.body_bytes)
    for router in (health.router, api.router):
        app.include_router(router)
    _add_page(app, settings)
    return app


def _add_page(app: FastAPI, settings: ServiceSettings) -> None:
    """Add the page for people, if it is installed."""
    if find_spec(_PAGE) is None:
        return
    make_router: Any = resolved(f"{_PAGE}.routes:router")
    app.include_router(make_router(settings))
