"""The service: places for links over HTTP, for people and for the programs of wikis; `linkspot serve` starts it."""
