# SPDX-License-Identifier: Apache-2.0
# One command per job; each installs what it lacks (tools/setup) and then calls the tool that does the work.
.DEFAULT_GOAL := help
JOBS ?= 2
FUZZ_SECONDS ?= 60
SHARE ?= 0/1
IN_PARALLEL := -n $(JOBS) --dist loadfile
# The wheel and the shared libraries are built from the same batches, in folders beside build: ccache knows them if paths
# are relative.
export CCACHE_BASEDIR ?= $(CURDIR)
# Properties are tested with the same random cases everywhere, so that a test fails for everybody or for nobody;
# `make soak` looks for new ones.
SEED ?= 2020
export RC_PARAMS ?= seed=$(SEED)
# Texts are UTF-8, and tools print and sort alike everywhere.
export LC_ALL := C.UTF-8

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

.PHONY: setup
setup: ## install what building and testing need
	@tools/setup build test mpi fuzz lint docs

.PHONY: build
build: ## build the program, build/doeblin
	@tools/setup build
	@cmake --preset release -DDOEBLIN_BUILD_TESTS=OFF -DDOEBLIN_BUILD_BENCHMARKS=OFF -DDOEBLIN_BUILD_PYTHON=OFF > /dev/null
	@cmake --build --preset release --parallel $(JOBS)

.PHONY: run
run: build ## build, then show the main job: a private model of the bundled data, with its certificate
	@echo; tools/demo

.PHONY: test
test: ## everything CI runs: layering, unit and property tests, command line, examples, install, Python, docs, some fuzz, sanitize, tidy
	@tools/setup build test mpi fuzz lint docs
	@python3 tools/check_layers.py
	@cmake --preset release -DDOEBLIN_BUILD_TESTS=ON -DDOEBLIN_BUILD_BENCHMARKS=OFF -DDOEBLIN_BUILD_PYTHON=OFF > /dev/null
	@cmake --build --preset release --parallel $(JOBS)
	@$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=10
	@$(MAKE) --no-print-directory sanitize SHARE=$$(tools/share --now 60)
	@$(MAKE) --no-print-directory tidy SHARE=$$(tools/share --now 12)
	@.venv/bin/python -m pytest -q $(IN_PARALLEL) tests/cli tests/tools
	@.venv/bin/python tools/adversary/run.py --cases 20 --seed $(SEED) --patience 6 --jobs $(JOBS)
	@$(MAKE) --no-print-directory test-python
	@$(MAKE) --no-print-directory docs
	@ctest --preset release --parallel $(JOBS)

.PHONY: test-python
test-python: ## build the wheel, install it in an environment of its own and test it there
	@tools/setup build test
	@[ -x build/doeblin ] || $(MAKE) --no-print-directory build
	@JOBS=$(JOBS) tools/wheel
	@SCIPY_ARRAY_API=1 build/wheel-env/bin/python -m pytest -q $(IN_PARALLEL) tests/python
	@cd build/wheel-env && bin/python -m pytest -q -p no:cacheprovider --pyargs --doctest-modules doeblin

.PHONY: wheel
wheel: ## build the Python wheel into build/wheels
	@tools/setup build wheel
	@JOBS=$(JOBS) tools/wheel

.PHONY: sanitize
sanitize: ## the unit tests under AddressSanitizer and UndefinedBehaviorSanitizer, or a SHARE of them (3/60)
	@tools/setup build test fuzz
	@JOBS=$(JOBS) tools/sanitize $(SHARE)

.PHONY: soak
soak: ## new random cases for MINUTES (10): up to ROUNDS (10) of the property tests, then the adversary
	@tools/setup build test
	@[ -x build/tests/core_tests ] || { echo "soak: run 'make test' first, which builds the tests" >&2; exit 2; }
	@JOBS=$(JOBS) tools/soak $(or $(ROUNDS),10) $(or $(MINUTES),10)

.PHONY: fuzz
fuzz: ## fuzz the expression parser and all readers of files under sanitizers, for FUZZ_SECONDS (60) each
	@tools/setup build fuzz
	@cmake --preset fuzz > /dev/null
	@cmake --build --preset fuzz --target fuzzers --parallel $(JOBS)
	@printf '%s\n' 'expression corpus' 'kernel_file kernel_corpus' 'csv_release release_corpus' 'data_file data_corpus' \
	  'certificate certificate_corpus' 'plan plan_corpus' | xargs -P $(JOBS) -I{} sh -c 'tools/fuzz {} $(FUZZ_SECONDS)'

.PHONY: bench
bench: ## every question to us and to the field, in one run: bench/RESULTS.md and its plots (25 minutes)
	@tools/setup build wheel mpi bench
	@cmake --preset release -DDOEBLIN_BUILD_TESTS=OFF -DDOEBLIN_BUILD_BENCHMARKS=ON -DDOEBLIN_BUILD_PYTHON=OFF > /dev/null
	@cmake --build --preset release --parallel $(JOBS)
	@JOBS=$(JOBS) tools/wheel
	@tools/bench

.PHONY: bench-guard
bench-guard: ## instructions of ten key queries against the stored ones: fails on 3% more
	@tools/setup build guard
	@[ -x build/doeblin ] || $(MAKE) --no-print-directory build
	@python3 bench/guard.py build/doeblin bench/guard.json

.PHONY: docs
docs: ## build the documentation site into build/docs/html, without a network: plots, pages, API, links
	@tools/setup build wheel docs
	@[ -x build/doeblin ] || $(MAKE) --no-print-directory build
	@JOBS=$(JOBS) tools/wheel
	@build/wheel-env/bin/python -m pip install --quiet --disable-pip-version-check -r docs/requirements.txt
	@build/wheel-env/bin/python tools/site/build.py build/doeblin build/docs

.PHONY: reference
reference: ## recompute the truth tables of tests/data (minutes) and the tables compiled into the library
	@tools/setup python
	.venv/bin/python tools/tables/mills_table.py > build/mills_table.hpp
	mv build/mills_table.hpp src/numerics/mills_table.hpp
	.venv/bin/python tools/reference/generate.py

.PHONY: check-reference
check-reference: ## recompute a sample of the truth tables at doubled precision, and by a second route
	@tools/setup python
	.venv/bin/python tools/reference/generate.py --check
	.venv/bin/python tools/reference/cross_check.py
	.venv/bin/python tools/reference/iteration_cross_check.py
	.venv/bin/python tools/reference/mixing_cross_check.py
	.venv/bin/python tools/reference/diffusion_cross_check.py

.PHONY: format
format: ## format the C++ sources
	@tools/setup lint
	@git ls-files '*.cpp' '*.hpp' | grep -v mills_table.hpp | xargs clang-format -i

.PHONY: tidy
tidy: ## static analysis of the library and the program, or of a SHARE of it (3/12)
	@tools/setup build mpi lint
	@JOBS=$(JOBS) tools/tidy $(SHARE)

.PHONY: install
install: build ## install the program and the C++ package under PREFIX (/usr/local)
	@cmake --install build --prefix $(or $(PREFIX),/usr/local)

.PHONY: clean
clean: ## remove everything that was built
	@rm -rf build build-debug build-fuzz build-shared build-tidy build-wheel-*
