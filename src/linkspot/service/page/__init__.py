"""The page for editors: ask, see the places, decide, and make the edit."""
