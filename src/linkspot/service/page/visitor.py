"""Visitors of the page: an opaque session in a signed cookie, and the token that their requests carry."""

import hmac
import secrets
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus

from fastapi import Request, Response

from linkspot.service.faults import ServiceFault

COOKIE = "linkspot-session"
TOKEN_HEADER = "X-Linkspot-Token"
_SECONDS = 180 * 24 * 3_600
_BYTES = 18


class ForeignRequest(ServiceFault):
    """A request that does not come from our own page, or from one that was opened long ago."""

    status = HTTPStatus.FORBIDDEN
    code = "foreign_request"


@dataclass(frozen=True, slots=True)
class Visitors:
    """Makes sessions and knows its own again; the names of sessions say nothing of people."""

    secret: bytes

    @classmethod
    def of(cls, secret: str) -> "Visitors":
        """Return the visitors of a service; without a secret, sessions end with the process."""
        return cls(secret.encode() or secrets.token_bytes())

    def session(self, request: Request) -> str:
        """Return the session of a request, a new one if its cookie is missing or not ours."""
        name, _, signature = request.cookies.get(COOKIE, "").partition(".")
        is_ours = bool(name) and hmac.compare_digest(signature.encode(), self._signature("session", name).encode())
        return name if is_ours else secrets.token_urlsafe(_BYTES)

    def token(self, session: str) -> str:
        """Return the token that requests of this session carry."""
        return self._signature("token", session)

    def checked(self, request: Request) -> str:
        """Return the session of a request that changes something; ForeignRequest unless it carries our token."""
        session = self.session(request)
        told = request.headers.get(TOKEN_HEADER, "")
        if not hmac.compare_digest(told.encode(), self.token(session).encode()):
            raise ForeignRequest("this page was opened too long ago or in another way; open it again")
        return session

    def remember(self, response: Response, session: str, *, is_secure: bool) -> None:
        """Set the cookie of a session."""
        value = f"{session}.{self._signature('session', session)}"
        response.set_cookie(
            COOKIE, value, max_age=_SECONDS, path="/", secure=is_secure, httponly=True, samesite="strict"
        )

    def _signature(self, purpose: str, text: str) -> str:
        return hmac.new(self.secret, f"{purpose}:{text}".encode(), sha256).hexdigest()
