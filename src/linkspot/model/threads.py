"""Threads: numpy's products of small matrices, kept to one."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


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
