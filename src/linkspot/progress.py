"""Progress: the one protocol by which every long work shows how far it is."""

from typing import Protocol


class StageProgress(Protocol):
    """Shows how far one stage of a long work is."""

    def update(self, share: float, count: int, note: str = "") -> None:
        """Show which share of the stage is done (0 to 1), how many records that are, and what else there is to say.

        A count of 0 means that nothing is counted. A note is short and changes with every update, such as a loss.
        """
        ...

    def say(self, line: str) -> None:
        """Show a line that stays, such as what a model reached on validation."""
        ...


class Progress(Protocol):
    """Shows how far a long work is: parts, if it has any, and in them one stage after another."""

    def part(self, name: str, /) -> None:
        """Show which part of the work begins."""
        ...

    def stage(self, name: str, /, begun: float = 0.0) -> StageProgress:
        """Begin a stage, of which an earlier run may have done the share `begun`; the stage before it is over."""
        ...


class SilentProgress:
    """Shows nothing: for work that nobody watches."""

    def part(self, name: str, /) -> None:
        """Show nothing."""

    def stage(self, name: str, /, begun: float = 0.0) -> StageProgress:  # noqa: ARG002 - the protocol's
        """Return what shows nothing of the stage either."""
        return self

    def update(self, share: float, count: int, note: str = "") -> None:
        """Show nothing."""

    def say(self, line: str) -> None:
        """Show nothing."""


SILENT = SilentProgress()
