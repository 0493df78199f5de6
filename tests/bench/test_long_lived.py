"""A process that answers for page after page keeps its memory, whatever the pages are."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import PROJECT

PROGRAM = """
from bench.long_lived import readings
print(*(reading.total for reading in readings(96, 32, 32)))
"""


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="reads /proc, which Linux has")
def test_memory_stays_flat_over_hostile_and_ordinary_pages() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=PROJECT, check=True, capture_output=True, text=True)
    first, *_, last = map(int, done.stdout.split())
    assert last - first < 40 * 2**20  # caches still fill; entries alone, without bytes, would take hundreds
