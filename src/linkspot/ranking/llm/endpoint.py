"""An endpoint that speaks OpenAI's chat completions, hosted or local: one question, one short answer."""

import json
import threading
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from typing import Any

import httpx2

from linkspot.errors import BrokenRun, UnusableInput, first_line, without_password
from linkspot.text.whole_characters import with_whole_characters

_PATH = "/chat/completions"
_BUSY = frozenset({408, 425, 429})  # and whatever is 500 or more
_MOST_TOKENS = 1 << 40  # more than one call could ever take
_SHOWN = 160  # characters of an answer that an error message shows
_ADVICE = {
    401: "is the key right? It is read from LINKSPOT_LLM_KEY, or OPENAI_API_KEY",
    403: "may this key use the model?",
    404: "is the base URL right (it often ends in /v1), and the model's name?",
}

Request = dict[str, Any]

LONGEST_ANSWER = 8  # tokens: enough to name a passage


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """Where a model answers, and how long to wait for it.

    `fields` are added to each request, or replace its own; a field that is None is left out. A busy or silent
    endpoint is asked `tries` times in all, after pauses of 1, 2, 4, … seconds or as long as it says.
    """

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    max_tokens: int = LONGEST_ANSWER
    fields: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 120.0
    tries: int = 6
    first_pause: float = 1.0
    longest_pause: float = 300.0

    def __post_init__(self) -> None:
        if not self.base_url.startswith(("http://", "https://")):
            raise UnusableInput(
                f"{without_password(self.base_url)!r} is not the address of an endpoint; expected one like https://api.openai.com/v1"
            )
        if not self.model.strip():
            raise UnusableInput(
                f"no model is named for {without_password(self.base_url)}; give the name that it has there"
            )
        if not (self.key.isascii() and self.key.isprintable()):
            raise UnusableInput("the endpoint's key has characters that no header can hold; copy it again, as one line")

    @property
    def url(self) -> str:
        """The address that is asked."""
        return self.base_url.rstrip("/").removesuffix(_PATH) + _PATH


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, and how many tokens were read and written, if the endpoint says so."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0


class Endpoint:
    """A client that several threads may use at once."""

    def __init__(self, settings: EndpointSettings) -> None:
        self._settings = settings
        agent = f"linkspot/{version('linkspot')} httpx2/{httpx2.__version__}"
        bearer = {"Authorization": f"Bearer {settings.key}"} if settings.key else {}
        self._client = httpx2.Client(headers={"User-Agent": agent, **bearer}, timeout=settings.seconds)
        weakref.finalize(self, self._client.close)  # in case it is never closed

    def __enter__(self) -> "Endpoint":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def request(self, prompt: str) -> Request:
        """Return the request for a prompt; it holds all that the answer depends on."""
        settings = self._settings
        body = {
            "model": settings.model,
            "messages": [{"role": "user", "content": with_whole_characters(prompt)}],
            "temperature": 0,
            "max_tokens": settings.max_tokens,
            **settings.fields,
        }
        return {name: value for name, value in body.items() if value is not None}

    def ask(self, request: Request, stopped: threading.Event) -> Reply:
        """Return the answer; `stopped` ends the waiting for a busy endpoint, when another call has failed."""
        settings, fault = self._settings, ""
        for attempt in range(settings.tries):
            pause = settings.first_pause * 2**attempt
            try:
                response = self._client.post(settings.url, json=request)
            except httpx2.TransportError as error:
                fault = _transport_fault(error)
            except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                raise UnusableInput(
                    f"{without_password(settings.url)} gives an unreadable answer: {first_line(error)}"
                ) from None
            else:
                if response.status_code not in _BUSY and not response.is_server_error:
                    return self._reply(response)
                fault = self._shown(response)
                pause = _requested_pause(response, pause)
            if pause > settings.longest_pause:
                fault += f", and a pause of {pause:,.0f} s is due"
                break
            if attempt + 1 < settings.tries and stopped.wait(pause):
                break
        raise BrokenRun(
            f"{without_password(settings.url)} does not answer ({fault}); "
            "answers so far are kept, the same command continues from there"
        )

    def _reply(self, response: httpx2.Response) -> Reply:
        answer = _json_in(response)
        choices = answer.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not response.is_success or not isinstance(message, dict):
            advice = _ADVICE.get(response.status_code, "" if response.is_client_error else _ADVICE[404])
            raise UnusableInput(
                f"{without_password(self._settings.url)} gives no chat completion: "
                f"{self._shown(response)}{advice and '; ' + advice}"
            )
        used = answer.get("usage")
        usage = used if isinstance(used, dict) else {}
        # A model that only reasoned, or refused, has said nothing: that is its answer, not an error of the endpoint.
        said = message.get("content")
        text = with_whole_characters(said) if isinstance(said, str) else ""
        return Reply(text, _count(usage, "prompt"), _count(usage, "completion"))

    def _shown(self, response: httpx2.Response) -> str:
        """Return what came back, in one line; an endpoint may repeat the key, so it is left out."""
        text = _message_in(_json_in(response)) or response.headers.get("Location", "") or response.text
        gist = " ".join(text.split())
        if self._settings.key:
            gist = gist.replace(self._settings.key, "…")
        shown = gist if len(gist) <= _SHOWN else gist[:_SHOWN] + "…"
        return f"HTTP {response.status_code}, {shown!r}" if shown else f"HTTP {response.status_code}, nothing else"


def _json_in(response: httpx2.Response) -> dict[str, Any]:
    try:
        answer = json.loads(response.content)
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _message_in(answer: dict[str, Any]) -> str:
    """Return the reason that an endpoint gives, in the form of OpenAI and llama.cpp or in another one."""
    error = answer.get("error")
    message = error.get("message") if isinstance(error, dict) else error
    message = message or answer.get("message") or answer.get("detail")
    return message if isinstance(message, str) else ""


def _transport_fault(error: httpx2.TransportError) -> str:
    kind = "no answer in time" if isinstance(error, httpx2.TimeoutException) else first_line(error)
    return kind.rstrip(".")


def _requested_pause(response: httpx2.Response, otherwise: float) -> float:
    """Return the seconds that Retry-After asks for, as a number or as a date."""
    retry_after = response.headers.get("Retry-After", "")
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return otherwise


def _count(used: dict[str, Any], kind: str) -> int:
    count = used.get(f"{kind}_tokens")
    return count if isinstance(count, int) and 0 <= count < _MOST_TOKENS else 0
