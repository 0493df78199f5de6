"""The machine: how much of it this process may use."""

import os


def usable_cores() -> int:
    """Return how many cores this process may use: with CPU affinity, as in containers, those that it is bound to."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
