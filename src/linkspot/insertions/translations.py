"""Translations: links to a page in another language, replaced by links to the same page in the reader's language."""

from linkspot.insertions.edit import Edit
from linkspot.links.addresses import tail_of


def was_linked_in_another_language(edit: Edit, key: str) -> bool:
    """Return whether the page lost a link, anywhere in it, to the same page in another language.

    This works for wikis whose titles begin with the language (`en/Manual/Signals`). The other page has the same last
    name. If that is translated, too, the page lost links to as many foreign pages of these folders as it gained first
    links to pages in the same folders of the reader's language.
    """
    language, _, rest = key.partition("/")
    if not rest or edit.after.naming.layout is not None or language != edit.after.own_key.partition("/")[0]:
        return False
    foreign = [lost for lost in edit.lost if "/" in lost and lost.partition("/")[0] != language]
    if any(tail_of(lost) == tail_of(rest) for lost in foreign):
        return True
    folders = _folders(key)
    gained = [new for new in edit.after.linked - edit.before.linked if new.partition("/")[0] == language]
    return bool(folders) and sum(_folders(lost) == folders for lost in foreign) == sum(
        _folders(new) == folders for new in gained
    )


def _folders(key: str) -> str:
    """Return the part of a path between its first and its last name."""
    return key.partition("/")[2].rpartition("/")[0]
