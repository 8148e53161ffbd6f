# Two commands: `make book` and `make test`. They need Python 3.11 to 3.13 and make, nothing else.

SHELL      := /bin/bash
VENV       ?= .venv
BIN         = $(VENV)/bin
# uv, when it works here, installs in seconds what pip installs in a minute.
UV         := $(shell uv --version >/dev/null 2>&1 && command -v uv)
is_known    = import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON     ?= $(firstword $(foreach p,python3.11 python3.12 python3.13 python3 python,$(shell $(p) -c '$(is_known)' 2>/dev/null && echo $(p))))

# Parameters of the notebooks; an empty one leaves each notebook's own default.
PROFILE    ?=
JOBS       ?=
PARAMETERS ?=
PROCESSES  ?= 2
FETCH      ?= 0
LIVE       ?= 1
switches    = $(if $(filter 1,$(FETCH)),--fetch) $(if $(filter 0,$(LIVE)),--recorded-only)
arguments   = $(if $(PROFILE),profile=$(PROFILE)) $(if $(JOBS),jobs=$(JOBS)) $(PARAMETERS)

.DEFAULT_GOAL := help
.PHONY: help book notebook lab test quicktest data bench environment audit faults fuzz lint house lock pair clean
.DELETE_ON_ERROR:

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)$$/make \1|\2/' | column -t -s '|'
	@echo
	@echo 'make book takes PROFILE=quick|standard|paper, JOBS=n (workers inside a notebook),'
	@echo 'PROCESSES=n (notebooks or tests at a time) and PARAMETERS="name=value ..."; all take PYTHON= and VENV=.'
	@echo 'make book FETCH=1 downloads small datasets first (30 s, 6 MB at most); LIVE=0 shows recorded numbers only.'
	@echo 'make notebook takes NB=CHAPTER/NN and the parameters of make book.'

# Between builds the executed notebooks are kept, and the pages as long as nothing changes that they are made of.
book: $(VENV)/.stamp ## execute the notebooks that changed and build _build/html/index.html
	$(BIN)/python scripts/build_book.py --processes $(PROCESSES) $(switches) $(arguments)
	$(BIN)/python scripts/render_book.py

notebook: $(VENV)/.stamp ## execute one notebook: make notebook NB=pace/02
	$(BIN)/python scripts/run_notebook.py "$(NB)" $(arguments)

lab: $(VENV)/.lab ## open the notebooks in JupyterLab
	OMP_NUM_THREADS=1 $(BIN)/jupyter lab notebooks

pdf: $(VENV)/.stamp ## print the built book, all pages but the API, to _build/compactml.pdf
	$(BIN)/python scripts/print_book.py

# Each process begins with a half of the files, in their order, and takes from the other what that has not begun.
PYTEST      = $(BIN)/python -m pytest -n $(PROCESSES) --dist worksteal

test: $(VENV)/.stamp ## run all tests
	@$(PYTEST)

quicktest: $(VENV)/.stamp ## two minutes of tests on two cores, for before each commit
	@$(PYTEST) -q --quick

fuzz: $(VENV)/.stamp ## call every public name with hostile inputs: INPUTS=200 of each, SEED=1
	$(BIN)/python -m tests.fuzz.running $(or $(INPUTS),200) $(or $(SEED),1)

data: $(VENV)/.stamp ## download every registered dataset that is not at hand
	$(BIN)/compactml data fetch

bench: $(VENV)/.stamp ## measure speed and quality (python -m benchmarks)
	$(BIN)/python -m benchmarks

environment: .environments/$(NAME)/lock.txt ## install an environment of its own: NAME=aix360, fipepy, imodels, weka, ...

# What some trials run in: programs of others with other libraries. The copy of the lock says what was installed.
.environments/%/lock.txt: environments/%.txt pyproject.toml
	rm -rf .environments/$*
	$(PYTHON) -m venv .environments/$*
	if [ -f environments/$*-build.txt ]; then \
	  .environments/$*/bin/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps -r environments/$*-build.txt; fi
	.environments/$*/bin/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps --no-build-isolation -r $<
	.environments/$*/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	cp $< $@

audit: ## ask the database of known faults about all locked packages; Error 3: not audited
	@$(MAKE) --no-print-directory environment NAME=pip-audit || true  # the script says that it is not there
	@$(PYTHON) scripts/audit.py

faults: $(VENV)/.stamp ## kill, damage and mislead, at random moments: all of tests/faults (an hour or so)
	@FAULTS=all $(BIN)/python -m pytest -q -s tests/faults

lint: $(VENV)/.stamp ## ruff, mypy and the layer contract
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python scripts/check_notebooks.py
	$(BIN)/lint-imports --no-logo --no-cache

house: $(VENV)/.stamp ## measure the structure of the sources against what CONTRIBUTING says
	$(BIN)/python scripts/house.py

LOCK = uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --custom-compile-command 'make lock'

lock: ## resolve requirements*.in into the hashed requirements*.lock (needs uv)
	$(LOCK) requirements.in -o requirements.lock
	$(LOCK) requirements-lab.in -o requirements-lab.lock

pair: $(VENV)/.stamp ## write the .ipynb beside each notebook's text
	find notebooks -name '*.md' -exec $(BIN)/jupytext --quiet --to ipynb --update {} +

clean: ## remove everything that was built (keeps $(VENV))
	rm -rf _build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# pip and uv check every hash; the project itself is installed in place and without a second resolution.
$(VENV)/.stamp: requirements.lock pyproject.toml
	@$(if $(PYTHON),$(PYTHON) -c '$(is_known)',false) || { \
	  echo 'This project needs Python 3.11, 3.12 or 3.13, found: "$(PYTHON)". Try: make PYTHON=/path/to/python3.11' >&2; exit 1; }
ifneq ($(UV),)
	$(UV) venv -q --allow-existing --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" $(VENV)
	$(UV) pip sync -q --compile-bytecode --require-hashes --python $(BIN)/python requirements.lock
	$(UV) pip install -q --no-deps --no-build-isolation --python $(BIN)/python -e .
else
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
endif
	@touch $@

# JupyterLab beside the locked packages: its own lock has their versions for all that both need.
$(VENV)/.lab: requirements-lab.lock $(VENV)/.stamp
ifneq ($(UV),)
	$(UV) pip install -q --compile-bytecode --require-hashes --python $(BIN)/python -r requirements-lab.lock
else
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-lab.lock
endif
	@touch $@
