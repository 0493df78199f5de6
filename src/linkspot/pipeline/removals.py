"""`linkspot removals`: pages without a history → links that were taken out of them, in the form of insertions."""

from collections.abc import Sequence
from pathlib import Path

from linkspot.corpora.corpus import CorpusSource
from linkspot.corpora.removal import TEST, RemovalSource
from linkspot.engines.engine import Engine
from linkspot.insertions.rules import PAPER, Rule
from linkspot.pipeline.insertions import insertions
from linkspot.pipeline.table_run import Summary
from linkspot.progress import SILENT, Progress

# A link that was there needs no proof that it belongs, whatever is known of its target.
_RULES = PAPER.lifting(Rule.ENTITY_ID, Rule.LEAD)


def removals(
    sources: Sequence[CorpusSource],
    out: Path,
    engine: Engine,
    part: int = TEST,
    licence: str = "",
    progress: Progress = SILENT,
) -> Summary:
    """Take links out of the pages of one part of the corpora, and write them as insertions that put them back."""
    parts = [
        RemovalSource(source.path, source.kind, source.language, source.pages, source.link_base, part)
        for source in sources
    ]
    return insertions(parts, out, engine, _RULES, licence=licence, keep_unknown=True, progress=progress)
