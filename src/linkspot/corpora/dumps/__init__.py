"""Dumps: whole wikis in one file, read as a stream."""
