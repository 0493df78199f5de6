"""The rate limit: so many requests of one address in a minute, and no more."""

import pytest

from linkspot.service.faults import TooManyRequests
from linkspot.service.rate_limit import RateLimit


def admitted(limit: RateLimit, address: str, times: int) -> int:
    count = 0
    for _ in range(times):
        try:
            limit.admit(address)
        except TooManyRequests:
            continue
        count += 1
    return count


def test_each_address_has_its_own_bucket_which_fills_again_within_a_minute() -> None:
    now = 0.0
    limit = RateLimit(6, "requests", lambda: now)
    assert admitted(limit, "192.0.2.1", 10) == 6
    assert admitted(limit, "192.0.2.2", 10) == 6
    now = 10.0
    assert admitted(limit, "192.0.2.1", 10) == 1
    now = 1_000.0
    assert admitted(limit, "192.0.2.1", 10) == 6


def test_who_asks_too_often_learns_when_to_come_back() -> None:
    now = 0.0
    limit = RateLimit(6, "requests", lambda: now)
    admitted(limit, "192.0.2.1", 6)
    with pytest.raises(TooManyRequests) as raised:
        limit.admit("192.0.2.1")
    now = float(raised.value.retry_after)
    limit.admit("192.0.2.1")


def test_the_addresses_of_one_network_of_version_6_count_together() -> None:
    limit = RateLimit(6, "requests", lambda: 0.0)
    assert admitted(limit, "2001:db8::1", 4) + admitted(limit, "2001:db8::2", 4) == 6
    assert admitted(limit, "2001:db8:0:1::1", 10) == 6
    assert admitted(limit, "::ffff:192.0.2.1", 4) + admitted(limit, "::ffff:192.0.2.2", 4) == 8


def test_no_limit_and_memory_that_is_bounded() -> None:
    assert admitted(RateLimit(0, "requests"), "192.0.2.1", 1_000) == 1_000
    limit = RateLimit(1, "requests", lambda: 0.0)
    for number in range(10_001):
        limit.admit(f"host-{number}")
    assert admitted(limit, "host-0", 1) == 1  # it was forgotten
    assert admitted(limit, "host-10000", 1) == 0
