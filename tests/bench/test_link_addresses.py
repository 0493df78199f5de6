"""A link that is taken out of a real page is written again as it stood there."""

from collections import Counter
from pathlib import Path

import pytest
from bench.link_addresses import (
    SampledSite,
    by_file,
    by_id,
    by_title,
    cases_of,
    indexed,
    outcomes_of,
    sample,
    wiki_cases,
)

pytestmark = pytest.mark.shared_data

ENOUGH = 0.95  # of samples of some twenty links; `python -m bench link_addresses` measures whole wikis
PATHS = "{lang}/{slug}.md"
SITES = {
    "wikipedia/wikipedia-for-schools-2007-en.tar.xz": ({"wp/1": 1.0, "wp/a": 0.1}, "", "en"),
    "mdn/mdn.bundle": ({"files/fr/glossary": 0.5}, "", ""),
    "wikis/cpprefjp.bundle": ({"ja/reference/mdspan": 1.0}, PATHS, ""),
}


def _share_of_equal(outcomes: Counter[str]) -> float:
    assert outcomes.total() >= 15
    return 1 - outcomes["different"] / outcomes.total()


@pytest.mark.parametrize("archive", SITES)
def test_a_link_of_a_site_is_written_as_it_stood_there(archive: str, shared_data: Path, tmp_path: Path) -> None:
    site = SampledSite(archive, shared_data / archive, *SITES[archive])
    with sample(site) as folder:
        cases = cases_of(site, folder, 20)
        assert _share_of_equal(outcomes_of(cases, by_file)) >= ENOUGH
        opened = indexed(site, folder, tmp_path / "index")
        assert _share_of_equal(outcomes_of(cases, by_id, opened)) >= ENOUGH


@pytest.mark.parametrize("dump", ["openttd/openttd-ca-pages-meta-history.xml.xz"])
def test_a_link_of_a_wiki_is_written_as_it_stood_there(dump: str, shared_data: Path) -> None:
    assert _share_of_equal(outcomes_of(wiki_cases(shared_data / dump, 20), by_title)) >= ENOUGH
