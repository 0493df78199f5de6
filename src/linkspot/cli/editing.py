"""What `linkspot suggest` does to a page: `--write` makes the edit in its file, `--diff` prints it."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.cli.answer_options import STANDARD_INPUT, Format
from linkspot.cli.output import say, say_bytes
from linkspot.corpora.wiki.page_address import is_address
from linkspot.errors import UnusableInput
from linkspot.text.display import displayed

if TYPE_CHECKING:
    from linkspot.answers.answer import Answer
    from linkspot.answers.page_edit import PageEdit


@dataclass(frozen=True, slots=True)
class EditWish:
    """What the options ask for: `--write` or `--diff`, at which place, with which text."""

    is_write: bool
    is_diff: bool
    place: int
    text: str

    def __post_init__(self) -> None:
        if self.is_write and self.is_diff:
            raise UnusableInput("--write makes the edit and --diff only prints it; choose one of them")
        if not self and (self.text or self.place > 1):
            raise UnusableInput("--place and --text are for an edit; add --write or --diff")

    def __bool__(self) -> bool:
        return self.is_write or self.is_diff

    @property
    def option(self) -> str:
        """The option that asks for an edit."""
        return "--write" if self.is_write else "--diff"

    def check(self, page: str, answer_format: Format) -> None:
        """Refuse what cannot be edited before any work is done."""
        if self and answer_format is not Format.TEXT:
            raise UnusableInput(f"{self.option} prints no answer; leave out --format")
        if self.is_write and page == STANDARD_INPUT:
            raise UnusableInput("--write needs a file to write to, and standard input is none; use --diff, or a file")
        if self.is_write and is_address(page):
            raise UnusableInput(
                "--write cannot save a page of a wiki; use --diff, or copy the link into the wiki's own editor"
            )

    def places_needed(self, top: int | None) -> int | None:
        """Return how many places the answer needs, so that it has the one that is named."""
        return self.place if self and self.place > 1 and top is None else top


def make_edit(answer: "Answer", wish: EditWish, page_file: Path | None) -> None:
    """Make or print the edit; if the answer has no place, say why and leave the page as it is."""
    from linkspot.answers.page_edit import page_edit

    if not answer.places:
        _say_why_not(answer, wish)
        return
    edit = page_edit(answer, wish.place, wish.text)
    if wish.is_diff or page_file is None:
        say_bytes(_diff(answer, edit, page_file))
        return
    from linkspot.corpora.page_file import edited_bytes, page_bytes
    from linkspot.files import overwrite

    data = page_bytes(page_file)
    overwrite(page_file, edited_bytes(data, str(page_file), answer.page.markup, edit.before, edit.after))
    say(displayed(f"wrote {page_file}: {edit.link_markup} in line {edit.position.line}"))


def _say_why_not(answer: "Answer", wish: EditWish) -> None:
    why = displayed(" ".join(("nothing to edit.", *answer.notes)))
    if wish.is_write:
        say(why)
    elif sys.stderr is not None:  # a program reads the diff, and people read this
        sys.stderr.write(f"linkspot: {why}\n")


def _diff(answer: "Answer", edit: "PageEdit", page_file: Path | None) -> bytes:
    """Return the diff of the bytes in the page's file, or of UTF-8 if it has no file."""
    from linkspot.answers.page_edit import file_name
    from linkspot.answers.unified_diff import unified_diff
    from linkspot.corpora.page_file import edited_bytes, page_bytes

    if page_file is None:
        return edit.diff(file_name(answer.page)).encode("utf-8", "surrogateescape")
    before = page_bytes(page_file)
    after = edited_bytes(before, str(page_file), answer.page.markup, edit.before, edit.after)
    if b"\0" in before:
        raise UnusableInput(f"{page_file} is written in UTF-16, and diffs are for other encodings; use --write")
    path = os.fsencode(_path_from_here(page_file))
    # Latin-1 has a character for each byte, so that a diff of characters is one of bytes.
    return unified_diff(*(data.decode("latin-1") for data in (before, after, path))).encode("latin-1")


def _path_from_here(page_file: Path) -> str:
    """Return the path from the current folder, or the name of a file outside of it: git and patch take no other."""
    path = Path(os.path.relpath(page_file))
    return path.name if ".." in path.parts or path.is_absolute() else path.as_posix()
