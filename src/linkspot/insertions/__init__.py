"""Two versions of a page → what was inserted: which link, where it belonged, and what was missing."""
