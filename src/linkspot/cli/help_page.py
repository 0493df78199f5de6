"""Help pages in plain words: usage says PAGE, not {PAGE}; flags show no <bool>; an option shows what to write."""

from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption


class _Argument(TyperArgument):
    """An argument whose help names it and leaves its Python type out."""

    def display_type_rich(self, ctx: Any) -> str | None:  # noqa: ARG002
        return None


class _Option(TyperOption):
    """An option whose help shows its metavar alone, and nothing if it is a flag."""

    def display_type_rich(self, ctx: Any) -> str | None:
        shown = None if self.is_flag else super().display_type_rich(ctx)
        return shown and shown.strip("<>")

    def _get_number_range_help_str(self) -> str | None:
        return None  # the help says it in words, and a wrong number gets a message


class PlainCommand(TyperCommand):
    """A command with a plain help page."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the arguments and options, each shown in plain words."""
        return _plain(super().get_params(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words of the usage line."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]


class PlainGroup(TyperGroup):
    """All commands, with a plain help page."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options, each shown in plain words."""
        return _plain(super().get_params(ctx))


def _plain(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:  # typer makes them, so they can only change their class afterwards
        if type(parameter) is TyperArgument:
            parameter.__class__ = _Argument
        elif type(parameter) is TyperOption:
            parameter.__class__ = _Option
    return parameters
