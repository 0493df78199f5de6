"""Formulas between dollars, which are not prose: `$x$` and `$$x$$` in a line, `$$` around lines."""

import re

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from linkspot.parsing.markdown.dialects.hidden import hide

_LONGEST = 2_000  # characters of a formula; an unclosed one must not make the parser look through the whole page
# Money and variables are not formulas (`$5 and $10`, `$HOME/$USER`): a closing dollar has neither a blank before it
# nor a letter or digit behind it.
_FORMULA = re.compile(r"\$\$(?:[^$\\]|\\.)+\$\$|\$(?=\S)(?!\$)(?:[^$\\]|\\.)*?(?<!\s)\$(?![\w$])", re.DOTALL)
_FENCE = "$$"


def add(md: MarkdownIt) -> None:
    """Hide formulas."""
    md.inline.ruler.before("escape", "formula", _formula)
    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    md.block.ruler.before("fence", "formula_block", _formula_block, alternatives)


def _formula(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "$" or (state.pos and state.src[state.pos - 1].isalnum()):
        return False
    match = _FORMULA.match(state.src, state.pos, min(state.posMax, state.pos + _LONGEST))
    return hide(state, match, silent)


def _formula_block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    if state.is_code_block(start_line) or _words(state, start_line) != _FENCE:
        return False
    for line in range(start_line + 1, end_line):
        if state.sCount[line] < state.blkIndent or state.isEmpty(line):
            return False
        if _words(state, line).endswith(_FENCE):
            if not silent:
                state.line = line + 1
            return True
    return False


def _words(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].strip()
