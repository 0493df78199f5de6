"""Candidates → scores."""
