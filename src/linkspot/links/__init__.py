"""Articles → what their links say: titles, mentions."""
