"""How good whole answers are: place, advice and edit on pages and targets that a reader labelled (see README.md)."""

from bench.judged.measurement import measure

__all__ = ["measure"]
