import errno
import threading
import time
from concurrent.futures import ThreadPoolExecutor
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


def _start_with(path: Path, plan: dict[str, object], barrier: threading.Barrier) -> str:
    barrier.wait()
    try:
        with TableFolder.making(path, plan) as folder:
            time.sleep(0.001)
            recorded = folder.manifest()["plan"]
    except UnusableInput as error:
        return str(error)
    return "its own" if recorded == plan else "another's"


def test_of_many_runs_that_start_at_once_each_works_under_its_own_plan_or_is_refused(tmp_path: Path) -> None:
    starts = 6
    for number in range(40):
        barrier = threading.Barrier(starts)
        with ThreadPoolExecutor(starts) as pool:
            plans = [{**PLAN, "at": str(start)} for start in range(starts)]
            outcomes = list(pool.map(_start_with, [tmp_path / str(number)] * starts, plans, [barrier] * starts))
        assert "another's" not in outcomes
        assert outcomes.count("its own") == 1
        assert all("another run is writing" in text or "another way" in text for text in outcomes if text != "its own")


def _refuse(is_unusable: bool) -> None:
    if is_unusable:
        raise UnusableInput("no pages")


def _fail_or_work(path: Path, start: int, barrier: threading.Barrier) -> str:
    """Begin a run that finds its input unusable every other time, which removes a new folder."""
    barrier.wait()
    try:
        with TableFolder.making(path, PLAN) as folder:
            (folder.path / "alone").touch(exist_ok=False)
            time.sleep(0.001)
            assert folder.manifest()["plan"] == PLAN
            (folder.path / "alone").unlink()
            _refuse(start % 2 == 1)
    except UnusableInput as error:
        return str(error)
    return "worked"


def test_a_run_that_removes_its_new_folder_takes_no_other_runs_folder_away(tmp_path: Path) -> None:
    starts = 6
    for number in range(40):
        barrier = threading.Barrier(starts)
        with ThreadPoolExecutor(starts) as pool:
            outcomes = list(
                pool.map(_fail_or_work, [tmp_path / str(number)] * starts, range(starts), [barrier] * starts)
            )
        assert all(text in {"worked", "no pages"} or "another run is writing" in text for text in outcomes)
        assert ("worked" not in outcomes) or TableFolder(tmp_path / str(number)).manifest()["plan"] == PLAN


def test_unusable_input_leaves_the_work_of_an_earlier_run(tmp_path: Path) -> None:
    (TableFolder.begin(tmp_path / "tables", PLAN).path / "links").mkdir()
    with pytest.raises(UnusableInput), TableFolder.making(tmp_path / "tables", PLAN):
        raise UnusableInput("no pages")
    assert (tmp_path / "tables" / "links").exists()


def test_what_a_run_leaves_that_was_killed_as_it_began_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / ".lock").touch()
    (tmp_path / ".manifest.json.unfinished").write_text("{")
    assert TableFolder.begin(tmp_path, PLAN).manifest() == {"plan": PLAN}


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "3",
        '{"plan": []}',
        '{"plan": {}, "finished": "yes"}',
        '{"rows": {"links": "3"}}',
        '{"rejects": [1]}',
        '{"rankers": {"bm25": 1}}',
        '{"plan": ' + "[" * 100_000,
        '{"rows": {"links": ' + "9" * 5_000 + "}}",
    ],
)
def test_a_manifest_of_wrong_types_is_reported_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(UnusableInput, match="manifest"):
        TableFolder.open(tmp_path, "index")


def test_a_path_that_is_not_utf8_can_be_recorded(tmp_path: Path) -> None:
    plan = {"command": "index", "path": "caf\udce9"}
    TableFolder.begin(tmp_path / "tables", plan)
    assert TableFolder.begin(tmp_path / "tables", plan).manifest()["plan"] == plan
