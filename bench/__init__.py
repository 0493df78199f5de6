"""Measurements, most of them compared with others: each module has a `measure` that returns its part of RESULTS.md."""
