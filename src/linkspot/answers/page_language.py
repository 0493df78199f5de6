"""The language and the direction of a page's text, for the English text around it."""

import re
import unicodedata
from dataclasses import dataclass
from html import escape
from itertools import islice

from linkspot.records import Article
from linkspot.text.display import html_text

_TAG = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*", re.IGNORECASE)
_QUOTATION = re.compile("“([^“”]*)”")
_RIGHT_TO_LEFT = frozenset({"R", "AL"})  # Unicode's classes of letters
_ENOUGH = 2000  # letters that show a page's direction


@dataclass(frozen=True, slots=True)
class PageLanguage:
    """What HTML says about a page's text: its language, empty if browsers do not know its code, and its direction."""

    tag: str
    direction: str

    @classmethod
    def of(cls, article: Article) -> "PageLanguage":
        """Return the language of an article, and the direction that most of its letters have."""
        letters = (sign for _, sentence in article.sentences for sign in sentence.text if sign.isalpha())
        classes = [unicodedata.bidirectional(letter) for letter in islice(letters, _ENOUGH)]
        is_right_to_left = 2 * sum(one in _RIGHT_TO_LEFT for one in classes) > len(classes)
        tag = article.language.replace("_", "-")
        return cls(tag if _TAG.fullmatch(tag) else "", "rtl" if is_right_to_left else "ltr")

    @property
    def attributes(self) -> str:
        """The attributes of an element that holds text of the page."""
        return f'{self._lang} dir="{self.direction}"'

    def isolate(self, text: str) -> str:
        """Return text of the page as HTML whose direction does not change what stands around it."""
        return f"<bdi{self._lang}>{html_text(text)}</bdi>"

    def isolate_quotations(self, text: str) -> str:
        """Return an English sentence as HTML, with every quotation in it isolated."""
        return _QUOTATION.sub(rf"“<bdi{self._lang}>\1</bdi>”", html_text(text))

    @property
    def _lang(self) -> str:
        return f' lang="{escape(self.tag)}"' if self.tag else ""
