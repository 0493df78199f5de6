"""Who asks, and how often: the rate limits of a service, and the middleware that applies them to what costs work."""

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from linkspot.service.error_shapes import fault_response
from linkspot.service.faults import TooManyRequests
from linkspot.service.rate_limit import RateLimit
from linkspot.service.settings import ServiceLimits

_LIMITED = ("/v1/", "/v2/", "/page/answer", "/page/edit", "/page/places")


class Visits:
    """The rate limits of one service."""

    def __init__(self, limits: ServiceLimits) -> None:
        self._requests = RateLimit(limits.requests_a_minute, "requests")
        self._fetches = RateLimit(limits.fetches_a_minute, "requests that read from a wiki")

    def admit(self, request: Request) -> None:
        """Count a request; TooManyRequests if its address has sent too many."""
        self._requests.admit(_address(request))

    def admit_fetch(self, request: Request) -> None:
        """Count a request that reads from a wiki; TooManyRequests if its address has sent too many of them."""
        self._fetches.admit(_address(request))


class VisitLimit:
    """Middleware that refuses the requests of an address over its limit, before their body is read."""

    def __init__(self, app: ASGIApp, visits: Visits) -> None:
        self._app, self._visits = app, visits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http" and scope["path"].startswith(_LIMITED):
            request = Request(scope)
            try:
                self._visits.admit(request)
            except TooManyRequests as fault:
                await fault_response(request, fault)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _address(request: Request) -> str:
    return request.client.host if request.client else ""
