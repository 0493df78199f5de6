"""The script that installs what only some tests need: as root by itself, through sudo only if asked to."""

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

    def run(self, *arguments: str, code: int = 0, **environment: str) -> tuple[list[str], list[str]]:
        """Return the lines that the script prints and those that it complains with; it must end with that code."""
        variables = {
            "PATH": str(self.folder),
            **dict.fromkeys(("MEDIAWIKI", "POSTGRESQL"), str(self.folder)),
            **environment,
        }
        done = subprocess.run([SCRIPT, *arguments], env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == code
        return done.stdout.splitlines(), done.stderr.splitlines()

    def calls_of(self, name: str) -> list[str]:
        """Return the arguments of each call of a program that was added with `notes_calls`."""
        calls = self.folder / f"{name}.calls"
        return calls.read_text(encoding="utf-8").splitlines() if calls.exists() else []

    def notes_calls(self, name: str, script: str = "") -> None:
        self.add(name, f'echo "$@" >> {self.folder / name}.calls\n{script}')


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
            "postgresql: missing, for the tests of decisions in a database",
            "mariadb: missing, for the tests of decisions in a database",
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
        f"system-packages: missing: java php mediawiki chromium postgresql mariadb (apt-get is not available); these "
        f"{consequence}: the tests in a browser, the tests of decisions in a database, the tests with Spark, "
        "the tests with a live wiki"
    ]


def test_users_other_than_root_get_the_command_to_run_and_sudo_is_not_called(machine: Machine) -> None:
    machine.add("id", "echo 1000")
    machine.notes_calls("sudo", 'exec "$@"')
    machine.notes_calls("apt-get")
    lines, (complaint,) = machine.run()
    assert lines == []
    assert "(to install them, run: make system-packages); these skip" in complaint
    assert (machine.calls_of("sudo"), machine.calls_of("apt-get")) == ([], [])


def test_root_installs_without_sudo(machine: Machine) -> None:
    machine.add("id", "echo 0")
    machine.notes_calls("sudo", 'exec "$@"')
    machine.notes_calls("apt-get")
    lines, (complaint,) = machine.run()
    assert lines == ["Installing what some tests need: java php mediawiki chromium postgresql mariadb"]
    assert "apt-get could not install them" in complaint
    assert machine.calls_of("sudo") == []
    assert any(call.endswith("update") for call in machine.calls_of("apt-get"))


def test_sudo_installs_what_it_can_if_asked_to_and_fails_for_the_rest(machine: Machine) -> None:
    machine.add("id", "echo 1000")
    machine.notes_calls("sudo", 'exec "$@"')
    chromium = machine.folder / "chromium"
    install = f'echo "#!/bin/sh" > {chromium}; chmod +x {chromium}'
    machine.add("apt-get", f'case "$*" in *chromium) {install} ;; *) exit 100 ;; esac')
    lines, (complaint,) = machine.run("--sudo", code=1)
    assert lines == ["Installing what some tests need: java php mediawiki chromium postgresql mariadb"]
    assert complaint.startswith(
        "system-packages: missing: java php mediawiki postgresql mariadb (apt-get could not install them)"
    )
    assert len(machine.calls_of("sudo")) == 7  # one update, and one for each of the six


def test_make_system_packages_is_what_asks_for_sudo() -> None:
    command = ["make", "--no-print-directory", "--dry-run", "system-packages"]
    assert subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout.split() == [
        "scripts/system-packages",
        "--sudo",
    ]


def test_where_nothing_is_missing_nothing_is_done(machine: Machine) -> None:
    machine.add("apt-get", "exit 100")
    machine.add("java", "echo 'openjdk version \"17.0.9\"' >&2")
    machine.add("php", "for module in pdo_sqlite curl dom mbstring; do echo $module; done")
    machine.add("google-chrome", "")
    for name in ("initdb", "mariadb-install-db", "mariadbd"):
        machine.add(name, "")
    (machine.folder / "maintenance").mkdir()
    (machine.folder / "maintenance" / "install.php").touch()
    assert machine.run() == machine.run("--sudo") == ([], [])


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
    assert "mediawiki is not installed; to install it, run: make system-packages" in done.stdout
