"""Rankers that ask a large language model."""
