"""The command that copies a live wiki: fetch."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from linkspot.cli.output import say
from linkspot.cli.running import resumable
from linkspot.extras import Extra, require


def fetch(
    api: Annotated[
        str,
        typer.Argument(metavar="API", help="The wiki's API: https://sw.wikipedia.org/w/api.php", show_default=False),
    ],
    out: Annotated[
        Path,
        typer.Option(
            help="The dump to write or to go on with: .ndjson, .ndjson.gz or .json.tar.gz.", show_default=False
        ),
    ],
    contact: Annotated[
        str, typer.Option(help="Your mail or web address, which wikis ask of those who read much.", show_default=False)
    ],
) -> None:
    """Copy the articles of a live wiki into a dump in the shape of Wikimedia Enterprise's.

    Example: linkspot fetch https://sw.wikipedia.org/w/api.php --contact ann@example.org --out swwiki.ndjson.gz
    """
    require(Extra.DATA, "linkspot fetch")
    from linkspot.cli.progress import TerminalProgress
    from linkspot.corpora.wiki.api import Wiki
    from linkspot.corpora.wiki.dump import fetch as copy

    wiki = Wiki(api, contact)
    expected = int(wiki.site.get("statistics", {}).get("articles", 0))  # the wiki's own estimate
    rejects: Counter[str] = Counter()
    done = 0
    with resumable(), TerminalProgress() as progress:
        stage = progress.stage("articles")

        def on_article(_title: str) -> None:
            nonlocal done
            done += 1
            stage.update(min(1.0, done / expected) if expected else 0.0, done)

        count = copy(wiki, out, rejects, on_article)
    say(f"{out} holds {count:,} articles")
    for reason, number in rejects.most_common():
        say(f"{number:>9,}  {reason}")
