"""The commands of docs/reproduce.md, from the first to the last, on three languages of a real wiki."""

import re
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from docs.code_blocks import SHELL, blocks, run_shell
from tests.published_sample import write_links, write_tests, write_training
from tests.tiny_encoders import tiny_encoder, tiny_writer

pytestmark = [pytest.mark.slow, pytest.mark.shared_data]

PAGE = (Path(__file__).parent.parent.parent / "docs" / "reproduce.md").read_text(encoding="utf-8")
COMMANDS = [block.code for block in blocks(PAGE) if block.language == SHELL and not block.why_not_run]
NAMED = re.findall(r"`(out/[\w./-]+)`", PAGE)
ROWS = 6  # of each released file
LANGUAGES = ("de", "es", "ru")
#: What makes the page's commands small. A change that no longer finds its text fails.
IN_SMALL = {
    r"dumps/\*-20231001-pages-articles\*\.xml\*\.bz2": "dumps/*.xml.xz --at 2011-12-31",
    r"dumps/\*-20231101-pages-meta-history\*\.xml\*\.bz2": "dumps/*.xml.xz",
    r"2023-09-01 2023-10-01": "2011-09-30 2011-12-31",
    r"2023-10-01 2023-11-01": "2011-12-31 2019-12-31",
    r"2023-09-27,2024-01-01": "2011-11-01,2030-01-01",
    r"--hold-out \$HELD_OUT": "--hold-out de --links 12",
    r"--languages en --links 1000000": "--languages ru --links 12",
    r"--languages en": "--languages ru",
    r'languages = \["en"\]': 'languages = ["ru"]',
    r"--budget paper --limit 100": "--budget small --limit 3 --encoder tiny",
    r"(?<=in starting-model model-size roberta-vs-xlmr; do\n)(.*tiny)": r"\1 --encoder other",
    r"entqa/retriever\.pt": "tiny",
    r"get:get-model": "get:writer",
    r"(linkspot train \S+\.toml)": r"\1 --encoder tiny",
    r"--published released/tests": "--published released/tests --limit 3",
}


@pytest.fixture(scope="module")
def folder(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the data part of the page has run, with small encoders in place of the hub's."""
    made = tmp_path_factory.mktemp("reproduce")
    (made / "dumps").mkdir()
    for language in LANGUAGES:
        name = f"openttd-{language}-pages-meta-history.xml.xz"
        (made / "dumps" / name).symlink_to((shared_data / "openttd" / name).resolve())
    tiny_encoder(made / "tiny")
    tiny_encoder(made / "other", "roberta")
    tiny_writer(made / "writer")
    for code in COMMANDS[:2]:
        run_shell(in_small(code), made)
    return made


def in_small(code: str) -> str:
    for text, small in IN_SMALL.items():
        code = re.sub(text, small, code)
    return code


def check_tables(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        assert (folder / name).exists(), name
        assert not name.endswith(".csv") or len((folder / name).read_text(encoding="utf-8").splitlines()) > 2, name


def write_released(folder: Path) -> None:
    """Write a dataset's rows in the form of the released files, which cannot be had everywhere."""
    training = folder / "released" / "training"
    write_links(folder / "dataset", training / "stage1")
    write_tests(folder / "dataset", folder / "released" / "tests")
    write_training(folder / "released" / "tests" / "ru.parquet", training / "stage2")
    for file in training.glob("*/train/*.parquet"):
        table = pq.read_table(file)
        if "lang" not in table.column_names:
            table = table.append_column("lang", pa.array(["ru"] * len(table)))
        pq.write_table(table.filter(pc.field("lang") == "ru").slice(0, ROWS), file)


def test_every_change_that_makes_the_commands_small_finds_its_text() -> None:
    text = "\n".join(COMMANDS)
    for pattern, small in IN_SMALL.items():
        text, count = re.subn(pattern, small, text)
        assert count, pattern
    assert "2023-" not in text


def test_the_experiments_fill_the_tables_that_the_page_names(folder: Path) -> None:
    for code in COMMANDS[2:4]:
        run_shell(in_small(code), folder)
    named = [name for name in NAMED if "released" not in name]
    assert len(named) == 26
    check_tables(folder, named)
    methods = (folder / "out" / "english" / "report" / "main.csv").read_text(encoding="utf-8")
    assert all(f"\n{row}," in methods for row in ("Random", "String Match", "BM25", "EntQA RET", "GET", "LocEI"))


def test_the_released_files_fill_the_tables_that_the_page_names(folder: Path) -> None:
    write_released(folder)
    [code] = COMMANDS[4:]
    run_shell(in_small(code), folder)
    check_tables(folder, [name for name in NAMED if "released" in name])
    steps = (folder / "out" / "released-english" / "main.csv").read_text(encoding="utf-8")
    assert all(f"\n{row}," in steps for row in ("simple-fine-tuning", "expansion", "locei", "pointwise"))
