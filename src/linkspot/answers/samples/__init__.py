"""The sample pages that come with linkspot: three languages, three markups, one script without spaces."""

from dataclasses import dataclass
from importlib import resources

from linkspot.corpora.page_file import decode
from linkspot.parsing.markup import markup_of
from linkspot.records import Page

# Pages whose files have another name: where the locale is C, Python cannot open a file whose name is not ASCII.
_FILES = {"緑茶.md": "Ryokucha.md", "玉露.md": "Gyokuro.md"}


@dataclass(frozen=True, slots=True)
class Sample:
    """A page that lacks a link, and the page that the link should lead to."""

    page_file: str
    target_file: str
    language: str

    def page(self) -> Page:
        """Return the page that lacks the link."""
        return self._read(self.page_file)

    def target(self) -> Page:
        """Return the page to link to."""
        return self._read(self.target_file)

    def _read(self, name: str) -> Page:
        file = _FILES.get(name, name)
        data = resources.files("linkspot.answers.samples").joinpath(file).read_bytes()
        markup = markup_of(name)
        return Page("", decode(data, name, markup), markup, self.language, name.rpartition(".")[0])


SAMPLES: tuple[Sample, ...] = (
    Sample("Dhow.html", "Monsoon.html", "en"),
    Sample("Mji_Mkongwe.wiki", "Karafuu.wiki", "sw"),
    Sample("緑茶.md", "玉露.md", "ja"),
)
