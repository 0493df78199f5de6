from pathlib import Path

from linkspot.corpora.folder import Folder


def test_pages_are_named_by_their_paths_and_other_files_are_none(tmp_path: Path) -> None:
    for name in ("b.md", "sub/a.html", "sub/deep/c.wiki", "notes.txt", ".git/x.md", "sub/.cache/y.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("Text.", encoding="utf-8")
    (tmp_path / "bad.md").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "dir.md").mkdir()
    corpus = Folder(tmp_path, "en")
    assert [revision.page.id for revision in corpus.revisions()] == ["b", "sub/a", "sub/deep/c"]
    assert corpus.rejects == {"a file that cannot be read": 1}
