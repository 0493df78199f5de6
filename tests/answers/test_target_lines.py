from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot import Entity
from linkspot.answers import target_lines
from linkspot.answers.target_lines import TargetLines
from linkspot.errors import UnusableInput


def _lines(path: Path, *lines: bytes | str) -> TargetLines:
    path.write_bytes(b"\n".join(line.encode() if isinstance(line, str) else line for line in lines))
    return TargetLines(path)


def test_a_line_is_a_title_or_a_json_object(tmp_path: Path) -> None:
    record = '{"title": "Wolf", "lead": "It howls.", "mentions": ["wolves"], "id": "Q18498", "url": "wolf.html"}'
    lines = _lines(
        tmp_path / "t", "\ufeffGray wolf\r", "", "  Dhow.md  ", record, '{"mentions": ["wolves"], "lead": null}'
    )
    assert list(lines) == [
        Entity("Gray wolf"),
        Entity("Dhow.md"),
        Entity("Wolf", "It howls.", ("wolves",), "Q18498", "wolf.html"),
        Entity("", mentions=("wolves",)),
    ]
    assert lines.complaint() == ""


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"W\xf6lf", "a line that is not UTF-8"),
        (b'{"title": "Wolf"', "a line that is not JSON"),
        (b'{"a":' * 100_000, "a line that is not JSON"),
        (b'{"lead": "It howls."}', "a target without a title or a mention"),
        (b'{"title": ["Wolf"]}', "a target whose title, lead, id or url is not a string"),
        (b'{"title": "Wolf", "mentions": "wolves"}', "or whose mentions are not a list"),
        (b'{"title": "Wolf", "mentions": [1]}', "mentions"),
        (b"x" * 1_001, "a target's title with more than 1,000 characters"),
        (b"x" * (target_lines._LONGEST + 5), "a line that is too long"),
    ],
)
def test_a_broken_line_is_counted_and_the_others_are_read(line: bytes, reason: str, tmp_path: Path) -> None:
    lines = _lines(tmp_path / "t", "Dog", line, line, "Cat")
    assert [entity.title for entity in lines] == ["Dog", "Cat"]
    assert list(lines.rejects.values()) == [2]
    assert f"{tmp_path / 't'}: 2 lines left out: " in lines.complaint()
    assert reason in lines.complaint()
    assert lines.complaint().endswith("(line 2 and 1 more)")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="none cannot be read: no such file"):
        list(TargetLines(tmp_path / "none"))


@given(st.lists(st.text(max_size=5).filter(lambda text: "\n" not in text)))
def test_every_line_is_a_target_or_empty_or_counted(texts: list[str]) -> None:
    with TemporaryDirectory() as folder:
        lines = _lines(Path(folder) / "t", *(text.encode(errors="surrogatepass") for text in texts))
        targets = list(lines)
    filled = [text for text in texts if text.removeprefix("\ufeff").strip()]
    assert len(targets) + lines.rejects.total() == len(filled)
