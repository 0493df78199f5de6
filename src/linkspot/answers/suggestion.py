"""From a page and a target to an answer: the places where the link belongs, best first."""

import os
from collections.abc import Sequence

from linkspot.answers.answer import Answer
from linkspot.answers.source_page import PageInput, SourcePage
from linkspot.answers.suggester import Suggester
from linkspot.answers.target import TargetInput, Targets, target_or_path
from linkspot.errors import WrongType
from linkspot.links.index import IndexInput
from linkspot.ranking.ranker import DEFAULT_RANKER, Ranker
from linkspot.records import Page


def suggest(
    page: PageInput,
    target: TargetInput,
    ranker: str | Ranker = DEFAULT_RANKER,
    top: int | None = None,
    *,
    markup: str = "",
    language: str = "",
    index: IndexInput | None = None,
    anyway: bool = False,
    translations: Sequence[PageInput] = (),
    exclude_sections: Sequence[str] = (),
) -> Answer:
    """Rank the places in a page where a link to a target belongs; no places means nowhere, or that the link is there.

    ```python
    answer = linkspot.suggest("dog.html", "wolf.html")
    answer = linkspot.suggest("dog.html", "Gray wolf")
    answer = linkspot.suggest("Dogs eat '''meat'''.", "Meat", markup="wikitext", language="en")
    ```

    A string of one line is a path if it ends like a page's file (`.html`, `.wiki`, `.md` …). Any other string is the
    page's markup, or the target's title. A page's string is a path also if a file has that name; for a target that is
    an error, as it might be a title. To leave no doubt, pass a `pathlib.Path`, a `Page` or an `Entity`.

    Args:
        page: The page that gets the link: a path, a `Page`, or a string of markup.
        target: What the link leads to: an `Entity`, a `Page`, a path, or a title.
        ranker: How to score places: a name that `linkspot rankers` lists, a model's folder, or a ranker.
        top: How many places to return at most. Without it, there are at most five, and none that is hardly better than
            nothing: less likely than 2 %, or than a twentieth of the best.
        markup: The page's markup (`html`, `wikitext`, `markdown`), if its file's name does not show it. A string of
            markup needs it.
        language: The page's language (`en`, `sw`, `zh-tw`), if the page does not say it. Without it, the path may tell
            it (`docs/sw/dog.md`), or else the text; the answer says so.
        index: What `open_index` opens, or its folder: the target's lead and mentions come from there, and where other
            languages' versions of the page link the target.
        anyway: Whether to return the best places even if the answer is *nowhere*, or the page has the link already.
        translations: The same page in other languages: where they link the target is a hint for where it belongs.
        exclude_sections: Titles of sections that get no link, besides references, notes, further reading and external
            links, which never do.
    """
    suggester = Suggester.of(ranker, top, anyway=anyway, exclude_sections=exclude_sections)
    if isinstance(translations, str | os.PathLike | Page):
        raise WrongType(f"translations is a list of pages, not {type(translations).__name__}")
    named = target_or_path(target)  # a wrong target is refused before anything is read
    source = SourcePage.of(page, markup, language)
    found = Targets(index).target(named, source)
    return suggester.answer(source, found, [SourcePage.of(other).article for other in translations])
