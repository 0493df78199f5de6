"""Sites: pages kept as files, in a folder or in a git repository."""
