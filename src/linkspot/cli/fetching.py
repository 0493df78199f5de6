"""The command that copies a live wiki: fetch."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from linkspot.cli.output import say
from linkspot.cli.running import resumable
from linkspot.cli.values import file_to_write
from linkspot.extras import Extra, require


def fetch(
    api: Annotated[
        str,
        typer.Argument(
            metavar="API", help="The wiki's API, for example https://sw.wikipedia.org/w/api.php", show_default=False
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            callback=file_to_write,
            help="The dump to write or to continue: .ndjson, .ndjson.gz or .json.tar.gz.",
            show_default=False,
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
) -> None:
    """Copy the articles of a live wiki into a dump, in the format of Wikimedia Enterprise.

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
