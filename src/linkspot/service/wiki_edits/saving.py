"""Saving an edit through a wiki's API: against the revision that was read, and only if nothing else would change."""

from typing import Any

from linkspot.corpora.wiki.answer_parts import number, objects, page_list, part, text
from linkspot.service.wiki_edits.wiki_edit import SaveOutcome, SaveResult, WikiEdit
from linkspot.service.wiki_edits.wiki_session import WikiSession

MAXLAG = 5  # seconds that the wiki's databases may be behind
_PAUSE = 5.0  # seconds to wait where a busy wiki does not say how long
_OUTCOMES = {
    "editconflict": SaveOutcome.CONFLICT,
    "nosuchrevid": SaveOutcome.CONFLICT,
    "pagedeleted": SaveOutcome.MISSING,
    "missingtitle": SaveOutcome.MISSING,
    "protectedpage": SaveOutcome.PROTECTED,
    "cascadeprotected": SaveOutcome.PROTECTED,
    "protectednamespace": SaveOutcome.PROTECTED,
    "protectednamespace-interface": SaveOutcome.PROTECTED,
    "permissiondenied": SaveOutcome.PROTECTED,
    "blocked": SaveOutcome.BLOCKED,
    "autoblocked": SaveOutcome.BLOCKED,
    "systemblocked": SaveOutcome.BLOCKED,
    "assertuserfailed": SaveOutcome.SIGNED_OUT,
    "badtoken": SaveOutcome.SIGNED_OUT,
    "mwoauth-invalid-authorization": SaveOutcome.SIGNED_OUT,
    "maxlag": SaveOutcome.BUSY,
    "ratelimited": SaveOutcome.BUSY,
    "readonly": SaveOutcome.BUSY,
}
_LONGEST_MESSAGE = 500


def save(session: WikiSession, edit: WikiEdit) -> SaveResult:
    """Save an edit, unless the page has moved on or the wiki would change more than the link; nothing is retried.

    Raises BrokenRun if the wiki does not answer: whether the edit was saved is not known then, and saving it again
    does no harm, as a page that has moved on is a conflict.
    """
    session.sign_in()
    current = session.ask(
        {"action": "query", "prop": "revisions", "rvprop": "ids", "titles": edit.title, "meta": "tokens"}
    )
    hindrance = _error(current) or _moved_on(current, edit) or _changes_more(session, edit)
    if hindrance:
        return hindrance
    token = text(part(part(current, "query"), "tokens"), "csrftoken")
    answer = session.ask(_request(edit, token, is_signed_in=session.is_signed_in))
    return _error(answer) or _result(session, edit, part(answer, "edit"))


def _request(edit: WikiEdit, token: str, *, is_signed_in: bool) -> dict[str, str]:
    request = {
        "action": "edit",
        "title": edit.title,
        "text": edit.text,
        "summary": edit.summary,
        "baserevid": str(edit.revision),
        "nocreate": "1",
        "watchlist": "nochange",
        "maxlag": str(MAXLAG),
        "token": token,
    }
    return request | ({"assert": "user"} if is_signed_in else {})


def _moved_on(answer: dict[str, Any], edit: WikiEdit) -> SaveResult | None:
    """Return the result if the page is not what was read; MediaWiki itself would merge the edit into the new text."""
    page = next(iter(page_list(answer)), {})
    revision = number(next(iter(objects(page, "revisions")), {}), "revid")
    if not revision:
        return SaveResult(SaveOutcome.MISSING, message=f"there is no page “{edit.title}” any more")
    if revision != edit.revision:
        message = f"revision {edit.revision} was read, and the page is at revision {revision} now"
        return SaveResult(SaveOutcome.CONFLICT, message=message)
    return None


def _changes_more(session: WikiSession, edit: WikiEdit) -> SaveResult | None:
    """Return the result if the wiki would save another text: other line ends, signatures or substituted templates."""
    question = {"action": "parse", "onlypst": "1", "title": edit.title, "text": edit.text, "contentmodel": "wikitext"}
    answer = session.ask(question)
    if error := _error(answer):
        return error
    if text(part(answer, "parse"), "text") == edit.text:
        return None
    message = "saving would also change other parts of this page, such as its line ends; edit it in the wiki"
    return SaveResult(SaveOutcome.CHANGES_MORE, message=message)


def _result(session: WikiSession, edit: WikiEdit, saved: dict[str, Any]) -> SaveResult:
    if text(saved, "result") != "Success":
        return SaveResult(SaveOutcome.REFUSED, message=_one_line(str(saved.get("info") or saved.get("code") or saved)))
    revision = number(saved, "newrevid")
    if not revision:
        return SaveResult(SaveOutcome.UNCHANGED, edit.revision, is_exact=True)
    question = {"action": "query", "prop": "revisions", "rvprop": "content", "rvslots": "main"}
    page = next(iter(page_list(session.ask(question | {"revids": str(revision)}))), {})
    slots = part(next(iter(objects(page, "revisions")), {}), "slots")
    return SaveResult(SaveOutcome.SAVED, revision, is_exact=text(part(slots, "main"), "content") == edit.text)


def _error(answer: dict[str, Any]) -> SaveResult | None:
    """Return the result for the first error of an answer."""
    errors = objects(answer, "errors") or ([part(answer, "error")] if part(answer, "error") else [])
    if not errors:
        return None
    code, said = text(errors[0], "code"), text(errors[0], "text") or text(errors[0], "info")
    outcome = _OUTCOMES.get(code, SaveOutcome.REFUSED)
    pause = _PAUSE if outcome is SaveOutcome.BUSY else 0.0
    return SaveResult(outcome, message=_one_line(f"{said} ({code})"), retry_after=pause)


def _one_line(message: str) -> str:
    return " ".join(message.split())[:_LONGEST_MESSAGE]
