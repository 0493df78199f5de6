"""The Wikidata ids of a real MediaWiki's pages: its API and its table of page_props say the same."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.mediawiki import LiveWiki
from tests.sql_dumps import write_page_props

from linkspot.corpora.corpus import CorpusSource
from linkspot.corpora.wiki.api import Wiki
from linkspot.corpora.wiki.item_ids import fetch_ids
from linkspot.engines.engine import Engine
from linkspot.pipeline.index import index

pytestmark = pytest.mark.shared_data
_ITEMS = "SELECT pp_page, pp_value FROM page_props WHERE pp_propname = 'wikibase_item'"


@pytest.fixture
def items(live_wiki: LiveWiki) -> Iterator[dict[int, str]]:
    """The ids of all pages but the first, as the extension of Wikidata would write them; they go after the test."""
    with closing(sqlite3.connect(live_wiki.folder / "data" / "testwiki.sqlite", timeout=30)) as database:
        with database:
            database.execute(
                "INSERT INTO page_props (pp_page, pp_propname, pp_value) SELECT page_id, 'wikibase_item', "
                "'Q' || page_id FROM page WHERE page_namespace = 0 AND page_id > (SELECT min(page_id) FROM page)"
            )
        yield {page: _text(value) for page, value in database.execute(_ITEMS)}
        with database:
            database.execute("DELETE FROM page_props WHERE pp_propname = 'wikibase_item'")


def test_ids_from_the_api_and_from_the_table_are_the_same(
    live_wiki: LiveWiki,
    items: dict[int, str],
    local: Engine,
    tmp_path: Path,
    rows: Callable[[Path], list[dict[str, Any]]],
) -> None:
    source = CorpusSource(live_wiki.dump(tmp_path / "testwiki-20240101-pages-meta-history.xml"))
    rejects: Counter[str] = Counter()
    with Wiki(live_wiki.api_url, "test@example.org") as wiki:
        table = fetch_ids(wiki, source, rejects)
    assert +rejects == {}
    from_api = index([source], tmp_path / "from_api", local)
    table.unlink()
    write_page_props(tmp_path / "testwiki-20240101-page_props.sql.gz", items)
    from_table = index([source], tmp_path / "from_table", local)
    ids = [[(row["title"], row["entity"]) for row in rows(made.folder / "entities")] for made in (from_api, from_table)]
    assert ids[0] == ids[1]
    assert {entity for _, entity in ids[0]} <= set(items.values())
    assert len(ids[0]) > 15
    assert from_api.rejects["a page without an entity id"] == from_table.rejects["a page without an entity id"] == 1
    assert [set(made.identities["ru"]) for made in (from_api, from_table)] == [
        {"entities"},
        {"page_props"},
    ]


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
