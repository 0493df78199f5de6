"""The protocols of KServe, versions 1 and 2, by which Wikimedia's Lift Wing and others call models."""

import asyncio
import json
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from linkspot import __version__
from linkspot.errors import LinkspotError, UnusableInput
from linkspot.service.api import service_of
from linkspot.service.batch import fetches
from linkspot.service.error_shapes import kserve_status
from linkspot.service.faults import NotSupported, UnknownModel, status_of
from linkspot.service.lift_wing import instance_request
from linkspot.service.requests import check_number

_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"description": "The input is not valid."},
    404: {"description": "There is no such model."},
    429: {"description": "The address has sent too many requests."},
    501: {"description": "The model does not do this."},
    502: {"description": "The wiki does not answer."},
    503: {"description": "The model is not ready."},
    504: {"description": "The page takes too much time or memory."},
}
_ONE_INSTANCE = {"lang": "sw", "page_title": "Jahazi", "target": "Tende"}
_EXAMPLES: dict[str, Any] = {"instances": {"value": {"instances": [_ONE_INSTANCE]}}, "one": {"value": _ONE_INSTANCE}}
_BYTES, _ONE = "BYTES", [1]
router = APIRouter(tags=["KServe"], responses=_ERRORS)
ModelName = Annotated[str, Path(description="The model's name.")]


class InferTensor(BaseModel):
    """An input of version 2: one JSON string."""

    name: str = "input"
    datatype: str = _BYTES
    shape: list[int] = _ONE
    data: list[str]


class InferRequest(BaseModel):
    """The body of a request of version 2."""

    id: str = ""
    inputs: list[InferTensor]


@router.get("/v1/models")
async def models(request: Request) -> dict[str, list[str]]:
    """Return the names of the models."""
    return {"models": [service_of(request).settings.model_name]}


@router.get("/v1/models/{name}")
@router.get("/v2/models/{name}/ready")
async def model_ready(request: Request, name: ModelName) -> Response:
    """Say whether a model is ready."""
    _check_name(request, name)
    is_ready = bool(service_of(request).pool.ready)
    return JSONResponse({"name": name, "ready": is_ready}, _ok_if(is_ready))


@router.post("/v1/models/{name}:predict")
async def predict(
    request: Request,
    name: ModelName,
    body: Annotated[dict[str, Any], Body(openapi_examples=_EXAMPLES)],
) -> Response:
    """Return the answers for some instances; without `instances`, the body is the only one."""
    _check_name(request, name)
    return Response(await _predicted(request, body), media_type="application/json")


@router.post("/v1/models/{name}:explain")
async def explain(request: Request, name: ModelName) -> Response:
    """Refuse: explanations are not supported."""
    _check_name(request, name)
    raise NotSupported("this model explains nothing apart from its answers")


@router.get("/v2")
async def server() -> dict[str, Any]:
    """Return what the server is."""
    return {"name": "linkspot", "version": __version__, "extensions": []}


@router.get("/v2/health/live")
async def live() -> dict[str, bool]:
    """Say that the server lives."""
    return {"live": True}


@router.get("/v2/health/ready")
async def ready(request: Request) -> Response:
    """Say whether the server is ready."""
    pool = service_of(request).pool
    is_ready = bool(pool.ready) and not pool.is_full
    return JSONResponse({"ready": is_ready}, _ok_if(is_ready))


@router.get("/v2/models/{name}")
async def model_metadata(request: Request, name: ModelName) -> dict[str, Any]:
    """Return what goes into a model, and what comes out."""
    _check_name(request, name)
    tensors = {tensor: [{"name": tensor, "datatype": _BYTES, "shape": _ONE}] for tensor in ("input", "output")}
    return {
        "name": name,
        "versions": [],
        "platform": "linkspot",
        "inputs": tensors["input"],
        "outputs": tensors["output"],
    }


@router.post("/v2/models/{name}/infer")
async def infer(request: Request, name: ModelName, body: InferRequest) -> Response:
    """Return the answers for the JSON string of the one input, which is the body of a request of version 1."""
    _check_name(request, name)
    tensors = body.inputs
    if len(tensors) != 1 or tensors[0].datatype != _BYTES or len(tensors[0].data) != 1:
        raise UnusableInput("the input is one tensor of the datatype BYTES that holds one JSON string")
    try:
        given = json.loads(tensors[0].data[0])
    except (ValueError, RecursionError):
        raise UnusableInput("the input's string is not JSON") from None
    if not isinstance(given, dict):
        raise UnusableInput("the input's JSON is an object, as in a request of version 1")
    output = (await _predicted(request, given)).decode()
    tensor = {"name": "output", "datatype": _BYTES, "shape": _ONE, "data": [output]}
    content = {"model_name": name, "id": body.id, "outputs": [tensor]}
    return Response(json.dumps(content), media_type="application/json")


async def _predicted(request: Request, body: dict[str, Any]) -> bytes:
    """Return the predictions for a body of version 1."""
    if "instances" not in body:
        return await _prediction(request, body)
    instances = body["instances"]
    if not isinstance(instances, list):
        raise UnusableInput("instances is a list of objects")
    service = service_of(request)
    check_number(len(instances), service.settings.limits.batch, "the request has", "instances")
    turns = asyncio.Semaphore(service.settings.workers)

    async def item(instance: object) -> bytes:
        async with turns:
            try:
                return await _prediction(request, instance)
            except LinkspotError as error:
                status = kserve_status(*status_of(error))
                return json.dumps({"error": str(error), "status_code": status}).encode(errors="replace")

    return b'{"predictions":[%b]}' % b",".join(await asyncio.gather(*map(item, instances)))


async def _prediction(request: Request, instance: object) -> bytes:
    service, asked = service_of(request), instance_request(instance)
    if fetches([asked]):
        service.visits.admit_fetch(request)
    return (await service.answer(asked)).content


def _check_name(request: Request, name: str) -> None:
    known = service_of(request).settings.model_name
    if name != known:
        raise UnknownModel(f"there is no model {name[:100]!r}; there is: {known}")


def _ok_if(is_ready: bool) -> HTTPStatus:
    return HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
