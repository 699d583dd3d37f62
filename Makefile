# perfolio: `make site` builds the sample report, `make test` runs every check.
# Everything happens in .venv, from locked packages; uv is used where it is installed.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
SHELL := /bin/bash

VENV ?= .venv
SITE ?= site
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
# The first of these that starts and has a supported version.
PYTHONS := python3.11 python3.12 python3.13 python3 python

# Processes that run the tests: `auto` is one per core, 0 none but pytest's own.
JOBS ?= auto
# DuckDB plans with millions of small blocks: glibc keeps a thousand of each size, not seven.
ALLOCATOR := GLIBC_TUNABLES=glibc.malloc.tcache_count=1000
PYTEST := $(ALLOCATOR) $(BIN)/pytest --numprocesses=$(JOBS) --maxprocesses=8 --dist=worksteal

# The build without a GPU, 190 MB; the package index has the one with CUDA, of 3 GB.
TORCH := torch==2.13.0+cpu

RUN_STAMP := $(VENV)/.installed-run
DEV_STAMP := $(VENV)/.installed-dev

.PHONY: help profiles site serve test test-fast check lint types contracts reading pytest torch coverage format \
	lighthouse bench fuzz handwritten house docs wheel release lock clean

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

site: $(RUN_STAMP) ## Build the report of the sample profiles into site/
	$(BIN)/perfolio build --output $(SITE)

profiles: $(RUN_STAMP) ## Simulate the profiles whose scenarios have changed
	$(BIN)/perfolio simulate

serve: $(RUN_STAMP) ## Build, serve, and rebuild on every change
	$(BIN)/perfolio serve

test: lint types contracts pytest ## Everything that CI checks: lint, types, import contracts, tests

test-fast: lint types contracts ## The same without the tests that take long (JOBS=2: in two processes)
	$(PYTEST) -m "not (browser or fuzz or real or slow or torch)" $(ARGS)

check: lint types contracts reading ## All checks but the tests

lint: $(DEV_STAMP) ## Style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEV_STAMP) ## Static types
	$(BIN)/mypy

reading: $(DEV_STAMP) ## Words on the pages of all samples and recorded inputs
	$(PYTEST) -q tests/pages/test_reading.py

contracts: $(DEV_STAMP) ## Which folder may import which
	$(BIN)/lint-imports --no-logo

pytest: $(DEV_STAMP) ## Tests; ARGS='-k store' selects some
	$(PYTEST) $(ARGS)

torch: $(DEV_STAMP) ## PyTorch for CPUs, which the tests of workloads need
	$(BIN)/python -c 'import torch' 2>/dev/null || $(UNCOMPILED) $(INSTALL) '$(TORCH)' || \
		$(UNCOMPILED) $(INSTALL) --extra-index-url https://download.pytorch.org/whl/cpu '$(TORCH)'

coverage: $(DEV_STAMP) ## Tests, and which lines of the package they run
	@mkdir -p .cache
	$(PYTEST) --cov --cov-report=term --cov-report=markdown:.cache/coverage.md $(ARGS)

format: $(DEV_STAMP) ## Format, and mend what can be mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lighthouse: site ## Scores of the sample's pages in Lighthouse (needs Node.js and Chromium)
	@mkdir -p .cache/lighthouse
	@cp tests/lighthouse/* .cache/lighthouse
	npm ci --prefix .cache/lighthouse --no-audit --no-fund --loglevel=error
	CHROME_PATH=$$(command -v chromium || command -v chromium-browser) \
		node .cache/lighthouse/run.mjs $(SITE) $(PAGES)

bench: $(DEV_STAMP) ## Seconds and memory per stage; ARGS=peers: beside other tools; ARGS=fleet: of many runs
	$(BIN)/python -m tests.bench $(ARGS)

fuzz: $(DEV_STAMP) ## Change databases at random and read them; MINUTES=30 SEED=1
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) --seed $(SEED) $(ARGS)

handwritten: $(DEV_STAMP) ## Change files that people write, and do what commands do with them; SEED=1
	$(BIN)/python -m tests.handwritten --seed $(SEED) $(ARGS)
MINUTES ?= 10
SEED ?= 1

house: $(DEV_STAMP) ## How the house stands: names, files and words, beside their budgets
	$(BIN)/python -m tests.house

docs: $(DEV_STAMP) ## Write the generated pages of docs, to read them as files
	$(BIN)/python -m reference.build

wheel: $(RUN_STAMP) ## The wheel, into dist/: it installs anywhere
	$(BIN)/python generator/release.py dist

release: $(RUN_STAMP) ## Packages, hashes, list of parts and tag of VERSION=0.1.0
	$(BIN)/python generator/release.py dist --version '$(VERSION)'

lock: ## Resolve the locks again (needs uv); UPGRADE=1 takes the newest versions
	@command -v uv >/dev/null || { echo "make lock needs uv: pip install uv" >&2; exit 1; }
	uv pip compile $(LOCK) --group build -o requirements.lock pyproject.toml
	uv pip compile $(LOCK) --group build --extra dev -c requirements.lock \
		-o requirements-dev.lock pyproject.toml
LOCK := --universal --generate-hashes --quiet --python-version 3.11 --no-config \
	--default-index https://pypi.org/simple --no-emit-index-url \
	--custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)

clean: ## Remove everything that was built
	rm -rf $(VENV) $(SITE) .cache build dist docs/reports generator/perfolio/prepared
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
ifneq ($(UV),)
	uv venv --quiet --python '>=3.11,<3.14' $(VENV)
else
	@set -u; found=; \
	for candidate in $(PYTHONS); do \
		if $$candidate -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
			2>/dev/null; then found=$$candidate; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo "Perfolio needs Python 3.11, 3.12 or 3.13: none of $(PYTHONS) is one." >&2; exit 1; \
	fi; \
	if ! $$found -c 'import ensurepip, venv' 2>/dev/null; then \
		echo "$$found cannot make a virtual environment: its venv module is missing." >&2; \
		echo "On Debian and Ubuntu: apt-get install $$($$found -c \
			'import sys; print("python%d.%d-venv" % sys.version_info[:2])')" >&2; exit 1; \
	fi; \
	echo "$$found -m venv $(VENV)"; $$found -m venv $(VENV)
endif

ifneq ($(UV),)
INSTALL := uv pip install --quiet --python $(BIN)/python
else
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

# What tests alone use: they keep compiled code of their own, of the tenth that they import.
UNCOMPILED := PIP_NO_COMPILE=1

$(RUN_STAMP): requirements.lock pyproject.toml | $(BIN)/python
	$(INSTALL) --no-deps --require-hashes -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

$(DEV_STAMP): requirements-dev.lock $(RUN_STAMP)
	$(UNCOMPILED) $(INSTALL) --no-deps --require-hashes -r requirements-dev.lock
	@touch $@
