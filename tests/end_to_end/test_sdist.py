"""What packagers get: the sdist has what its tests and `make` need."""

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from tests.conftest import PROJECT

ONLY_FOR_THE_REPOSITORY = (".ci/", ".github/", ".pre-commit")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sources as they are published."""
    out = tmp_path_factory.mktemp("sdist")
    command = (sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(out))
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    (path,) = out.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        archive.extractall(out)  # our own archive
    return out / path.name.removesuffix(".tar.gz")


def test_the_sdist_has_every_file_that_its_tests_and_make_need(sdist: Path) -> None:
    command = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    listed = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("these sources are not in a git repository, so there is no list to compare with")
    names = {name for name in listed.stdout.split("\0") if name and (PROJECT / name).is_file()}
    needed = {name for name in names if not name.startswith(ONLY_FOR_THE_REPOSITORY)}
    assert {name for name in needed if not (sdist / name).is_file()} == set()
    assert {"Makefile", "constraints.txt", "CITATION.cff", "scripts/lock", "tests/conftest.py"} <= needed


def test_the_tests_of_the_sdist_can_be_collected_and_run(sdist: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(sdist / "src")}
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    for arguments in (("--collect-only",), ("tests/test_records.py", "tests/test_extras.py")):
        done = subprocess.run(
            (*command, *arguments), cwd=sdist, env=environment, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr
