"""What is counted and timed, for Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from linkspot.service.workers import WorkerPool

_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)


class ServiceMetrics:
    """The metrics of one service, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        labels = ("route", "method", "status")
        self.requests = self._counter("linkspot_requests", "Requests that were answered.", labels)
        self.seconds = Histogram(
            "linkspot_request_seconds", "Time of a request.", ("route",), registry=self._registry, buckets=_SECONDS
        )
        self.ranking = Histogram(
            "linkspot_ranking_seconds",
            "Time in the queue and in a worker.",
            registry=self._registry,
            buckets=_SECONDS,
        )
        self._cache = self._counter("linkspot_cache", "Answers by whether they were kept.", ("result",))

    def cached(self, hits: int, misses: int) -> None:
        """Count answers that were kept, and others that were not."""
        self._cache.labels("hit").inc(hits)
        self._cache.labels("miss").inc(misses)

    def watch(self, pool: WorkerPool, model: str) -> None:
        """Have the state of the workers read whenever the metrics are."""
        self._gauge("linkspot_workers_ready", "Workers that have opened the model.").set_function(lambda: pool.ready)
        self._gauge("linkspot_workers_busy", "Workers that rank.").set_function(lambda: pool.busy)
        self._gauge("linkspot_queue", "Requests that wait for a worker.").set_function(lambda: pool.waiting)
        self._gauge("linkspot_workers_memory_bytes", "Memory of all workers.").set_function(lambda: pool.memory)
        counts = pool.counts
        self._gauge("linkspot_workers_started", "Workers started so far.").set_function(lambda: counts.started)
        self._gauge("linkspot_workers_killed", "Workers killed, too slow or too large.").set_function(
            lambda: counts.killed
        )
        self._gauge("linkspot_workers_died", "Workers that died by themselves.").set_function(lambda: counts.died)
        self._gauge("linkspot_refused", "Requests refused as too many waited.").set_function(lambda: counts.refused)
        Gauge("linkspot_model", "The model that ranks.", ("model",), registry=self._registry).labels(model).set(1)

    def text(self) -> bytes:
        """Return all metrics as Prometheus reads them."""
        return generate_latest(self._registry)

    def _counter(self, name: str, text: str, labels: tuple[str, ...]) -> Counter:
        return Counter(name, text, labels, registry=self._registry)

    def _gauge(self, name: str, text: str) -> Gauge:
        return Gauge(name, text, registry=self._registry)
