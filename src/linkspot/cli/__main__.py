"""Lets `python -m linkspot.cli` run the command line."""

from linkspot.cli import main

main()
