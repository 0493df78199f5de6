"""Writes src/linkspot/parsing/namespaces.json, the localised namespace names of MediaWiki, from mwconstants.

    pip install mwconstants==0.1.0 && python bench/make_namespaces.py

The table has one line for each language: canonical name -> prefixes, in the form in which they are compared. Prefixes
that English has are not repeated. A language without its own names is listed, too: its code is an interwiki prefix.
"""

import json
from collections import defaultdict
from pathlib import Path

from mwconstants.constants.c_namespaces import DEFAULT_NAMESPACES, NAMESPACE_ALIASES

from linkspot.parsing.namespaces import prefix_key

TABLE = Path(__file__).parent.parent / "src" / "linkspot" / "parsing" / "namespaces.json"

# Wikipedias that were closed, or opened after mwconstants was made: their codes are interwiki prefixes, too.
MORE_WIKIPEDIAS = """
    aa ann anp bbc bdr bew bol btm cho dga dtp fat fon gpe guc gur ho hz iba igl ii kge kj knc kr kus lrc mh mo mos mus
    ng nr nup rki rsk syl tdd tig tly zgh
""".split()


def english_prefixes() -> dict[str, str]:
    """Return prefix -> canonical name for the names that are valid in every language."""
    return {prefix_key(prefix): name for name, aliases in DEFAULT_NAMESPACES.items() for prefix in (name, *aliases)}


def local_prefixes(language: str, english: dict[str, str]) -> dict[str, str]:
    """Return prefix -> canonical name for the names of one language that English does not have.

    If mwconstants has no canonical name for a namespace, its English alias is used, or else its own name.
    """
    prefixes: dict[str, str] = {}
    for name, entry in NAMESPACE_ALIASES[language].items():
        keys = {prefix_key(prefix) for prefix in (name, *entry.get("aliases", ()))}
        in_english = {english[key] for key in keys & english.keys()} or {entry.get("canonical", name)}
        if len(in_english) > 1:
            raise ValueError(f"{language}: {name!r} is one namespace, in English it is {sorted(in_english)}")
        prefixes |= dict.fromkeys(keys - english.keys(), in_english.pop())
    return prefixes


def by_name(prefixes: dict[str, str]) -> dict[str, list[str]]:
    """Return canonical name -> sorted prefixes."""
    names = defaultdict(list)
    for prefix, name in sorted(prefixes.items()):
        names[name].append(prefix)
    return dict(sorted(names.items()))


def main() -> None:
    """Write the table, with one line for each language."""
    english = english_prefixes()
    table = {"en": by_name(english)}
    for language in sorted({*NAMESPACE_ALIASES, *MORE_WIKIPEDIAS} - {"en"}):
        table[language] = by_name(local_prefixes(language, english)) if language in NAMESPACE_ALIASES else {}
    lines = [
        f"{json.dumps(language)}:{json.dumps(names, ensure_ascii=False, separators=(',', ':'))}"
        for language, names in sorted(table.items())
    ]
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(table)} languages, {TABLE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
