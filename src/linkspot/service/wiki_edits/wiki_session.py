"""A session with a wiki's API for somebody who signs in: by a bot password or an OAuth 2 token."""

import json
import time
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import httpx2

from linkspot.corpora.wiki.answer_parts import part, text
from linkspot.errors import BrokenRun, UnusableInput, WrongValue, first_line, without_password
from linkspot.limits import LIMITS

_API = "/api.php"
_SECONDS = 20.0
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class BotPassword:
    """What Special:BotPasswords gives: a name such as Somebody@linkspot, and its password."""

    name: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class OAuthToken:
    """An access token of OAuth 2, as Extension:OAuth gives it."""

    token: str = field(repr=False)

    def __post_init__(self) -> None:
        if not self.token.isascii() or not self.token.isprintable() or " " in self.token or not self.token:
            raise WrongValue("that is not an access token of OAuth 2: it has no spaces and only ASCII characters")


class NotSignedIn(UnusableInput):
    """The wiki does not accept the name, the password or the token."""


class WikiSession:
    """Asks one wiki, signed in; never follows a redirect, which could lead a password to another host."""

    def __init__(self, api: str, contact: str, credential: BotPassword | OAuthToken | None = None) -> None:
        if not api.startswith(("http://", "https://")) or not api.endswith(_API):
            raise UnusableInput(f"{without_password(api)!r} is not the address of a wiki's API")
        headers = {"User-Agent": f"linkspot/{version('linkspot')} ({contact}) httpx2/{httpx2.__version__}"}
        if isinstance(credential, OAuthToken):
            headers["Authorization"] = f"Bearer {credential.token}"
        self._api, self._credential = api, credential
        self._client = httpx2.Client(headers=headers, timeout=_SECONDS, follow_redirects=False)
        self.is_signed_in = isinstance(credential, OAuthToken)

    def __enter__(self) -> "WikiSession":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def sign_in(self) -> None:
        """Sign in with a bot password; with a token or as nobody there is nothing to do."""
        if not isinstance(self._credential, BotPassword) or self.is_signed_in:
            return
        told = {"lgname": self._credential.name, "lgpassword": self._credential.password}
        answer = self.ask({"action": "login", "lgtoken": self.token("login"), **told})
        login = part(answer, "login")
        if text(login, "result") != "Success":
            reason = login.get("reason")
            said = reason if isinstance(reason, str) else text(part(login, "reason"), "text")
            raise NotSignedIn(f"the wiki does not accept the bot password of {self._credential.name}: {said[:200]}")
        self.is_signed_in = True

    def token(self, kind: str = "csrf") -> str:
        """Return a token, without which a wiki changes nothing."""
        answer = self.ask({"action": "query", "meta": "tokens", "type": kind})
        return text(part(part(answer, "query"), "tokens"), f"{kind}token")

    def ask(self, question: dict[str, str]) -> dict[str, Any]:
        """Return the answer, which may hold an error of the API; a BrokenRun if there is none."""
        data = {"format": "json", "formatversion": "2", "errorformat": "plaintext", "errorlang": "en"} | question
        try:
            answer = json.loads(self._content(data))
        except httpx2.HTTPError as error:
            raise BrokenRun(f"{self._name} does not answer ({without_password(first_line(error))})") from None
        except (ValueError, RecursionError):
            raise BrokenRun(f"{self._name} does not answer as an API of MediaWiki does") from None
        if not isinstance(answer, dict):
            raise BrokenRun(f"{self._name} does not answer as an API of MediaWiki does")
        return answer

    @property
    def _name(self) -> str:
        return without_password(self._api)

    def _content(self, data: dict[str, str]) -> bytes:
        """Return the content of an answer that is neither too large nor too slow."""
        content, end = b"", time.monotonic() + LIMITS.answer_seconds
        with self._client.stream("POST", self._api, data=data) as response:
            if response.is_redirect:
                raise BrokenRun(f"{self._name} leads to another address; name that one")
            for piece in response.iter_bytes(_CHUNK):
                content += piece
                if len(content) > LIMITS.answer_bytes or time.monotonic() > end:
                    raise BrokenRun(f"{self._name} gives an answer that is too large or too slow")
        return content
