"""Wikitext to article."""
