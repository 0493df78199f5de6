"""Threads: how many there is room for, and numpy's products of small matrices, kept to one."""

import os
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def one_blas_thread() -> AbstractContextManager[Any]:
    """Keep numpy's library for matrices to one thread for a while.

    It would start one on each core, even for the little work that a page's features are, and let them wait busily
    where the encoder's own threads are at work: a page for which all vectors are kept took twice as long.
    """
    limits: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return limits


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
