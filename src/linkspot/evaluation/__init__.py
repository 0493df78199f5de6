"""Rankings → figures that people can trust."""
