"""A small real MediaWiki for edits: it is gone after the session."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from tests.end_to_end.mediawiki import MEDIAWIKI, LiveWiki, running_wiki

from linkspot.answers.samples import SAMPLES

BOT_PASSWORD = "0123456789abcdef0123456789abcdef"
_SWAHILI = SAMPLES[1]
# MediaWiki itself keeps no line end at the end of a page.
PAGES = {
    "Mji Mkongwe": _SWAHILI.page().text.strip(),
    "Karafuu": _SWAHILI.target().text.strip(),
    "Bandari": "Bandari ina meli. Meli hubeba karafuu kwenda mbali.\n\n== Historia ==\nWatu walifika zamani.",
    "Mgongano": "Meli hubeba karafuu kwenda mbali.\n\nWatu walifika zamani.",
    "Ulinzi": "Meli hubeba karafuu kwenda mbali.",
    "Mistari": "Meli hubeba karafuu.\r\nWatu walifika zamani.",
    "Nafasi": "Meli hubeba karafuu.  \n\nWatu walifika zamani. \n\n\n",
    "Sahihi": "Meli hubeba karafuu. ~~~~ Watu walifika zamani.",
    "Zanzibar Mjini": "#REDIRECT [[Mji Mkongwe]]",
    "Forodhani": _SWAHILI.page().text.strip(),  # nothing is ever saved there
}


@pytest.fixture(scope="session")
def edited_wiki(needs: Callable[..., None]) -> Iterator[LiveWiki]:
    """A MediaWiki in Swahili with a protected page, and pages that it would change more in than a link."""
    needs("php", "mediawiki")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        history = folder / "history.xml"
        history.write_text(_export(), encoding="utf-8")
        with running_wiki(folder, history, "sw") as wiki:
            _maintain(folder, "protect.php", "Ulinzi")
            grants = "--grants=basic,editpage,createeditmovepage,highvolume"
            _maintain(folder, "createBotPassword.php", grants, "--appid=linkspot", "Admin", BOT_PASSWORD)
            yield wiki


def _export() -> str:
    pages = []
    for number, (title, text) in enumerate(PAGES.items(), start=1):
        content = escape(text, {"\r": "&#13;"})
        pages.append(
            f"<page><title>{title}</title><ns>0</ns><id>{number}</id><revision><id>{number}</id>"
            "<timestamp>2019-01-01T00:00:00Z</timestamp><model>wikitext</model><format>text/x-wiki</format>"
            f'<text xml:space="preserve">{content}</text></revision></page>'
        )
    opening = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11">'
    return f"{opening}{''.join(pages)}</mediawiki>"


def _maintain(folder: Path, script: str, *arguments: str) -> None:
    command = [shutil.which("php") or "php", str(MEDIAWIKI / "maintenance" / script), *arguments]
    environment = {**os.environ, "MW_CONFIG_FILE": str(folder / "LocalSettings.php")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"MediaWiki's {script} failed: {(done.stdout + done.stderr).strip()[-500:]}")
