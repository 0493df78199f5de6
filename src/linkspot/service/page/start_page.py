"""The page as it comes from the server: the form, the samples and the menus, in the language of the person."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from string import Template

from linkspot.answers.samples import SAMPLES
from linkspot.parsing.markup import markup_names
from linkspot.service.page.messages import Messages, languages
from linkspot.text.display import html_text

STATIC = "linkspot.service.page.static"


@dataclass(frozen=True, slots=True)
class StartPage:
    """What the page shows before the first question; `asked` is what its address asks already."""

    messages: Messages
    wikis: tuple[str, ...]
    has_samples: bool
    token: str
    asked: Mapping[str, str]

    def html(self) -> str:
        """Return the HTML; everything in it is escaped text of ours or of the address."""
        say = self.messages
        texts = {f"m_{key.replace('-', '_')}": html_text(text) for key, text in say.texts.items()}
        return Template(_file("page.html")).substitute(
            texts,
            language=say.language,
            direction=say.direction,
            token=self.token,
            data=_in_script({"messages": dict(say.texts), "language": say.language}),
            languages=_options(languages().items(), say.language, has_languages=True),
            wikis=_options(((wiki, wiki) for wiki in self.wikis), self.asked.get("wiki", "")),
            wiki_hidden="" if self.wikis else "hidden",
            paste_open="" if self.wikis else "open",
            markups=_options(((name, name) for name in markup_names()), "wikitext"),
            samples=self._samples(),
            samples_hidden="" if self.has_samples else "hidden",
            **{f"asked_{name}": html_text(self.asked.get(name, "")) for name in ("page", "target")},
        )

    def _samples(self) -> str:
        buttons = []
        for number, sample in enumerate(SAMPLES if self.has_samples else ()):
            names = (_title(sample.page_file), _title(sample.target_file))
            words = html_text(self.messages("sample", *names))
            buttons.append(f'<li><button type=button class=sample value="{number}">{words}</button></li>')
        return "".join(buttons)


def _title(file: str) -> str:
    return file.rpartition(".")[0].replace("_", " ")


def _options(pairs: Iterable[tuple[str, str]], chosen: str, *, has_languages: bool = False) -> str:
    return "".join(
        f'<option value="{html_text(value)}"{f" lang={value}" * has_languages}{" selected" * (value == chosen)}>'
        f"{html_text(text)}</option>"
        for value, text in pairs
    )


def _in_script(data: object) -> str:
    """Return JSON that can stand in a script element: nothing in it ends the element."""
    return json.dumps(data, ensure_ascii=True).replace("<", "\\u003c")


def _file(name: str) -> str:
    return resources.files(STATIC).joinpath(name).read_text(encoding="utf-8")
