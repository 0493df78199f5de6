"""Metrics: pure numbers about rankings, with no tables or files."""
