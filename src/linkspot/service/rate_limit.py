"""The rate limit: how often one address may ask in a minute, and how often it may have a wiki read."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable

from linkspot.service.faults import TooManyRequests

_MINUTE = 60.0
_MOST_ADDRESSES = 10_000  # that are remembered
_NETWORK = 64  # bits: who has one address of version 6 has all that begin alike


class RateLimit:
    """A bucket of requests for each address, which is full at first and fills again within a minute."""

    def __init__(self, a_minute: int, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_minute, self._what, self._clock = a_minute, what, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # what is left, and when that was

    def admit(self, address: str) -> None:
        """Take a request from an address' bucket; TooManyRequests if it is empty."""
        if not self._a_minute:
            return
        key, now = _network(address), self._clock()
        left, then = self._buckets.pop(key, (float(self._a_minute), now))
        left = min(self._a_minute, left + (now - then) * self._a_minute / _MINUTE)
        self._buckets[key] = (left - 1 if left >= 1 else left), now
        if len(self._buckets) > _MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        if left < 1:
            seconds = 1 + int((1 - left) * _MINUTE / self._a_minute)
            raise TooManyRequests(
                f"an address may send {self._a_minute} {self._what} a minute; ask again in {seconds} s", seconds
            )


def _network(address: str) -> str:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    is_long = isinstance(parsed, ipaddress.IPv6Address) and not parsed.ipv4_mapped
    return str(ipaddress.ip_network((address, _NETWORK), strict=False)) if is_long else address
