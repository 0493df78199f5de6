"""Language codes: the three letters that archives have, and the tags that name folders and files."""

import re

# The three letters of ISO 639-3 and the two of ISO 639-1 in one word; then the older three letters of ISO 639-2, and
# languages that have their tag from the larger one that they belong to.
_CODES = """
aaraa abkab afraf akaak amham araar argan asmas avaav aveae aymay azeaz bakba bambm belbe benbn bisbi bodbo bosbs
brebr bulbg catca cescs chach chece chucu chvcv corkw cosco crecr cymcy danda deude divdv dzodz ellel engen epoeo
estet euseu eweee faofo fasfa fijfj finfi frafr fryfy fulff glagd glega glggl glvgv grngn gujgu hatht hauha hbssh
hebhe herhz hinhi hmoho hrvhr hunhu hyehy iboig idoio iiiii ikuiu ileie inaia indid ipkik islis itait javjv jpnja
kalkl kankn kasks katka kaukr kazkk khmkm kikki kinrw kirky komkv konkg korko kuakj kurku laolo latla lavlv limli
linln litlt ltzlb lublu luglg mahmh malml marmr mkdmk mlgmg mltmt monmn mrimi msams myamy nauna navnv nblnr ndend
ndong nepne nldnl nnonn nobnb norno nyany ocioc ojioj orior ormom ossos panpa plipi polpl porpt pusps quequ rohrm
ronro runrn rusru sagsg sansa sinsi slksk slvsl smese smosm snasn sndsd somso sotst spaes sqisq srdsc srpsr sswss
sunsu swasw swesv tahty tamta tattt telte tgktg tgltl thath tirti tonto tsntn tsots tuktk turtr twitw uigug ukruk
urdur uzbuz venve vievi volvo wlnwa wolwo xhoxh yidyi yoryo zhaza zhozh zulzu
albsq armhy baqeu burmy chizh czecs dutnl frefr geoka gerde greel iceis macmk maomi mayms perfa rumro slosk tibbo welcy
arbar azjaz cmnzh ekket khkmn lvslv npine oryor pesfa swhsw uznuz zsmms
"""
_TWO_LETTERS = {word[:3]: word[3:] for word in _CODES.split()}
_KNOWN = frozenset(_TWO_LETTERS.values())
_TAG = re.compile(r"([A-Za-z]{2})(?:[-_](?:[A-Za-z]{4}|[A-Za-z]{2}|\d{3}))*")


def tag_of(code: str) -> str:
    """Return the tag of a language: `eng` is en, `zho-Hans` zh-hans; a code without another tag stays as it is."""
    first, hyphen, rest = code.strip().lower().replace("_", "-").partition("-")
    return _TWO_LETTERS.get(first, first) + hyphen + rest


def is_language(name: str) -> bool:
    """Return whether a folder or a file's ending is named like a language of two letters, with or without a region."""
    match = _TAG.fullmatch(name)
    return match is not None and match[1].lower() in _KNOWN


def base_of(tag: str) -> str:
    """Return the language of a tag without its region or script: `pt-BR` is pt."""
    return tag.lower().replace("_", "-").partition("-")[0]
