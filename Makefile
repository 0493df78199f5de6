# make demo             installs linkspot and answers for the sample pages
# make serve            installs linkspot and starts the service at http://127.0.0.1:8080/
# make test             installs everything and runs all checks and tests
# make lint             runs the checks only
# make docs             builds the documentation site in site/
# make system-packages  installs the programs that some tests need (Java, PHP, MediaWiki, Chromium, PostgreSQL, MariaDB), through sudo
# make lock             writes the newest versions of all packages into constraints.txt
# make train            trains the model that comes with linkspot (see docs/default-model.md)
# make bench            measures speed and quality (see bench/RESULTS.md)
# make clean            removes everything that these commands made, except for the trained model

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The same versions tomorrow, of what is installed and of what builds it.
LOCKED := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt
PIP := $(LOCKED) $(BIN)/python -m pip install --quiet --disable-pip-version-check
TORCH := torch==2.13.0
READY := $(VENV)/.ready
SERVE_READY := $(VENV)/.serve-ready
DEV_READY := $(VENV)/.dev-ready
BENCH_READY := $(VENV)/.bench-ready

.PHONY: demo serve test lint docs system-packages lock train bench clean

demo: $(READY)
	@$(BIN)/linkspot demo

serve: $(SERVE_READY)
	@$(BIN)/linkspot serve

# Python 3.12 and later count lines at almost no cost; COVERAGE_CORE says so.
test: lint docs
	@scripts/system-packages
	COVERAGE_CORE=$$($(BIN)/python -c 'import sys; print("sysmon" if sys.version_info >= (3, 12) else "ctrace")') \
		$(BIN)/pytest -m 'not slow' --numprocesses logical --maxprocesses 4 --dist loadfile --cov

lint: $(DEV_READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(DEV_READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

system-packages:
	@scripts/system-packages --sudo

lock:
	scripts/lock $(PYTHON) $(TORCH)

train: $(DEV_READY)
	scripts/train

bench: $(BENCH_READY)
	$(BIN)/python -m bench

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "linkspot needs Python 3.11 or later; choose one like this: make PYTHON=python3.12")'
	@echo "Setting up $(VENV) (once) …"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --editable .
	@touch $@

$(SERVE_READY): $(READY)
	@$(PIP) --editable ".[serve]"
	@touch $@

# torch first and by itself, so that the packages that need it accept this version.
$(DEV_READY): $(READY)
	@echo "Setting up what the checks and tests need (once) …"
	@$(PIP) $(TORCH)
	@$(PIP) --editable ".[dev]"
	@touch $@

$(BENCH_READY): $(DEV_READY)
	@$(PIP) --editable ".[bench]"
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage bench/.cache site
