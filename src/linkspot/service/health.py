"""Health: whether the process lives, whether it can answer, and what it has counted."""

from http import HTTPStatus

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

router = APIRouter(tags=["health"])


@router.get("/healthz", response_class=Response)
async def healthz() -> Response:
    """Say that the process lives."""
    return Response()


@router.get("/readyz", responses={503: {"description": "No worker is ready, or too many requests wait."}})
async def readyz(request: Request) -> Response:
    """Say whether the next request would be answered."""
    pool = request.app.state.service.pool
    if pool.ready and not pool.is_full:
        return Response()
    reason = "too many requests wait" if pool.ready else pool.fault or "the workers open the model"
    return Response(f"{reason}\n", HTTPStatus.SERVICE_UNAVAILABLE, media_type="text/plain; charset=utf-8")


@router.get("/metrics", response_class=Response)
async def metrics(request: Request) -> Response:
    """Return what Prometheus reads."""
    return Response(request.app.state.service.metrics.text(), media_type=CONTENT_TYPE_LATEST)
