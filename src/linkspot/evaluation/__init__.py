"""Rankers on test queries: asking, storing, comparing."""
