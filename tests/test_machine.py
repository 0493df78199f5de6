import os
import subprocess
import sys

import pytest

from linkspot.machine import usable_cores

HOW_MANY = """
from linkspot.cli.options import ALL_CORES
from linkspot.machine import usable_cores
from linkspot.reporting.provenance import provenance
print(usable_cores(), ALL_CORES, provenance()["processor"].rpartition(", ")[2])
"""


def test_a_process_may_use_at_least_one_core() -> None:
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system cannot bind a process to a core")
def test_a_process_that_is_bound_to_one_core_counts_one_everywhere() -> None:
    core = min(os.sched_getaffinity(0))
    bound = f"import os; os.sched_setaffinity(0, {{{core}}})\n{HOW_MANY}"
    answer = subprocess.run([sys.executable, "-c", bound], capture_output=True, text=True, check=True)
    assert answer.stdout == "1 1 1 core\n"
