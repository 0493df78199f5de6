"""Writes src/linkspot/text/apparatus_messages.txt: what MediaWiki's interface calls references, links and categories.

    apt-get download mediawiki && dpkg-deb -x mediawiki_*.deb FOLDER && python bench/make_apparatus.py FOLDER …

The words are those of translatewiki.net's translators, in the message files of Debian's packages 1:1.39.17 and 1.43.9
of MediaWiki (GPL-2.0-or-later; modules/ve-cite: MIT). They cover more languages than the headings in apparatus.txt,
which come first: a title of that table is not repeated, and what heads prose there does so here. The script also says
in how many languages of both tables a message for references is one of the headings: 97 of 125.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from linkspot.text import apparatus
from linkspot.text.words import primary

TABLE = Path(apparatus.__file__).parent / "apparatus_messages.txt"
CITE, VISUAL, EDITOR, CORE = ("Cite/i18n", "Cite/modules/ve-cite/i18n", "WikiEditor/i18n", "languages/i18n")
REFERENCES = (
    (VISUAL, "visualeditor-internal-list-diff-default-group-name-mwreference"),
    (EDITOR, "wikieditor-toolbar-help-page-reference"),
    (CITE, "cite-wikieditor-help-page-references"),
    (VISUAL, "cite-ve-dialog-referenceslist-title"),
    (VISUAL, "cite-ve-dialogbutton-referenceslist-tooltip"),
)
LINKS = (
    (EDITOR, "wikieditor-toolbar-help-content-xlink-description"),
    (EDITOR, "wikieditor-toolbar-tool-link-int-target-status-external"),
    (EDITOR, "wikieditor-toolbar-tool-link-lookslikeinternal-ext"),
)
CATEGORIES = ((CORE, "categories"),)  # also a heading of prose, on the page of a prize, say
# Elsewhere, what follows the first part of a code is a script or a country.
OWN_CODES = {"be-tarask", "cbk-zam", "map-bms", "nds-nl", "roa-tara"}
NO_TITLE = frozenset("{$/[<")  # in messages that are more than a title
HEADER = (
    "# MediaWiki's words for what may head such sections: references, external links and, behind ~, categories.\n"
    "# Written by bench/make_apparatus.py, which names the source. Titles that apparatus.txt has are left out.\n"
)
Message = tuple[str, str]


def words(roots: list[Path], messages: tuple[Message, ...]) -> Iterator[tuple[str, str]]:
    """Yield a language's code and what it calls this, from every package."""
    for root in roots:
        for folder, name in messages:
            for base in ("", "extensions-core"):
                for path in sorted((root / "usr/share/mediawiki" / base / folder).glob("*.json")):
                    title = json.loads(path.read_text(encoding="utf-8")).get(name, "")
                    if title and NO_TITLE.isdisjoint(title) and primary(path.stem) not in ("en", "qqq"):
                        yield code_of(path.stem), " ".join(title.split()).replace("\u200e", "")


def code_of(language: str) -> str:
    """Return the code under which the tables have a language of MediaWiki."""
    code = language if language in OWN_CODES else primary(language)
    return apparatus.ALIASES.get(code, code)


def main(roots: list[Path]) -> None:
    """Write the table, and print how many languages it has and how well it agrees with the headings."""
    headings, english = apparatus.headings(), apparatus.headings()["en"]
    rows: defaultdict[str, dict[str, str]] = defaultdict(dict)  # code -> title as compared -> title as written
    agreeing, compared = set(), set()
    for mark, messages in (("", REFERENCES), ("", LINKS), ("~", CATEGORIES)):
        for code, title in words(roots, messages):
            own, plain = headings.get(code, apparatus.ApparatusTitles()), apparatus.plain_title(title)
            if messages is REFERENCES and code in headings:
                compared.add(code)
                agreeing |= {code} if plain in own.sure | own.ambiguous else set()
            if plain not in own.sure | own.ambiguous | english.sure:
                rows[code].setdefault(plain, mark + title)
    lines = (f"{code}: {' | '.join(titles.values())}\n" for code, titles in sorted(rows.items()))
    TABLE.write_text(HEADER + "".join(lines), encoding="utf-8")
    print(f"{len(rows)} languages; references agree in {len(agreeing)} of {len(compared)}")


if __name__ == "__main__":
    main([Path(folder) for folder in sys.argv[1:]])
