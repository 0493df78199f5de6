"""`scripts/train` as a whole, on real wikis cut small: from dumps to a model that answers."""

import lzma
import os
import subprocess
import tarfile
from itertools import islice
from pathlib import Path

import pytest

from linkspot.model.config import CARD, ModelConfig, ModelKind

PROJECT = Path(__file__).parent.parent.parent
_PAGES = 30  # of Wikipedias
_REVISIONS = 60  # of the page with a long history
_DAYS = ("2025-08-01", "2025-10-01", "2026-01-01")  # of MDN's pages, to learn from, to validate on, to test
_MDN = "files/en-us/web/html/reference/elements"


@pytest.mark.slow
@pytest.mark.shared_data
def test_the_model_that_ships_is_made_from_the_wikis_by_one_command(shared_data: Path, tmp_path: Path) -> None:
    data, work, model = tmp_path / "data", tmp_path / "work", tmp_path / "model"
    _small_wikis(shared_data, data)

    for _ in range(2):  # what is finished stays as it is
        run = subprocess.run(
            [PROJECT / "scripts" / "train", work, model],
            env={**os.environ, "LINKSPOT_DATA": str(data)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr[-2_000:]

    assert ModelConfig.of_folder(model).kind is ModelKind.DUAL
    assert sum(path.stat().st_size for path in model.iterdir()) < 80_000_000
    card = (model / CARD).read_text(encoding="utf-8")
    assert "## Encoder" in card
    assert "GFDL" in card
    page = tmp_path / "page.md"
    page.write_text("# Trains\n\nTrains carry coal. They run on rails.\n\n## Stations\n\nTrains stop at stations.\n")
    target = tmp_path / "Platform.md"
    target.write_text("# Platform\n\nA platform is where trains stop at a station.\n")
    answer = subprocess.run(
        [PROJECT / ".venv/bin/linkspot", "suggest", page, "--target", target, "--ranker", model, "--anyway"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    assert "stations" in answer.stdout


def _small_wikis(real: Path, data: Path) -> None:
    for folder in ("wikipedia", "openttd", "mdn"):
        (data / folder).mkdir(parents=True)
    for language in ("de", "ko", "sr"):
        name = f"openttd/openttd-{language}-pages-meta-history.xml.xz"
        (data / name).symlink_to(real / name)
    name = "wikipedia/ukwiki-truncated-100k.xml.xz"
    text = _cut(real / name, "</page>", _PAGES)
    with lzma.open(data / name, "wt", encoding="utf-8") as file:
        file.write(f"{text}</mediawiki>\n")
    (history,) = (real / "wikipedia").glob("enwiki-Anarchism-*.lzma")
    text = _cut(history, "</revision>", _REVISIONS)
    with lzma.open(data / "wikipedia" / history.name, "wt", format=lzma.FORMAT_ALONE, encoding="utf-8") as file:
        file.write(f"{text}</page></mediawiki>\n")
    schools = "wikipedia/wikipedia-for-schools-2007-en.tar.xz"
    with tarfile.open(real / schools, "r|xz") as archive, tarfile.open(data / schools, "w:xz") as small:
        for member in islice((one for one in archive if one.isfile()), _PAGES):
            small.addfile(member, archive.extractfile(member))
    _small_mdn(real / "mdn" / "mdn.bundle", data / "mdn" / "mdn.bundle")


def _cut(dump: Path, end: str, count: int) -> str:
    """Return the lines of a dump up to the end of so many elements."""
    found: list[str] = []
    with lzma.open(dump, "rt", encoding="utf-8") as lines:
        for line in lines:
            found.append(line)
            count -= end in line
            if not count:
                break
    return "".join(found)


def _small_mdn(bundle: Path, out: Path) -> None:
    """Keep one folder of MDN as it stood on a few days."""
    whole, few = out.parent / "whole", out.parent / "few"
    _git(out.parent, "clone", "--quiet", "--branch=main", str(bundle), "whole")
    _git(out.parent, "init", "--quiet", "few")
    for day in _DAYS:
        commit = _git(whole, "rev-list", "-1", f"--before={day}", "main").strip()
        _git(whole, "checkout", "--quiet", commit)
        _git(few, f"--work-tree={whole}", "add", "--all", _MDN)
        _git(
            few,
            "-c",
            "user.name=m",
            "-c",
            "user.email=m@example.org",
            "commit",
            "--quiet",
            f"--date={day}T12:00:00",
            "-m",
            day,
        )
    _git(few, "bundle", "create", str(out), "HEAD", "--branches")


def _git(folder: Path, *words: str) -> str:
    env = {**os.environ, "GIT_COMMITTER_DATE": next((w[7:] for w in words if w.startswith("--date=")), "")}
    env = {name: value for name, value in env.items() if value}
    return subprocess.run(["git", *words], cwd=folder, env=env, capture_output=True, text=True, check=True).stdout
