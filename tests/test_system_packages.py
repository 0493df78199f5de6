"""The script that installs what only some tests need: it changes nothing that is there, and never fails a build."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
SCRIPT = PROJECT / "scripts" / "system-packages"


class Machine:
    """A machine that has the few programs that the script itself uses, and those that are added."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("sh", "sed", "grep", "id", "env", "sort", "tr", "chmod"):
            (folder / name).symlink_to(shutil.which(name) or name)

    def add(self, name: str, script: str) -> None:
        program = self.folder / name
        program.unlink(missing_ok=True)
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)

    def run(self, *arguments: str, **environment: str) -> tuple[list[str], list[str]]:
        """Return the lines that the script says and those that it complains with; it must never fail."""
        # MEDIAWIKI names an empty folder.
        told = {"PATH": str(self.folder), "MEDIAWIKI": str(self.folder), **environment}
        done = subprocess.run([SCRIPT, *arguments], env=told, capture_output=True, text=True, check=False)
        assert done.returncode == 0
        return done.stdout.splitlines(), done.stderr.splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_check_lists_what_is_there_and_what_is_missing(machine: Machine) -> None:
    machine.add("java", "echo 'openjdk version \"21.0.2\" 2024-01-16' >&2")
    assert machine.run("--check") == (
        [
            "java: found",
            "php: missing, for the tests with a live wiki",
            "mediawiki: missing, for the tests with a live wiki",
            "chromium: missing, for the tests in a browser",
        ],
        [],
    )


def test_a_java_that_is_too_old_and_a_php_without_its_modules_are_missing(machine: Machine) -> None:
    machine.add("java", "echo 'openjdk version \"1.8.0_292\"' >&2")
    machine.add("php", "echo Core; echo curl")
    lines, _ = machine.run("--check")
    assert [line.partition(",")[0] for line in lines[:2]] == ["java: missing", "php: missing"]


@pytest.mark.parametrize(("environment", "consequence"), [({}, "skip"), ({"CI": "true"}, "fail")])
def test_where_nothing_can_be_installed_one_line_says_what_is_missing(
    machine: Machine, environment: dict[str, str], consequence: str
) -> None:
    lines, complaints = machine.run(**environment)
    assert lines == []
    assert complaints == [
        f"system-packages: missing: java php mediawiki chromium (there is no apt-get here); these {consequence}: "
        "the tests in a browser, the tests with Spark, the tests with a live wiki"
    ]


def test_without_rights_nothing_is_installed(machine: Machine) -> None:
    machine.add("id", "echo 1000")
    machine.add("apt-get", f'echo "$@" >> {machine.folder / "calls"}')
    lines, (complaint,) = machine.run()
    assert lines == []
    assert "(installing takes root, or sudo without a password); these skip" in complaint
    assert not (machine.folder / "calls").exists()


def test_what_apt_get_can_install_it_installs_and_names_the_rest(machine: Machine) -> None:
    machine.add("id", "echo 1000")
    machine.add("sudo", 'shift; exec "$@"')
    machine.add("true", "")
    chromium = machine.folder / "chromium"
    install = f'echo "#!/bin/sh" > {chromium}; chmod +x {chromium}'
    machine.add("apt-get", f'case "$*" in *chromium) {install} ;; *) exit 100 ;; esac')
    lines, (complaint,) = machine.run()
    assert lines == ["Installing what some tests need: java php mediawiki chromium"]
    assert complaint.startswith("system-packages: missing: java php mediawiki (apt-get could not install them)")


def test_where_nothing_is_missing_nothing_is_done(machine: Machine) -> None:
    machine.add("apt-get", "exit 100")
    machine.add("java", "echo 'openjdk version \"17.0.9\"' >&2")
    machine.add("php", "for module in pdo_sqlite curl dom mbstring; do echo $module; done")
    machine.add("google-chrome", "")
    (machine.folder / "maintenance").mkdir()
    (machine.folder / "maintenance" / "install.php").touch()
    assert machine.run() == ([], [])


@pytest.mark.shared_data
@pytest.mark.parametrize(("ci", "outcome"), [("", "1 skipped"), ("true", "1 error")])
def test_tests_that_need_a_program_skip_but_fail_in_continuous_integration(
    shared_data: Path, tmp_path: Path, ci: str, outcome: str
) -> None:
    test = "tests/end_to_end/test_mediawiki.py::test_a_wiki_that_lags_behind_is_waited_for_as_long_as_it_says"
    environment = {**os.environ, "MEDIAWIKI": str(tmp_path), "CI": ci, "LINKSPOT_DATA": str(shared_data)}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", test]
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert outcome in done.stdout.splitlines()[-1]
    assert "mediawiki missing here: run scripts/system-packages" in done.stdout
