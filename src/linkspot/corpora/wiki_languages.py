"""The languages of wikis: what linkspot calls the language of a wiki, by its database's name or its interwiki code.

A language has the name that MediaWiki itself gives it (`yue`, `be-tarask`), with two exceptions: `simple` and `no` have
the code of their Wikipedia, as in the paper. Sources: `wgLanguageCode` in Wikimedia's InitialiseSettings.php, and the
deprecated codes in MediaWiki's LanguageCode.php.
"""

import re

from linkspot.corpora.languages import is_language

# The code of a wiki -> the language's name here, and what the wiki says of itself in `xml:lang` and in its API.
_WIKIS = {
    "als": ("gsw", "gsw"),  # in ISO 639, als is Tosk Albanian
    "bat-smg": ("sgs", "sgs"),
    "be-x-old": ("be-tarask", "be-tarask"),
    "cbk-zam": ("cbk-zam", "cbk-zam"),
    "crh": ("crh", "crh-latn"),
    "eml": ("eml", "eml"),
    "fiu-vro": ("vro", "vro"),
    "map-bms": ("map-bms", "map-bms"),
    "nds-nl": ("nds-nl", "nds-nl"),
    "no": ("no", "nb"),
    "nrm": ("nrm", "nrm"),
    "roa-rup": ("rup", "rup"),
    "roa-tara": ("roa-tara", "roa-tara"),
    "simple": ("simple", "en"),
    "zh-classical": ("lzh", "lzh"),
    "zh-min-nan": ("nan", "nan"),
    "zh-yue": ("yue", "yue"),
}
_DATABASE = re.compile(
    "(?P<code>[a-z_]+?)(?:wiki|wiktionary|wikibooks|wikinews|wikiquote|wikisource|wikiversity|wikivoyage)"
)


def language_of_wiki(database: str, said: str = "") -> str:
    """Return the language of a wiki by its database's name (`simplewiki`) and by what the wiki says (`en`).

    A wiki that says another language than Wikimedia's wiki of that name is somebody else's, and is believed.
    """
    match = _DATABASE.fullmatch(database.strip().lower())
    code = match["code"].replace("_", "-") if match else ""
    if code in _WIKIS:
        name, own = _WIKIS[code]
        return name if said.lower() in {"", code, name, own} else said
    return said or (code if is_language(code) else "")


def language_of_code(code: str) -> str:
    """Return the language that an interwiki code (`zh-yue`) stands for; most codes are its name already."""
    tag = code.strip().lower().replace("_", "-")
    return "no" if tag == "nb" else _WIKIS[tag][0] if tag in _WIKIS else tag
