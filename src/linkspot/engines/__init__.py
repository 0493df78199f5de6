"""Engines: the same stages on one machine or on a cluster, with equal tables as their result."""
