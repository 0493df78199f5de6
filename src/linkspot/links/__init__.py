"""Articles to what their links say: titles, addresses, redirects, entities, precedents."""
