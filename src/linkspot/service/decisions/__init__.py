"""Decisions of editors on suggested places: stored before they are acknowledged, exported as tables."""
