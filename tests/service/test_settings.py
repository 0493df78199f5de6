"""The settings: from flags, environment and file, each with what is wrong in one sentence."""

from pathlib import Path
from typing import Any

import pytest

from linkspot.cli.serve import read_settings
from linkspot.errors import LinkspotError, UnusableInput
from linkspot.service.settings import ServiceSettings, WikiSettings

FILE = """
port = 1000
workers = 3
contact = "file@example.org"
threshold = 0.7

[[wikis]]
api = "https://bat-smg.wikipedia.org/w/api.php"
index = "samogitian"

[[wikis]]
api = "https://wiki.example.org/w/api.php"
name = "ours"
domain = "en"

[limits]
top = 7
seconds = 1
"""
SW = "https://sw.wikipedia.org/w/api.php"


def read(
    folder: Path,
    file: str = "",
    environment: dict[str, str] | None = None,
    wikis: tuple[str, ...] = (),
    indexes: tuple[str, ...] = (),
    **flags: Any,
) -> ServiceSettings:
    path = folder / "service.toml"
    path.write_text(file, encoding="utf-8")
    return read_settings(path if file else None, environment or {}, flags, list(wikis), list(indexes))


def test_a_flag_comes_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    settings = read(tmp_path, FILE, {"LINKSPOT_WORKERS": "5", "PORT": "2000"}, port=3000)
    assert (settings.port, settings.workers, settings.contact) == (3000, 5, "file@example.org")
    assert (settings.limits.top, settings.limits.seconds, settings.limits.targets) == (7, 1.0, 50)
    assert read(tmp_path, environment={"PORT": "2000", "MODEL_NAME": "x"}).port == 2000
    assert read(tmp_path) == ServiceSettings()


def test_wikis_have_the_names_that_clients_call_them_by(tmp_path: Path) -> None:
    settings = read(tmp_path, FILE, wikis=(SW, "trees=https://127.0.0.1:8443/api.php"), indexes=("swwiki=folder",))
    for name in ("bat-smg.wikipedia.org", "wikipedia/bat_smg", "bat_smgwiki"):
        wiki = settings.wiki(name)
        assert wiki is not None
        assert wiki.index == Path("samogitian")
    sw = settings.wiki("wikipedia/sw")
    assert sw is not None
    assert (sw.api, sw.index) == (SW, Path("folder"))
    assert settings.wiki("ours") == WikiSettings("https://wiki.example.org/w/api.php", "ours", domain="en")
    assert settings.wiki("trees") is not None
    assert settings.wiki("https://sw.wikipedia.org") is None


@pytest.mark.parametrize(
    ("file", "complaint"),
    [
        ("port = 'x'", "'x' is not a number; port is one"),
        ("prot = 1", "has a setting 'prot'; there are: "),
        ("port =", "cannot be read as TOML"),
        ("[limits]\ntip = 1", "the limits are a table of these numbers: batch, "),
        ("[limits]\ntop = 'x'", "'x' is not a number; top is one"),
        ("wikis = 7", "wikis are tables"),
        ("[[wikis]]\nname = 'x'", "needs the address of its api.php"),
        ("[[wikis]]\napi = 'https://x.org/api.php'", "wants to know who reads it"),
        ("threshold = 7", "a threshold is between 0 and 1"),
        ("workers = -1", "at least 1 worker"),
        ("host = 7", "host is a text, not 7"),
    ],
)
def test_a_wrong_file_is_explained(tmp_path: Path, file: str, complaint: str) -> None:
    with pytest.raises(LinkspotError, match=complaint.replace("(", r"\(")):
        read(tmp_path, file)


def test_two_wikis_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="two wikis are called"):
        read(tmp_path, wikis=(SW, SW), contact="a@example.org")
    with pytest.raises(UnusableInput, match="does not say whose index it is"):
        read(tmp_path, wikis=(SW, "x=https://y.org/api.php"), indexes=("folder",), contact="a@example.org")
    with pytest.raises(UnusableInput, match="names a wiki that is not given"):
        read(tmp_path, wikis=(SW,), indexes=("x=folder",), contact="a@example.org")
