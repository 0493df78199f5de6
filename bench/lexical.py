"""Rankers without training, on existing links of real wikis: is the sentence that holds the link ranked first?"""

import random
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from bench.wikis import SCHOOLS, wikipedia
from linkspot.links.titles import Title, TitleRules
from linkspot.parsing import parse
from linkspot.ranking.ranker import RANKERS, Ranker, open_ranker
from linkspot.records import Article, Entity, LinkKind, Markup, Page
from linkspot.text import bm25

WIKIPEDIAS = ("uk", "bn", "vi", "ja")
PAGES = 250  # of each wiki
QUERIES = 200
BUDOUX = "bm25 with the phrases of BudouX"


class LinkQuery(NamedTuple):
    """A page, a target that it links to, and the sentences that link it."""

    article: Article
    entity: Entity
    gold: set[int]


def measure() -> str:
    """Return a table of Hits@1 and MRR by wiki and ranker; ties count against the ranker."""
    wikis = {"en": _schools()} | {language: wikipedia(language, PAGES) for language in WIKIPEDIAS}
    queries = {language: _queries(pages, language) for language, pages in wikis.items()}
    head = f"| ranker | {' | '.join(f'{language} ({len(own)})' for language, own in queries.items())} |"
    rows = [head, f"| --- |{' ---: |' * len(queries)}"]
    for name in (name for name, entry in RANKERS.items() if not entry.takes):
        rows.append(f"| {name} | {' | '.join(_figures(open_ranker(name), own) for own in queries.values())} |")
    rows.append(f"| {BUDOUX} | {' | '.join(_budoux(language, own) for language, own in queries.items())} |")
    return "\n".join(
        [
            "Hits@1 / MRR on existing links that are removed for the test; their words stay, which favours",
            "string-match. The rankers know the target's title and first paragraph. In brackets the number of queries.",
            "",
            *rows,
        ]
    )


def _schools() -> Iterator[Page]:
    with tarfile.open(SCHOOLS) as tar:
        members = [member for member in tar if member.name.endswith(".htm")]
        for member in members[:: len(members) // (4 * PAGES)]:  # more pages, so that enough of them link one another
            stream = tar.extractfile(member)
            if stream is not None:
                title = Path(member.name).stem.replace("_", " ")
                yield Page(title, stream.read().decode("utf-8", "replace"), Markup.HTML, "en")


def _queries(pages: Iterator[Page], language: str) -> list[LinkQuery]:
    rules = TitleRules(language)
    articles = {rules.normalise(page.title): parse(page) for page in pages if not page.redirect}
    queries = [
        LinkQuery(_unlinked(article, title, rules), Entity(target.title, target.lead), gold)
        for own, article in articles.items()
        for title, gold in _links(article, rules).items()
        if title != own and (target := articles.get(title)) is not None and target.lead
    ]
    return random.Random(0).sample(queries, min(QUERIES, len(queries)))


def _links(article: Article, rules: TitleRules) -> dict[Title, set[int]]:
    linked: dict[Title, set[int]] = {}
    for number, (index, sentence) in enumerate(article.sentences):
        for link in article.sections[index].links_in(sentence.start, sentence.end):
            if link.kind is LinkKind.PAGE:
                linked.setdefault(rules.normalise(link.target).page, set()).add(number)
    return linked


def _unlinked(article: Article, title: Title, rules: TitleRules) -> Article:
    """Return the article without its links to the title."""
    sections = (
        replace(section, links=tuple(link for link in section.links if rules.normalise(link.target).page != title))
        for section in article.sections
    )
    return replace(article, sections=tuple(sections))


def _figures(ranker: Ranker, queries: list[LinkQuery]) -> str:
    ranks = []
    for query in queries:
        scores = ranker.score(query.entity, query.article).places
        best = max(scores[number] for number in query.gold)
        rivals = (score for number, score in enumerate(scores) if number not in query.gold)
        ranks.append(1 + sum(score >= best for score in rivals))
    hits = sum(rank == 1 for rank in ranks) / len(ranks)
    return f"{hits:.3f} / {sum(1 / rank for rank in ranks) / len(ranks):.3f}"


def _budoux(language: str, queries: list[LinkQuery]) -> str:
    """Return the figures of BM25 with words from BudouX instead of pairs of letters; only for Japanese."""
    if language != "ja":
        return ""
    import budoux

    parser = budoux.load_default_japanese_parser()
    with patch.object(bm25, "words", lambda text, _language: parser.parse(text)):
        return _figures(open_ranker("bm25"), queries)
