"""Redirects: pages of wikitext that only lead to another page."""

import re

# MediaWiki's word in English, which holds everywhere, and in the languages of larger wikis.
_REDIRECT_WORDS = (
    "redirect|weiterleitung|redirection|redirección|redireccion|rinvia|rinvio|redirecionamento|doorverwijzing"
    "|перенаправление|перенапр|перенаправлення|преусмери|преусмјери|пренасочване|patrz|przekieruj|tam|přesměruj"
    "|presmeruj|preusmeritev|preusmjeri|átirányítás|redirecteaza|redirecționare|ohjaus|uudelleenohjaus|omdirigering"
    "|tilvísun|suuna|yönlendirme|yönlendi̇rme|đổi|alih|lencong|ανακατευθυνση|alidirektu|birzuzendu|redirixe"
    "|転送|リダイレクト|넘겨주기|重定向|เปลี่ยนทาง|পুনর্নির্দেশ|পুননির্দেশ|पुनर्प्रेषित|تحويل|تغییر_?مسیر|הפניה"
)
# Some wikis keep a page's language or category above all else.
_ABOVE = r"(?:\s*+\[\[[^\[\]|\n:]+:[^\[\]\n]*+\]\][ \t]*+\n)*+"
# What is read once is not read in another way: a page of blanks must not take a time that grows with their square.
_REDIRECT = re.compile(
    rf"{_ABOVE}\s*+#\s*+(?:{_REDIRECT_WORDS})\s*+:?\s*+\[\[([^\[\]|\n]++)(?:\|[^\[\]]*+)?\]\]", re.IGNORECASE
)
_WORD = re.compile(rf"#\s*+(?:{_REDIRECT_WORDS})", re.IGNORECASE)


def redirect_target(text: str) -> str | None:
    """Return the title that the page redirects to, None for an ordinary page."""
    match = _REDIRECT.match(text)
    return match[1].strip() if match else None


def names_redirect(text: str) -> bool:
    """Return whether the page has the word for redirects, so that a link could make it one."""
    return bool(_WORD.search(text))
