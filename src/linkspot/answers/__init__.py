"""Scores → places, with what to do there, for people and for programs."""
