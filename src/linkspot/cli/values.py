"""What option values mean: dates, shares, splits, lists. A value that means nothing gets one clear line."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.errors import UnusableInput

if TYPE_CHECKING:
    from linkspot.pipeline.splits import SplitDates


def folder_to_make(out: Path | None) -> Path | None:
    """Return a path for results, having checked that no file stands where a folder is to be."""
    blocking = next((path for path in (out, *out.parents) if path.exists()), None) if out else None
    if blocking is not None and not blocking.is_dir():
        raise UnusableInput(
            f"{out} is a file; expected the path of a folder to write to"
            if blocking == out
            else f"{out} cannot be a folder, since {blocking} is a file; choose another path"
        )
    return out


def file_to_write(out: Path | None) -> Path | None:
    """Return a path for a file, having checked that it is not a folder."""
    if out and out.is_dir():
        raise UnusableInput(f"{out} is a folder; --out takes the name of a file")
    return out


def start_of_day(text: str) -> datetime:
    """Return the first moment of a date that is written like 2012-12-31."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise UnusableInput(f"{text!r} is not a date; write it like {_in_iso(text) or '2012-12-31'}") from None


def end_of_day(text: str) -> datetime:
    """Return the last moment of a date that is written like 2012-12-31."""
    return start_of_day(text).replace(hour=23, minute=59, second=59, microsecond=999_999)


def period(since: str, until: str) -> tuple[datetime | None, datetime | None]:
    """Return the first and the last moment of a period between two dates; no date means no border."""
    first = start_of_day(since) if since else None
    last = end_of_day(until) if until else None
    if first and last and first > last:
        raise UnusableInput(f"--from {since} is later than --to {until}, so there is nothing between them; swap them")
    return first, last


def _in_iso(text: str) -> str:
    """Return a date with dots (12.5.2012) as linkspot reads it; nothing if the text is no such date."""
    try:
        return f"{datetime.strptime(text, '%d.%m.%Y'):%Y-%m-%d}"
    except ValueError:
        return ""


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a text with commas between them."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def survival(text: str) -> tuple[int, int]:
    """Return in how many of how many revisions a link must still be there, written like 8/10."""
    from linkspot.insertions.windows import LOOK_AHEAD

    kept, slash, of = text.partition("/")
    is_share = slash and kept.isdecimal() and of.isdecimal()
    if not (is_share and 0 < int(of) <= LOOK_AHEAD and int(kept) <= int(of)):
        raise UnusableInput(
            f"{text!r} does not say in how many of the next revisions a link must stay; "
            f"write it like 8/10, the second number at most {LOOK_AHEAD}"
        )
    return int(kept), int(of)


def split_of(text: str) -> "tuple[str, SplitDates]":
    """Return a corpus' name and the dates of its splits, written like nlwiki=2023-01-01,2023-07-01."""
    from linkspot.pipeline.splits import TEST_ALONE, VALIDATION_ALONE, SplitDates

    name, equals, dates = text.partition("=")
    first, comma, second = dates.partition(",")
    whole = {"test": TEST_ALONE, "validation": VALIDATION_ALONE}
    if name and dates in whole:
        return name, whole[dates]
    if not (name and equals and comma):
        raise UnusableInput(
            f"{text!r} does not say when to split; "
            "write it like nlwiki=2023-01-01,2023-07-01, nlwiki=validation or nlwiki=test"
        )
    return name, SplitDates(start_of_day(first), start_of_day(second))


def spark_setting(text: str) -> tuple[str, str]:
    """Return the name and the value of a Spark setting that is written like spark.executor.memory=4g."""
    name, equals, value = text.partition("=")
    if not (equals and name.startswith("spark.")):
        raise UnusableInput(f"{text!r} is not a Spark setting; write it like spark.executor.memory=4g")
    return name, value
