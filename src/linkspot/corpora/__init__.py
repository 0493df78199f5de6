"""Dump → pages: one reader for each way in which pages are kept."""
