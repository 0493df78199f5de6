"""Translations: links to a page in another language that gave way to links to the same page in the reader's."""

from linkspot.insertions.edit import Edit
from linkspot.links.addresses import tail_of


def was_linked_in_another_language(edit: Edit, key: str) -> bool:
    """Tell whether the page lost a link, wherever it stood, to what is the same page under another language.

    This holds for wikis whose titles begin with the language (`en/Manual/Signals`). The other page has the same last
    name; or, if that is translated too, as many pages in its folders lost links as pages in the same folders of the
    reader's language got their first.
    """
    language, _, rest = key.partition("/")
    if not rest or edit.after.naming.layout is not None or language != edit.after.own_key.partition("/")[0]:
        return False
    foreign = [lost for lost in edit.lost if "/" in lost and lost.partition("/")[0] != language]
    if any(tail_of(lost) == tail_of(rest) for lost in foreign):
        return True
    folders = _folders(key)
    own = [new for new in edit.after.linked - edit.before.linked if new.partition("/")[0] == language]
    return bool(folders) and sum(_folders(lost) == folders for lost in foreign) == sum(
        _folders(new) == folders for new in own
    )


def _folders(key: str) -> str:
    """Return what stands between the first name and the last."""
    return key.partition("/")[2].rpartition("/")[0]
