"""The dual model: page and target are encoded apart and compared by a small head."""
