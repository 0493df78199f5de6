"""A live MediaWiki, read through its API."""
