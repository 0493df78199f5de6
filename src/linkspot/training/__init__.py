"""Ranking problems → trained models."""
