"""Markdown to article."""
