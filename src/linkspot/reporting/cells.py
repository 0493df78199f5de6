"""Cells of a report's tables: what they hold, and how they are written for people."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its confidence interval, and a mark that is shown behind it."""

    value: float
    low: float
    high: float
    mark: str = ""

    @property
    def margin(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2


Cell = str | int | float | Estimate | None
Cells = tuple[Cell, ...]


def count(cell: Cell) -> str:
    """Write a count: 1,200."""
    return f"{cell:,}"


def ratio(cell: Cell) -> str:
    """Write a number of any size: 1.33."""
    return f"{cell:.2f}"


def share(cell: Cell) -> str:
    """Write a share in percent: 33.3%."""
    return f"{cell:.1%}"


def metric(cell: Cell) -> str:
    """Write a number from 0 to 1 as papers do: .512."""
    return f"{cell.value if isinstance(cell, Estimate) else cell:.3f}".removeprefix("0")


def difference(cell: Cell) -> str:
    """Write a difference with its sign: +.012, −.012."""
    text = f"{cell:+.3f}".replace("-", "−")
    return text[0] + text[1:].removeprefix("0")


def with_margin(cell: Cell) -> str:
    """Write an estimate with its margin: .512 ±.013."""
    return f"{metric(cell)} ±{metric(cell.margin)}" if isinstance(cell, Estimate) else metric(cell)


def share_with_margin(cell: Cell) -> str:
    """Write an estimated share with its margin: 33.3% ±2.1."""
    return f"{cell.value:.1%} ±{100 * cell.margin:.1f}" if isinstance(cell, Estimate) else share(cell)


def p_value(cell: Cell) -> str:
    """Write a p-value with four digits: .0321, <.0001."""
    number = f"{cell:.4f}"
    return "<.0001" if number == "0.0000" else number.removeprefix("0")
