"""The application: the service with all its addresses, ready for any ASGI server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from linkspot.service import api, api_docs, error_shapes, health, kserve, recommendation_routes
from linkspot.service.page.routes import router
from linkspot.service.request_body import BodyReader
from linkspot.service.request_log import RequestLog
from linkspot.service.service import Service
from linkspot.service.settings import ServiceSettings
from linkspot.service.visits import VisitLimit

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

    app = FastAPI(
        title="linkspot",
        version=__version__,
        description=_DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,  # FastAPI's own pages load scripts from another host; api_docs has one that does not
        redoc_url=None,
    )
    app.state.service = service
    error_shapes.register(app)
    # The last one is the outermost.
    app.add_middleware(BodyReader, most_bytes=settings.limits.body_bytes)
    app.add_middleware(VisitLimit, visits=service.visits)
    app.add_middleware(RequestLog, metrics=service.metrics)
    for routes in (health, api, recommendation_routes, kserve, api_docs):
        app.include_router(routes.router)
    app.include_router(router(settings))
    return app
