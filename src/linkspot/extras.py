"""Extras: the optional packages that only some commands need, and the pip command that installs them."""

from enum import StrEnum
from importlib.util import find_spec

from linkspot.errors import MissingExtra


class Extra(StrEnum):
    """A set of optional packages, under the name that pip knows it by: `pip install 'linkspot[data]'`."""

    DATA = "data"
    TRAIN = "train"
    SPARK = "spark"
    PLOTS = "plots"
    SEVEN_ZIP = "7z"
    ZIM = "zim"
    SERVE = "serve"


_DATA = ("duckdb", "httpx2", "ibis", "lxml", "pandas", "pyarrow")
_TORCH = ("torch", "transformers")
# The modules that linkspot imports of each extra; pyproject.toml has the packages that they come in.
MODULES = {
    Extra.DATA: _DATA,
    Extra.TRAIN: (*_DATA, "accelerate", "onnx", *_TORCH),
    Extra.SPARK: ("pyspark",),
    Extra.PLOTS: ("matplotlib",),
    Extra.SEVEN_ZIP: ("py7zr",),
    Extra.ZIM: ("libzim",),
    Extra.SERVE: ("fastapi", "httpx2", "prometheus_client", "pyarrow", "sqlalchemy", "uvicorn"),
}


def require(extra: Extra, purpose: str, modules: tuple[str, ...] = ()) -> None:
    """Raise MissingExtra, with the pip command to run, if a module of the extra is not installed.

    `modules` are those that the purpose needs, if it can do without the others.
    """
    missing = [module for module in modules or MODULES[extra] if find_spec(module) is None]
    if missing:
        *others, last = missing
        packages = f"{', '.join(others)} and {last}" if others else last
        raise MissingExtra(f"{purpose} needs {packages}; run: pip install 'linkspot[{extra}]'")


def require_torch(purpose: str) -> None:
    """Raise MissingExtra if torch or transformers are not installed, which run models that are not exported."""
    require(Extra.TRAIN, purpose, _TORCH)
