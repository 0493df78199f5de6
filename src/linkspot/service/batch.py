"""A batch: several requests at once, each of which gets its answers or its own error."""

import asyncio
import json
from collections.abc import Iterable

from linkspot.errors import LinkspotError
from linkspot.service.faults import status_of
from linkspot.service.requests import BatchRequest, SuggestRequest
from linkspot.service.service import Service


async def batch_results(service: Service, batch: BatchRequest) -> bytes:
    """Return the results of a batch in its order, in JSON; no more of them are worked on than there are workers."""
    batch.check(service.settings.limits)
    turns = asyncio.Semaphore(service.settings.workers)

    async def result(request: SuggestRequest) -> bytes:
        async with turns:
            try:
                return (await service.answer(request)).content
            except LinkspotError as error:
                return error_content(error)

    return b'{"results":[%b]}' % b",".join(await asyncio.gather(*map(result, batch.requests)))


def error_content(error: LinkspotError) -> bytes:
    """Return an error that stands in the place of an answer."""
    status, code = status_of(error)
    return json.dumps({"error": {"code": code, "message": str(error)}, "status_code": status}).encode()


def fetches(requests: Iterable[SuggestRequest]) -> bool:
    """Return whether some requests read from a wiki."""
    return any(page.wiki for request in requests for page in (request.page, *request.translations))
