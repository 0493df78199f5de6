"""Models: from vectors to scores."""
