from pathlib import Path

import pytest

from linkspot.corpora.page_file import decode, page_from_bytes, read_page
from linkspot.errors import UnreadablePage
from linkspot.limits import LIMITS
from linkspot.records import Markup


def test_wikitext_has_its_title_from_the_file(tmp_path: Path) -> None:
    file = tmp_path / "Mji_Mkongwe.wiki"
    file.write_text("Habari.", encoding="utf-8")
    assert read_page(file).title == "Mji Mkongwe"


def test_an_index_file_is_named_by_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "window"
    folder.mkdir()
    (folder / "index.md").write_text("Text.", encoding="utf-8")
    assert read_page(folder / "index.md").id == "window"


def test_a_path_of_mdn_tells_the_language(tmp_path: Path) -> None:
    for name, language in (("files/ja/web/api/window/index.md", "ja"), ("files/notes.md", ""), ("docs/ja/a.md", "")):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("Text.", encoding="utf-8")
        assert read_page(file).language == language
    assert read_page(file, language="fr").language == "fr"


def test_byte_order_marks_and_declared_charsets_are_read() -> None:
    assert decode("\ufeffHabari".encode(), "a.html", Markup.HTML) == "Habari"
    assert decode("Habari".encode("utf-16"), "a.html", Markup.HTML) == "Habari"
    latin = '<meta charset="iso-8859-1"><p>Café'
    assert decode(latin.encode("latin-1"), "a.html", Markup.HTML).endswith("Café")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "a.md is empty"),
        (b" \n\t", "a.md is empty"),
        (b"caf\xe9", r"a.md is not text in UTF-8 \(byte 3\); convert it"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a.md is not text in UTF-8"),
        (b"abc\x00def", "a.md is a binary file"),
    ],
)
def test_files_that_are_no_text_are_refused_in_one_line(data: bytes, message: str) -> None:
    with pytest.raises(UnreadablePage, match=message) as refusal:
        decode(data, "a.md", Markup.MARKDOWN)
    assert "\n" not in str(refusal.value)


def test_a_charset_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnreadablePage, match="not text in KLINGON"):
        decode(b"<meta charset=klingon>x", "a.html", Markup.HTML)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadablePage, match=r"no\.md cannot be read: no such file"):
        read_page(tmp_path / "no.md")
    with pytest.raises(UnreadablePage, match="is a directory"):
        read_page(tmp_path, Markup.HTML)


def test_fifty_megabytes_are_refused_before_they_are_read(tmp_path: Path) -> None:
    file = tmp_path / "big.html"
    with file.open("wb") as stream:
        stream.truncate(50_000_000)
    with pytest.raises(UnreadablePage, match=r"50,000,000 bytes, and linkspot reads pages of up to 10,000,000"):
        read_page(file)
    with pytest.raises(UnreadablePage, match="split it"):
        page_from_bytes(b"x" * (LIMITS.page_bytes + 1), "standard input", Markup.HTML)
