"""Threads: numpy's products of small matrices are kept to one."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


def one_blas_thread() -> AbstractContextManager[Any]:
    """Keep numpy's matrix library to one thread for a while.

    It would start a thread on each core even for the features of one page, and these threads wait busily while the
    encoder's own threads work: a page whose vectors are all stored took twice as long.
    """
    limits: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return limits


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
