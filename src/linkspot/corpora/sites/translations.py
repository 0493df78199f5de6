"""Translations: the languages that a site's paths name, by folders (`docs/fr/about.md`) or endings (`about.fr.md`)."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from itertools import accumulate
from pathlib import PurePosixPath

from linkspot.corpora.languages import is_language

_DEEPEST = 3  # folders above those of the languages
_MOST = 0.8  # of the pages in folders
_MANY = 0.5  # of the pages of a translation
_ENDED = re.compile(r"(?P<stem>.+)\.(?P<tag>[A-Za-z]{2}(?:[-_][A-Za-z]{2,4})?)")


def languages_by_ending(pages: Collection[str]) -> frozenset[str]:
    """Return the languages that end the names of pages that exist in another language too (so not node.js.md)."""
    stems = {str(PurePosixPath(path).with_suffix("")) for path in pages}
    tags: defaultdict[str, set[str]] = defaultdict(set)
    for stem in stems:
        ended = _ENDED.fullmatch(stem)
        if ended and is_language(ended["tag"]):
            tags[ended["stem"]].add(_tag(ended["tag"]))
    return frozenset().union(*(languages for stem, languages in tags.items() if len(languages) > 1 or stem in stems))


def languages_by_folder(pages: Collection[str], root: str, is_site: bool = False) -> frozenset[str]:
    """Return the languages that name folders in the root; each holds pages that others there hold, too.

    In a folder that is known to hold nothing but a site's pages, one language may be all there is.
    """
    inside = [path.removeprefix(root) for path in pages if path.startswith(root)]
    folders: defaultdict[str, set[str]] = defaultdict(set)
    for path in inside:
        first, slash, rest = path.partition("/")
        if slash and is_language(first):
            folders[first].add(rest)
    # Such folders are translations of each other only if there is little else: `cs` may stand for C#.
    is_all = sum(map(len, folders.values())) >= _MOST * sum("/" in path for path in inside)
    if is_all and is_site and len(folders) == 1:
        return frozenset(map(_tag, folders))
    twins = Counter(inside)
    for rests in folders.values() if is_all else ():
        twins.update(rests)
    return frozenset(
        _tag(name)
        for name, rests in folders.items()
        if sum(twins[rest] > is_all for rest in rests) >= _MANY * len(rests)
    )


def translated_folder(pages: Collection[str]) -> str:
    """Return the folder whose folders are named by languages and hold most pages, or nothing."""
    candidates = Counter(folder for path in pages for folder in _folders_of_languages(path))
    translated = (root for root, _ in candidates.most_common() if languages_by_folder(pages, root))
    return next(translated, "")


def _folders_of_languages(path: str) -> Iterator[str]:
    names = path.split("/")[:-1]
    for folder, name in zip(accumulate(names, "{}{}/".format, initial=""), names[: _DEEPEST + 1], strict=False):
        if is_language(name):
            yield folder


def _tag(name: str) -> str:
    return name.replace("_", "-").lower()
