"""The pool: what takes too much is killed, what dies is replaced, what nobody has room for is refused."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from tests.service.worker_tasks import Deadly, Echo, Endless, Faulty, Greedy

from linkspot.errors import WrongValue
from linkspot.limits import LIMITS
from linkspot.service.faults import Overloaded, ServiceFault, TooExpensive, WarmingUp, WorkerDied
from linkspot.service.settings import ServiceLimits
from linkspot.service.worker_process import WorkerSetup
from linkspot.service.workers import WorkerPool

SETUP = WorkerSetup("bm25", LIMITS)
SECONDS_TO_START = 600


def with_pool(limits: ServiceLimits, use: Callable[[WorkerPool], Awaitable[None]], size: int = 1) -> None:
    """Use a pool whose workers are ready."""
    pool = WorkerPool(SETUP, size, limits)

    async def run() -> None:
        await ready(pool)
        await use(pool)

    pool.start()
    try:
        asyncio.run(run())
    finally:
        pool.close()


async def ready(pool: WorkerPool) -> None:
    end = time.monotonic() + SECONDS_TO_START
    while pool.ready < pool.size:
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


def test_before_a_worker_is_ready_nothing_is_answered() -> None:
    pool = WorkerPool(SETUP, 1, ServiceLimits())
    with pytest.raises(WarmingUp) as raised:
        asyncio.run(pool.run(Echo("early")))
    assert raised.value.retry_after > 0


def test_a_worker_that_takes_too_long_or_too_much_memory_is_killed_and_replaced() -> None:
    async def use(pool: WorkerPool) -> None:
        with pytest.raises(TooExpensive, match=r"more than 4 s"):
            await pool.run(Endless())
        await ready(pool)
        assert await pool.run(Echo("again")) == "again"
        with pytest.raises(TooExpensive, match=r"more than 400 MB"):
            await pool.run(Greedy())
        await ready(pool)
        assert await pool.run(Echo("and again")) == "and again"
        assert (pool.counts.killed, pool.counts.started) == (2, 3)

    with_pool(ServiceLimits(seconds=4.0, memory_bytes=400_000_000), use)


def test_a_task_survives_one_worker_that_dies_at_it_and_not_two(tmp_path: Path) -> None:
    letters = tmp_path / "letters"

    async def use(pool: WorkerPool) -> None:
        letters.write_text("x")
        assert await pool.run(Deadly(letters)) == "alive"
        letters.write_text("xx")
        with pytest.raises(WorkerDied):
            await pool.run(Deadly(letters))
        await ready(pool)
        assert await pool.run(Echo("still here")) == "still here"
        assert pool.counts.died == 3

    with_pool(ServiceLimits(seconds=60.0), use)


def test_workers_killed_under_load_lose_no_answer() -> None:
    async def use(pool: WorkerPool) -> None:
        answers: list[object] = []

        async def ask(number: int) -> None:
            answers.append(await pool.run(Echo(str(number), 0.05)))

        async def kill() -> None:
            for enough in (3, 12, 21):  # never twice at the same task
                while len(answers) < enough:
                    await asyncio.sleep(0.01)
                with suppress(ProcessLookupError, IndexError):
                    os.kill(pool.processes[0], signal.SIGKILL)

        await asyncio.gather(kill(), *map(ask, range(30)))
        assert sorted(answers, key=lambda answer: int(str(answer))) == [str(number) for number in range(30)]
        assert pool.counts.died >= 1

    with_pool(ServiceLimits(seconds=60.0, waiting_seconds=120.0), use, size=2)


def test_more_than_may_wait_are_refused_at_once() -> None:
    async def use(pool: WorkerPool) -> None:
        begun = [asyncio.ensure_future(pool.run(Echo("slow", 0.5))) for _ in range(3)]
        await asyncio.sleep(0)
        assert pool.is_full
        with pytest.raises(Overloaded) as raised:
            await pool.run(Echo("one too many"))
        assert raised.value.retry_after > 0
        assert await asyncio.gather(*begun) == ["slow"] * 3
        assert not pool.is_full

    with_pool(ServiceLimits(waiting=2), use)


def test_who_waits_too_long_is_told_so() -> None:
    async def use(pool: WorkerPool) -> None:
        first = asyncio.ensure_future(pool.run(Echo("slow", 1.0)))
        second = asyncio.ensure_future(pool.run(Echo("late")))
        with pytest.raises(Overloaded, match=r"no worker was free for 0\.1 s"):
            await second
        assert await first == "slow"

    with_pool(ServiceLimits(waiting_seconds=0.1), use)


def test_a_worker_makes_way_for_a_new_one_after_so_many_tasks() -> None:
    async def use(pool: WorkerPool) -> None:
        first = pool.processes
        assert [await pool.run(Echo("a")), await pool.run(Echo("b"))] == ["a", "b"]
        end = time.monotonic() + 60
        while pool.processes == first and time.monotonic() < end:  # the answer comes before the old worker goes
            await asyncio.sleep(0.01)
        assert pool.processes != first
        await ready(pool)
        assert await pool.run(Echo("c")) == "c"

    with_pool(ServiceLimits(recycled_after=2), use)


def test_errors_come_back_and_unknown_ones_without_what_they_say(capfd: pytest.CaptureFixture[str]) -> None:
    async def use(pool: WorkerPool) -> None:
        with pytest.raises(WrongValue, match=r"^known$"):
            await pool.run(Faulty(is_known=True))
        with pytest.raises(ServiceFault) as raised:
            await pool.run(Faulty(is_known=False))
        assert "secret" not in str(raised.value)
        assert await pool.run(Echo("unharmed")) == "unharmed"

    with_pool(ServiceLimits(), use)
    log = capfd.readouterr().err
    assert "KeyError" in log
    assert "secret" not in log
