"""The command line: the only place that reads flags, files of settings and the environment."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and exit.

    0 means answered, 1 unusable input, 2 wrong usage, 130 stopped by Ctrl-C, 143 stopped by SIGTERM.
    """
    # Importing the commands takes half a second, in which people already press Ctrl-C.
    from linkspot.cli.early_signals import end_at_once_after_signals

    end_at_once_after_signals()
    from linkspot.cli.program import run

    sys.exit(run())
