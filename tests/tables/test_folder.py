import errno
from pathlib import Path

import pytest

from linkspot.errors import UnusableInput, UnwritableTable
from linkspot.files import unfinished, writing
from linkspot.tables.folder import TableFolder

PLAN = {"command": "index", "at": None}


def test_a_folder_is_begun_once_and_found_again_with_the_same_plan(tmp_path: Path) -> None:
    TableFolder.begin(tmp_path / "tables", PLAN).record({"rows": {"links": 3}})
    assert TableFolder.begin(tmp_path / "tables", PLAN).manifest() == {"plan": PLAN, "rows": {"links": 3}}


def test_another_plan_is_refused_and_told(tmp_path: Path) -> None:
    TableFolder.begin(tmp_path / "tables", PLAN)
    with pytest.raises(UnusableInput, match=r"made in another way \(at differ\)"):
        TableFolder.begin(tmp_path / "tables", {**PLAN, "at": "2012-12-31"})


def test_only_what_the_command_finished_is_opened(tmp_path: Path) -> None:
    folder = TableFolder.begin(tmp_path / "tables", PLAN)
    with pytest.raises(UnusableInput, match="is not finished; run the same 'linkspot index' again"):
        TableFolder.open(folder.path, "index")
    folder.record({"finished": True})
    assert TableFolder.open(folder.path, "index") == folder
    with pytest.raises(
        UnusableInput, match="holds what 'linkspot index' made; expected a folder that 'linkspot dataset'"
    ):
        TableFolder.open(folder.path, "dataset")


def test_a_broken_manifest_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"plan": ')
    with pytest.raises(UnusableInput, match="cannot be read as a manifest; delete the folder"):
        TableFolder(tmp_path).manifest()


def test_what_is_written_is_whole_or_not_there(tmp_path: Path) -> None:
    def fail() -> None:
        with unfinished(tmp_path / "links") as path:
            path.mkdir()
            (path / "half").write_text("x")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert not (tmp_path / "links").exists()
    with unfinished(tmp_path / "links") as path:
        path.mkdir()
        (path / "whole").write_text("y")
    assert [file.name for file in (tmp_path / "links").iterdir()] == ["whole"]


def test_a_full_disk_is_reported_in_one_line(tmp_path: Path) -> None:
    with (
        pytest.raises(UnwritableTable, match="no space left on device; make room; what was written is kept"),
        writing(tmp_path),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")
