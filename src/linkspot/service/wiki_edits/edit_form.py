"""The wiki's own edit form, filled in: the person sees the diff and saves under their own name."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlencode, urlsplit

from linkspot.errors import UnusableInput, without_password
from linkspot.service.wiki_edits.wiki_edit import WikiEdit

_API = "/api.php"
_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z")


@dataclass(frozen=True, slots=True)
class EditForm:
    """The address that a browser posts to, and the fields; posting them saves nothing, it shows the diff."""

    address: str
    fields: dict[str, str]

    @classmethod
    def of(cls, api: str, edit: WikiEdit) -> "EditForm":
        """Return the form for an edit in the wiki with this api.php."""
        parts = urlsplit(api)
        if parts.scheme not in {"http", "https"} or not parts.path.endswith(_API) or parts.query:
            raise UnusableInput(f"{without_password(api)!r} is not the address of a wiki's API")
        script = without_password(api).removesuffix(_API) + "/index.php"
        query = urlencode({"title": edit.title.replace(" ", "_"), "action": "edit"})
        now = f"{datetime.now(UTC):%Y%m%d%H%M%S}"
        fields = {
            "wpTextbox1": edit.text,
            "wpSummary": edit.summary,
            "wpStarttime": now,
            "wpEdittime": _time(edit.timestamp),
            "editRevId": str(edit.revision),
            "wpDiff": "1",
            "wpUltimateParam": "1",  # MediaWiki reads it as: the form is complete
        }
        return cls(f"{script}?{query}", {name: value for name, value in fields.items() if value})


def _time(timestamp: str) -> str:
    """Return a time of the API as the form writes it."""
    parts = _TIME.fullmatch(timestamp)
    return "".join(parts.groups()) if parts else ""
