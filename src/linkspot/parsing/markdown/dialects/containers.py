"""Containers, `:::note` of Docusaurus and `!!! note` of MkDocs: their markers are not prose, but their content is."""

import re

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from mdit_py_plugins.admon import admon_plugin

_MARKER = re.compile(r":{3,}(?!:)[^`\n]*$")


def add(md: MarkdownIt) -> None:
    """Skip the lines that open and close a container; unindent the content of MkDocs' admonitions."""
    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    md.block.ruler.before("fence", "container_marker", _marker, alternatives)
    md.use(admon_plugin)


def _marker(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:  # noqa: ARG001
    start = state.bMarks[start_line] + state.tShift[start_line]
    if state.is_code_block(start_line) or not _MARKER.match(state.src, start, state.eMarks[start_line]):
        return False
    if not silent:
        state.line = start_line + 1
    return True
