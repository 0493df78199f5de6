"""Edits saved in a real MediaWiki: one link, nothing else, and a clear result where it cannot be saved."""

from collections.abc import Iterator

import pytest
from tests.end_to_end.mediawiki import LiveWiki
from tests.service.small_wiki import BOT_PASSWORD, PAGES

from linkspot.corpora.wiki.api import Wiki
from linkspot.errors import BrokenRun, UnusableInput, WrongValue
from linkspot.service.wiki_edits.saving import save
from linkspot.service.wiki_edits.wiki_edit import SaveOutcome, WikiEdit
from linkspot.service.wiki_edits.wiki_session import BotPassword, NotSignedIn, OAuthToken, WikiSession

CONTACT = "test@example.org"
SUMMARY = "Kiungo cha [[Karafuu]] kimeongezwa"


@pytest.fixture(scope="module")
def session(edited_wiki: LiveWiki) -> Iterator[WikiSession]:
    """A session that signs in by a bot password."""
    credential = BotPassword("Admin@linkspot", BOT_PASSWORD)
    with WikiSession(edited_wiki.api_url, CONTACT, credential) as opened:
        yield opened


@pytest.fixture(scope="module")
def wiki(edited_wiki: LiveWiki) -> Iterator[Wiki]:
    """The same wiki, read in another way."""
    with Wiki(edited_wiki.api_url, CONTACT) as opened:
        yield opened


def _edit(wiki: Wiki, title: str) -> WikiEdit:
    """Return the edit that links the first word for cloves in a page."""
    *_, last = wiki.revisions(title)
    text = wiki.wikitexts([last.id])[last.id]
    return WikiEdit(title, last.id, text.replace("karafuu", "[[karafuu]]", 1), SUMMARY)


def _texts(wiki: Wiki, title: str) -> list[str]:
    """Return the wikitext of all revisions of a page."""
    ids = [revision.id for revision in wiki.revisions(title)]
    texts = wiki.wikitexts(ids)
    return [texts[number] for number in ids]


def test_a_saved_edit_changes_nothing_but_the_link(session: WikiSession, wiki: Wiki) -> None:
    edit = _edit(wiki, "Bandari")
    result = save(session, edit)
    assert (result.outcome, result.is_exact) == (SaveOutcome.SAVED, True)
    before, after = _texts(wiki, "Bandari")
    assert before == PAGES["Bandari"]
    assert after == before.replace("karafuu", "[[karafuu]]", 1) == edit.text
    said = wiki.ask({"prop": "revisions", "revids": str(result.revision), "rvprop": "comment|user"})
    assert [said["query"]["pages"][0]["revisions"][0][name] for name in ("comment", "user")] == [SUMMARY, "Admin"]
    # Sent again, the edit is a conflict: it cannot be saved twice.
    assert save(session, edit).outcome is SaveOutcome.CONFLICT
    assert len(_texts(wiki, "Bandari")) == 2
    again = WikiEdit("Bandari", result.revision, edit.text, SUMMARY)
    assert save(session, again).outcome is SaveOutcome.UNCHANGED


def test_a_page_that_has_moved_on_is_a_conflict_even_where_the_wiki_could_merge(
    session: WikiSession, wiki: Wiki
) -> None:
    edit = _edit(wiki, "Mgongano")
    other = WikiEdit("Mgongano", edit.revision, PAGES["Mgongano"].replace("zamani", "zamani sana"), "…")
    assert save(session, other).outcome is SaveOutcome.SAVED
    result = save(session, edit)
    assert result.outcome is SaveOutcome.CONFLICT
    assert f"revision {edit.revision} was read" in result.message
    assert _texts(wiki, "Mgongano")[-1] == other.text


@pytest.mark.parametrize("title", ["Mistari", "Nafasi", "Sahihi"])
def test_a_page_in_which_the_wiki_would_change_more_is_left_alone(session: WikiSession, wiki: Wiki, title: str) -> None:
    result = save(session, _edit(wiki, title))
    assert result.outcome is SaveOutcome.CHANGES_MORE
    assert _texts(wiki, title) == [PAGES[title]]


def test_a_protected_page_a_missing_page_and_a_redirect_are_left_alone(
    edited_wiki: LiveWiki, session: WikiSession, wiki: Wiki
) -> None:
    with WikiSession(edited_wiki.api_url, CONTACT) as nobody:
        result = save(nobody, _edit(wiki, "Ulinzi"))
    assert result.outcome is SaveOutcome.PROTECTED
    assert "(protectedpage)" in result.message
    assert set(_texts(wiki, "Ulinzi")) == {PAGES["Ulinzi"]}
    missing = save(session, WikiEdit("Hakuna", 3, "Meli hubeba [[karafuu]].", SUMMARY))
    assert missing.outcome is SaveOutcome.MISSING
    target = _edit(wiki, "Mji Mkongwe")
    through_redirect = WikiEdit("Zanzibar Mjini", target.revision, target.text, SUMMARY)
    assert save(session, through_redirect).outcome is SaveOutcome.CONFLICT
    assert _texts(wiki, "Zanzibar Mjini") == [PAGES["Zanzibar Mjini"]]


def test_a_wrong_password_or_token_saves_nothing_and_is_not_repeated(edited_wiki: LiveWiki, wiki: Wiki) -> None:
    edit = _edit(wiki, "Karafuu")
    wrong = BotPassword("Admin@linkspot", "w" * 32)
    with WikiSession(edited_wiki.api_url, CONTACT, wrong) as opened, pytest.raises(NotSignedIn) as caught:
        save(opened, edit)
    assert wrong.password not in str(caught.value) + repr(wrong)
    token = OAuthToken("a.b.c")
    with WikiSession(edited_wiki.api_url, CONTACT, token) as opened:
        assert save(opened, edit).outcome is SaveOutcome.SIGNED_OUT  # this wiki has no OAuth, and takes it for nobody
    assert token.token not in repr(token)
    assert _texts(wiki, "Karafuu") == [PAGES["Karafuu"]]


def test_a_wiki_that_is_away_or_is_none_is_named_in_one_line(edited_wiki: LiveWiki) -> None:
    edit = WikiEdit("Bandari", 3, "[[Karafuu]]", SUMMARY)
    root = edited_wiki.api_url.removesuffix("/api.php")
    for api in ("http://127.0.0.1:9/api.php", f"{root}/index.php/api.php"):
        with WikiSession(api, CONTACT) as opened, pytest.raises(BrokenRun, match="does not answer"):
            save(opened, edit)
    with pytest.raises(UnusableInput, match="not the address"):
        WikiSession("ftp://example.org/api.php", CONTACT)


def test_an_edit_without_a_page_a_revision_or_a_text_is_refused() -> None:
    for values in (("", 3, "text"), ("Bandari", 0, "text"), ("Bandari", 3, " \n")):
        with pytest.raises(WrongValue):
            WikiEdit(*values, SUMMARY)
    with pytest.raises(WrongValue, match="access token"):
        OAuthToken("a\nb")
