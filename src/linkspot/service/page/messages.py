"""Messages in the languages of people, from files in the form of banana-i18n; PLURAL and GENDER are understood."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

FALLBACK = "en"
RIGHT_TO_LEFT = frozenset({"ar"})
_FOLDER = "linkspot.service.page.i18n"
_METADATA = "@metadata"
_DOCUMENTATION = "qqq"
_ARGUMENT = re.compile(r"\$(\d)")
_CHOICE = re.compile(r"\{\{(PLURAL|GENDER):\s*([^|{}]*)\|([^{}]*)\}\}", re.IGNORECASE)
_GENDERS = ("male", "female")  # any other is the third form, or else the first
_ACCEPTED = re.compile(r"\s*([A-Za-z*][A-Za-z0-9-]*)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?")
_CHINESE = "zh-hans"


@dataclass(frozen=True, slots=True)
class Messages:
    """The messages of one language; those that its file lacks are in English."""

    language: str
    texts: Mapping[str, str] = field(repr=False)

    @property
    def direction(self) -> str:
        """The direction of the language, as HTML says it."""
        return "rtl" if self.language in RIGHT_TO_LEFT else "ltr"

    def __call__(self, key: str, *arguments: object) -> str:
        """Return a message with its arguments put in; they are text, and no message inside of them is read."""
        words = list(map(str, arguments))
        chosen = _CHOICE.sub(lambda choice: _chosen(choice, words, self.language), self.texts[key])
        return _ARGUMENT.sub(lambda sign: _argument(sign[1], words), chosen)


@cache
def languages() -> dict[str, str]:
    """Return the names of all languages in themselves by their codes."""
    files = (file for file in resources.files(_FOLDER).iterdir() if file.name.endswith(".json"))
    codes = sorted(file.name.removesuffix(".json") for file in files)
    return {code: _read(code)["language-name"] for code in codes if code != _DOCUMENTATION}


@cache
def messages_in(language: str) -> Messages:
    """Return the messages of a language that there is a file for; of any other, those of English."""
    code = language if language in languages() else FALLBACK
    return Messages(code, _read(FALLBACK) | _read(code))


def preferred(accepted: str) -> str:
    """Return the language that a browser's Accept-Language likes best of those there are."""
    wishes: list[tuple[float, str]] = []
    for part in accepted[:1_000].split(","):
        if wish := _ACCEPTED.fullmatch(part):
            wishes.append((float(wish[2] or 1), wish[1].lower()))
    ranked = sorted((wish for wish in wishes if wish[0]), key=lambda wish: -wish[0])
    known = (code for _, tag in ranked if (code := _known(tag)))
    return next(known, FALLBACK)


def _known(tag: str) -> str:
    if tag in languages():
        return tag
    base = tag.partition("-")[0]
    return _CHINESE if base == "zh" else base if base in languages() else ""


def _read(code: str) -> dict[str, str]:
    texts = json.loads(resources.files(_FOLDER).joinpath(f"{code}.json").read_text(encoding="utf-8"))
    return {key: text for key, text in texts.items() if key != _METADATA}


def _argument(number: str, words: list[str]) -> str:
    index = int(number) - 1
    return words[index] if 0 <= index < len(words) else f"${number}"


def _chosen(choice: re.Match[str], words: list[str], language: str) -> str:
    value, forms = _ARGUMENT.sub(lambda sign: _argument(sign[1], words), choice[2]).strip(), choice[3].split("|")
    if choice[1].upper() == "GENDER":
        number = _GENDERS.index(value) if value in _GENDERS else 2
        return forms[number] if number < len(forms) else forms[0]
    plain = [form for form in forms if not re.match(r"\d+=", form)]
    exact = [form.partition("=")[2] for form in forms if form.startswith(f"{value}=")]
    if exact or not plain:
        return (exact or [""])[0]
    count = int(value) if value.isdecimal() else 2
    return plain[min(_PLURALS.get(language, _one_other)(count), len(plain) - 1)]


def _one_other(count: int) -> int:
    return int(count != 1)


def _none_or_one(count: int) -> int:
    return int(count > 1)


def _slavic(count: int) -> int:
    if count % 10 == 1 and count % 100 != 11:
        return 0
    return 1 if 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14 else 2


def _arabic(count: int) -> int:
    if count <= 2:
        return count
    return 3 if 3 <= count % 100 <= 10 else 4 if count % 100 >= 11 else 5


def _always_other(_count: int) -> int:
    return 0


# Which form a number takes, by Unicode's CLDR, for whole numbers under a million.
_PLURALS: dict[str, Callable[[int], int]] = {
    "ar": _arabic,
    "fr": _none_or_one,
    "hi": _none_or_one,
    "id": _always_other,
    "ja": _always_other,
    "pt": _none_or_one,
    "ru": _slavic,
    "uk": _slavic,
    "zh-hans": _always_other,
}
