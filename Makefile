# Front door: every target brings what it needs, on a bare Debian 12 with make and git. `make` alone lists the targets.
# The work itself is CMake's (CMakePresets.json) and that of the scripts named below.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:   # the steps of `test` run in the order written, cheapest first

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
TRIALS ?= 400

SOURCES = $(shell find include src tests examples bench -name '*.cc' -o -name '*.h')

.PHONY: help
help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

# ---- building and using

.PHONY: setup-build setup-test setup-bench
setup-build:
	@tools/setup.sh build
setup-test:
	@tools/setup.sh build test
setup-bench:
	@tools/setup.sh build test bench

.PHONY: build demo install clean
build: setup-build  ## the program, as build/wordbreadth
	@cmake --preset release -DWORDBREADTH_TESTS=OFF -DWORDBREADTH_BENCH=OFF --log-level=WARNING
	@cmake --build build --parallel $(JOBS)

demo: build  ## build, then show what the program does
	@examples/demo.sh

install: build  ## put program and library under PREFIX (/usr/local)
	cmake --install build --prefix $(PREFIX)

clean:  ## remove all that was built
	rm -rf build

# ---- checking

.PHONY: test
test: setup-test check-format check-sources test-release check-library test-installed lint test-asan test-tsan  ## all that CI checks
	@echo
	@grep --with-filename 'tests passed' build/ctest-*.log | sed 's|^build/ctest-\(.*\)\.log:|ctest, \1: |'
	@echo "make test: everything passed"

.PHONY: format check-format check-sources lint check-library
format: setup-test  ## rewrite the sources in the one formatting
	@clang-format -i $(SOURCES)

check-format: setup-test
	@clang-format --dry-run -Werror $(SOURCES)
	@echo "format: ok"

check-sources: setup-test
	python3 tests/checks/self_test.py
	python3 tests/checks/rooms.py
	python3 tests/checks/paths.py
	python3 tests/checks/docs.py

check-library: setup-test
	tests/checks/no_output.sh build/src/libwordbreadth.a

lint: setup-test  ## clang-tidy over src
	cmake --preset release --log-level=WARNING
	run-clang-tidy -quiet -p build -j $(JOBS) "$(CURDIR)/src/.*\.cc$$" >build/lint.log 2>&1 || \
	    { grep -E -A3 'error:|warning:' build/lint.log; exit 1; }
	@echo "lint: ok"

.PHONY: build-release build-asan build-tsan test-release test-asan test-tsan test-installed
build-release build-asan build-tsan: build-%: setup-test
	cmake --preset $* -DWORDBREADTH_TESTS=ON -DWORDBREADTH_BENCH=ON --log-level=WARNING
	cmake --build --preset $* --parallel $(JOBS)

test-release test-asan test-tsan: test-%: build-%
	ctest --preset $* --parallel $(JOBS) --output-log build/ctest-$*.log

# A stranger's project that knows only the installed files.
test-installed: test-release
	rm -rf build/prefix build/find_package
	cmake --install build --prefix build/prefix >/dev/null
	cmake -S examples/find_package -B build/find_package -G Ninja -DCMAKE_PREFIX_PATH=$(CURDIR)/build/prefix --log-level=WARNING
	cmake --build build/find_package
	build/find_package/two_clouds
	build/find_package/all_pairs examples/clouds/clouds.npz >/dev/null
	build/prefix/bin/wordbreadth --version

# ---- measuring

.PHONY: bench calibration
bench: setup-bench build-release  ## time it against the alternatives
	python3 -m venv build/peers
	build/peers/bin/pip install --quiet --requirement bench/requirements.txt
	build/peers/bin/python bench/table.py

calibration: build-release  ## rejection rates under the null, TRIALS (400) a case
	build/tests/calibration --trials $(TRIALS)
