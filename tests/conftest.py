"""What several tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no fault of the code: how long one example takes says nothing. In continuous integration the
# examples are always the same, so that a change is judged by itself.
settings.register_profile("linkspot", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("linkspot")

PROJECT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real wikis that DATA.md of the data describes; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("LINKSPOT_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real wikis here: set LINKSPOT_DATA to a folder that has them (looked in {folder.name}/)")
    return folder
