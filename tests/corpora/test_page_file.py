from pathlib import Path

import pytest

from linkspot.corpora.page_file import decode, edited_bytes, page_from_bytes, read_page
from linkspot.errors import UnreadablePage
from linkspot.limits import LIMITS
from linkspot.parsing import language_of
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


def _written(file: Path, text: str = "Text.") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("files/ja/web/api/window/index.md", "ja"),
        ("files/notes.md", ""),
        ("docs/ja/a.md", "ja"),
        ("content/en/docs/a.md", "en"),
        ("content/pt-br/a/b/index.md", "pt-br"),
        ("Slider/en.md", "en"),
        ("about.fr.md", "fr"),
        ("README.zh_CN.md", "zh-cn"),
        ("my/a.md", ""),  # a folder of one's own, not Burmese
        ("docs/it.md", ""),
        ("site/en/a.html", "en"),
        ("No.wiki", ""),
    ],
)
def test_a_path_tells_the_language(name: str, language: str, tmp_path: Path) -> None:
    file = _written(tmp_path / name)
    assert read_page(file).language == language
    assert read_page(file, language="fr").language == "fr"


def test_folders_and_files_beside_one_another_are_languages(tmp_path: Path) -> None:
    for name in ("it/a.md", "no/a.md", "Slider/it.md", "Slider/fr.md"):
        _written(tmp_path / name)
    assert read_page(tmp_path / "no/a.md").language == "no"
    assert read_page(tmp_path / "Slider/it.md").language == "it"


def test_what_the_page_itself_says_comes_before_its_path_except_in_mdn(tmp_path: Path) -> None:
    front = "---\nlang: de\n---\nText."
    assert language_of(read_page(_written(tmp_path / "docs/en/a.md", front))) == "de"
    assert language_of(read_page(_written(tmp_path / "files/ja/a/index.md", front))) == "ja"


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


def test_an_edit_keeps_the_encoding_and_the_byte_order_mark() -> None:
    data = "\ufeffDogs café".encode()
    assert edited_bytes(data, "a.md", Markup.MARKDOWN, "Dogs café", "[Dogs] café") == "\ufeff[Dogs] café".encode()


def test_a_file_that_changed_meanwhile_is_not_edited() -> None:
    with pytest.raises(UnreadablePage, match=r"a\.md has changed since it was read; run the same command again"):
        edited_bytes(b"Cats", "a.md", Markup.MARKDOWN, "Dogs", "[Dogs]")


def test_a_file_that_would_be_spelled_otherwise_is_not_edited() -> None:
    page = b"<meta charset=utf-7><p>+AEEAQg-"  # which is AB, and nobody would write it so again
    text = decode(page, "a.html", Markup.HTML)
    with pytest.raises(UnreadablePage, match="has several spellings of a character in UTF-7; convert it to UTF-8"):
        edited_bytes(page, "a.html", Markup.HTML, text, f"{text} b")
