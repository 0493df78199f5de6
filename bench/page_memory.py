"""A process that ranks one page and prints its peak memory in bytes: KIND and number of sentences as arguments."""

import re
import sys
from pathlib import Path

from bench.encoders import e5, exported
from bench.page_speed import THREADS, page_model, question, shipped_dual
from linkspot.encoders.onnx_encoder import OnnxEncoder
from linkspot.encoders.special_tokens import SpecialTokens
from linkspot.model.cross.scoring import PageModel
from linkspot.model.inputs import Inputs, TokenBudget

kind, size = sys.argv[1], int(sys.argv[2])
entity, pages = question()
if kind == "shipped":
    model: PageModel = shipped_dual()
else:
    inputs = Inputs.of_folder(e5(), SpecialTokens(first=0, separator=2, padding=1), TokenBudget())
    model = page_model(OnnxEncoder(exported(int8=True), THREADS), kind, inputs)
model.scores(entity, pages[size])
# Not getrusage: it would include what the parent process used before it started this one.
print(int(re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[0]) * 1024)
