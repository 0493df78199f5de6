"""The real wikis to measure on: in the folder that LINKSPOT_DATA names, or else beside the project."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from linkspot.corpora.corpus import current_pages, open_corpus
from linkspot.records import Page

DATA = Path(os.environ.get("LINKSPOT_DATA", Path(__file__).parent.parent.parent / "shared" / "data"))
SCHOOLS = DATA / "wikipedia" / "wikipedia-for-schools-2007-en.tar.xz"


def wikipedia(language: str, pages: int) -> Iterator[Page]:
    """Yield the first articles of one of the Wikipedias."""
    dump = DATA / "wikipedia" / f"{language}wiki-truncated-100k.xml.xz"
    return islice(current_pages(open_corpus(dump)), pages)
