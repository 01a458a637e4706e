# `make lab` to learn, `make test` to test. Needs Python 3.11 or newer with venv, and a network.
# Without make: the README has the same lines.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Further options of `jupyter lab`: make lab OPTIONS="--no-browser --port 9000"
OPTIONS ?=
# The CUDA toolkit parts for your driver: gpu (CUDA 13) or gpu-cu12
CARD ?= gpu
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help lab test test-all gpu bench notebooks clean

help:
	@echo "make lab        open JupyterLab on your own copy of the notebooks"
	@echo "make test       run the tests and compare every notebook with a fresh run"
	@echo "make test-all   the same, with what is exhaustive or long"
	@echo "make gpu        run what needs an H100 or H200"
	@echo "make bench      measure the speed ratios"
	@echo "make notebooks  execute and store every notebook"
	@echo "make clean      remove .venv (never your notebooks)"

lab: $(VENV)/installed-run
	$(BIN)/hopperlab lab $(OPTIONS)

test: $(VENV)/installed-test
	$(PYTEST)

test-all: $(VENV)/installed-test
	$(PYTEST) -m "not gpu and not bench"

gpu: $(VENV)/installed-$(CARD)
	HOPPERLAB_MACHINE=silicon HOPPERLAB_CARD=required $(PYTEST) -m gpu

bench: $(VENV)/installed-test
	$(PYTEST) -m bench

notebooks: $(VENV)/installed-run
	$(BIN)/hopperlab notebooks

clean:
	rm -rf $(VENV)

# What is installed is remembered in stamps; a change of pyproject.toml makes them stale.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "$(PYTHON) is too old: Python 3.11 or newer is needed (make PYTHON=python3.12 ...)"; exit 1; }
	$(PYTHON) -m venv $(VENV) \
	  || { rm -rf $(VENV); echo "no venv: on Debian and Ubuntu, apt-get install python3-venv"; exit 1; }

$(VENV)/installed-run: pyproject.toml | $(BIN)/pip
	$(BIN)/pip install -e .
	@touch $@

$(VENV)/installed-test: pyproject.toml | $(BIN)/pip
	$(BIN)/pip install -e ".[test]"
	@touch $@ $(VENV)/installed-run

$(VENV)/installed-gpu $(VENV)/installed-gpu-cu12: $(VENV)/installed-%: pyproject.toml | $(BIN)/pip
	$(BIN)/pip install -e ".[test,$*]"
	@touch $@ $(VENV)/installed-test $(VENV)/installed-run
