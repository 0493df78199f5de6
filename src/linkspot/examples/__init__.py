"""Articles → ranking problems."""
