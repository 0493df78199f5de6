"""The wiki's own edit form, filled in, as a real MediaWiki shows it."""

import re
from html import unescape

import httpx2
import pytest
from tests.end_to_end.mediawiki import LiveWiki
from tests.service.small_wiki import PAGES

from linkspot.corpora.wiki.api import Wiki
from linkspot.errors import UnusableInput
from linkspot.service.wiki_edits.edit_form import EditForm
from linkspot.service.wiki_edits.wiki_edit import WikiEdit


def test_the_form_shows_the_diff_and_saves_nothing(edited_wiki: LiveWiki) -> None:
    with Wiki(edited_wiki.api_url, "test@example.org") as wiki:
        *_, last = wiki.revisions("Forodhani")
        text = PAGES["Forodhani"].replace("karafuu", "[[karafuu]]", 1)
        edit = WikiEdit("Forodhani", last.id, text, "Kiungo kipya", "2019-01-01T00:00:00Z")
        form = EditForm.of(edited_wiki.api_url, edit)
        answer = httpx2.post(form.address, data=form.fields, timeout=60)
        assert len(list(wiki.revisions("Forodhani"))) == 1
    assert answer.status_code == 200
    added = re.findall(r"<ins[^>]*>(.*?)</ins>", answer.text)
    assert "".join(added) == "[[]]"
    shown = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", answer.text, re.DOTALL)
    assert shown
    assert unescape(shown[1]).rstrip("\n") == text.rstrip("\n")
    assert 'value="Kiungo kipya"' in answer.text.replace("'", '"')
    (hidden,) = re.findall(r'<input[^>]*name="editRevId"[^>]*>', answer.text)
    assert f'value="{last.id}"' in hidden.replace("'", '"')


def test_the_form_is_for_the_page_and_the_revision_that_were_read() -> None:
    edit = WikiEdit("AT&T/ä?", 7, "[[a]]", "s")
    form = EditForm.of("https://someone:secret@sw.wikipedia.org/w/api.php", edit)
    assert form.address == "https://sw.wikipedia.org/w/index.php?title=AT%26T%2F%C3%A4%3F&action=edit"
    assert form.fields["editRevId"] == "7"
    assert "wpEdittime" not in form.fields
    assert re.fullmatch(r"\d{14}", form.fields["wpStarttime"])
    for api in ("javascript:alert(1)/api.php", "https://sw.wikipedia.org/w/api.php?x"):
        with pytest.raises(UnusableInput):
            EditForm.of(api, edit)
