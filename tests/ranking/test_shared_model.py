"""The model that ships, in long-lived programs: many threads, and processes that are forked."""

import os
import subprocess
import sys
import textwrap

import pytest

THREADS = """
    import threading
    from concurrent.futures import ThreadPoolExecutor
    from linkspot.ranking import neural

    loads = []
    load = neural.load
    neural.load = lambda name: loads.append(name) or load(name)
    barrier = threading.Barrier(8)

    def first_call(_):
        barrier.wait()
        return neural.load_shipped()

    with ThreadPoolExecutor(8) as pool:
        rankers = set(map(id, pool.map(first_call, range(8))))
    print(len(loads), len(rankers))
"""
FORK = """
    import os, sys
    import linkspot
    from linkspot.ranking.neural import load_shipped

    text = "Rain falls. Trains stop at every signal until the line is clear."

    def score(ranker):
        return linkspot.suggest(text, "Railway signal", ranker=ranker, markup="markdown", language="en").places[0].text

    opened = load_shipped()
    assert score(opened).startswith("Trains")
    child = os.fork()
    if not child:
        try:
            score(opened)
        except linkspot.LinkspotError as error:
            print(error)
        print(score("linkspot"), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


def _output_of(program: str) -> list[str]:
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def test_many_first_callers_load_the_model_once() -> None:
    assert _output_of(THREADS) == ["1 1"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks, which POSIX has")
def test_a_fork_opens_the_model_again_and_refuses_the_one_that_was_open() -> None:
    refusal, place = _output_of(FORK)
    assert "start processes with multiprocessing.get_context('spawn')" in refusal
    assert place == "Trains stop at every signal until the line is clear."
