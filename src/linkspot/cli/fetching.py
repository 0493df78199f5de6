"""The command that copies a live wiki, chosen revisions of it, or the ids of its articles: fetch."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkspot.cli.output import say
from linkspot.cli.running import resumable
from linkspot.cli.values import file_to_write
from linkspot.errors import UnusableInput
from linkspot.extras import Extra, require

if TYPE_CHECKING:
    from linkspot.corpora.wiki.api import Wiki


def fetch(
    api: Annotated[
        str,
        typer.Argument(
            metavar="API", help="The wiki's API, for example https://sw.wikipedia.org/w/api.php", show_default=False
        ),
    ],
    contact: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Your e-mail or web address. Wikis ask for it from programs that read a lot.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            callback=file_to_write,
            help="The dump to write or to continue: .ndjson, .ndjson.gz or .json.tar.gz.",
            show_default=False,
        ),
    ] = None,
    ids: Annotated[
        Path | None,
        typer.Option(
            metavar="DUMP",
            help="A dump of this wiki that you have: fetch only the Wikidata ids of its articles, into a table beside "
            "it that index and insertions read.",
            show_default=False,
        ),
    ] = None,
    revisions: Annotated[
        Path | None,
        typer.Option(
            metavar="ADDED",
            help="A folder that insertions made from a dump of this wiki: fetch into --out only the HTML of the pages "
            "before and after each insertion, and the targets, as a history that insertions reads.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Copy the articles of a live wiki into a dump, in the format of Wikimedia Enterprise.

    Example: linkspot fetch https://sw.wikipedia.org/w/api.php --contact ann@example.org --out swwiki.ndjson.gz
    """
    require(Extra.DATA, "linkspot fetch")
    from linkspot.corpora.wiki.api import Wiki

    if (out is None) == (ids is None) and revisions is None:
        raise UnusableInput("fetch takes either --out FILE, for a dump, or --ids DUMP, for the ids of its articles")
    if revisions is not None and (out is None or ids is not None):
        raise UnusableInput("--revisions names what to fetch, not where to write it; add --out FILE, without --ids")
    wiki = Wiki(api, contact)
    rejects: Counter[str] = Counter()
    with wiki, resumable():
        if ids is not None:
            say(_fetch_ids(wiki, ids, rejects))
        if out is not None and revisions is not None:
            say(_fetch_revisions(wiki, revisions, out, rejects))
        elif out is not None:
            say(_fetch_articles(wiki, out, rejects))
    for reason, number in (+rejects).most_common():
        say(f"{number:>9,}  {reason}")


def _fetch_ids(wiki: "Wiki", dump: Path, rejects: Counter[str]) -> str:
    from linkspot.cli.progress import TerminalProgress
    from linkspot.corpora.corpus import CorpusSource
    from linkspot.corpora.entity_table import EntityTable
    from linkspot.corpora.wiki.item_ids import fetch_ids

    with TerminalProgress() as progress:
        path = fetch_ids(wiki, CorpusSource(dump), rejects, progress.stage("ids").update)
    return f"{path} holds the ids of {sum(1 for _ in EntityTable(path).rows()):,} articles"


def _fetch_revisions(wiki: "Wiki", folder: Path, out: Path, rejects: Counter[str]) -> str:
    from linkspot.cli.progress import TerminalProgress
    from linkspot.corpora.wiki.revision_dump import fetch_revisions
    from linkspot.corpora.wiki_languages import language_of_wiki
    from linkspot.pipeline.inserted_revisions import inserted_revisions
    from linkspot.tables.folder import TableFolder

    TableFolder.open(folder, "insertions")  # before the wiki is asked
    language = language_of_wiki(wiki.site["wikiid"], wiki.site["lang"])
    wanted = inserted_revisions(folder, language)
    rejects["an insertion in another language, left out"] += wanted.left_out
    done = 0
    with TerminalProgress() as progress:
        stage = progress.stage("pages")

        def on_page() -> None:
            nonlocal done
            done += 1
            stage.update(min(1.0, done / len(wanted.pages)), done)

        count = fetch_revisions(wiki, wanted.pages, wanted.borders, out, rejects, on_page)
    return f"{out} holds {count:,} versions of pages"


def _fetch_articles(wiki: "Wiki", out: Path, rejects: Counter[str]) -> str:
    from linkspot.cli.progress import TerminalProgress
    from linkspot.corpora.wiki.dump import fetch as copy

    expected = int(wiki.site.get("statistics", {}).get("articles", 0))  # the wiki's own estimate
    done = 0
    with TerminalProgress() as progress:
        stage = progress.stage("articles")

        def on_article(_title: str) -> None:
            nonlocal done
            done += 1
            stage.update(min(1.0, done / expected) if expected else 0.0, done)

        count = copy(wiki, out, rejects, on_article)
    return f"{out} holds {count:,} articles"
