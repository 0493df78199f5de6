"""Pages and entities → vectors → scores: what learns."""
