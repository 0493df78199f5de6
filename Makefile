# make demo   sets up and answers for the sample pages
# make test   sets up and runs every check and test
# make lint   the checks alone
# make train  trains the model that comes with linkspot (see docs/default-model.md)
# make bench  measures speed and quality (see bench/RESULTS.md)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
READY := $(VENV)/.ready
DEV_READY := $(VENV)/.dev-ready
BENCH_READY := $(VENV)/.bench-ready

.PHONY: demo test lint train bench clean

demo: $(READY)
	@$(BIN)/linkspot demo

test: lint
	@scripts/system-packages
	$(BIN)/pytest -m 'not slow' --numprocesses logical --maxprocesses 4 --dist loadfile

lint: $(DEV_READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

train: $(DEV_READY)
	scripts/train

bench: $(BENCH_READY)
	$(BIN)/python -m bench

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "linkspot needs Python 3.11 or later; name one with: make PYTHON=python3.12")'
	@echo "Setting up $(VENV) (once) …"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --editable .
	@touch $@

# torch by itself and first: what else asks for it then takes this version.
$(DEV_READY): $(READY)
	@echo "Setting up what checks and tests need (once) …"
	@$(PIP) torch==2.13.0
	@$(PIP) --editable ".[dev]"
	@touch $@

$(BENCH_READY): $(DEV_READY)
	@$(PIP) --editable ".[bench]"
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis bench/.cache
