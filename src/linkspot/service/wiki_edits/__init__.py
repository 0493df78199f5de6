"""Edits in a live wiki: one link each, by the wiki's own form or saved through its API, and nothing else changed."""
