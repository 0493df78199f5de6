"""Cross-encoders: models that read the target and the page together."""
