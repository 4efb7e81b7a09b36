# The front door: every target installs what it needs, on a bare Debian 12 with make and git. `make` alone lists the targets.
# The work is done by CMake (CMakePresets.json) and by the scripts named below.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:   # the steps of `test` and `check` run in the order written

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
TRIALS ?= 400
PYTHON ?= python3

# The CUDA engines: AUTO builds them where nvcc is found, ON fails where it is not, OFF does without. `make check` builds
# them unless it is OFF, and fetches nvcc where there is none.
WORDBREADTH_CUDA ?= AUTO
cuda = $(WORDBREADTH_CUDA)
check: cuda = $(if $(filter OFF,$(WORDBREADTH_CUDA)),OFF,ON)

# What check-sources runs, each a file in tests/checks.
SOURCE_CHECKS = self_test rooms front_ends flags namespaces paths docs

SOURCES = $(shell find include src tests examples bench python -name '*.cc' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh')

.PHONY: help
help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

# ---- building and using

.PHONY: setup setup-build setup-test setup-cuda setup-parity setup-python setup-ray
setup:  ## install what `pip install .` needs
	@tools/setup.sh build python
setup-build:
	@tools/setup.sh build
setup-test:
	@tools/setup.sh build fetch demo test
setup-parity: setup-test
	@tools/parity.sh
setup-python: setup-build
	@tools/python_env.sh
setup-ray: setup-python
	@tools/python_env.sh build/ray-env python/ray-requirements.txt
setup-cuda: setup-test
	@[ $(WORDBREADTH_CUDA) = OFF ] || tools/cuda.sh

# The Python package is built where its environment could be made.
python = $(CURDIR)/build/python-env/bin/python
python_options = $(if $(shell test -x $(python) && echo yes),-DWORDBREADTH_PYTHON=ON -DPython_EXECUTABLE=$(python),-DWORDBREADTH_PYTHON=OFF)

.PHONY: build demo install wheel clean
build: setup-build  ## the program, build/wordbreadth
	@cmake --preset release -DWORDBREADTH_TESTS=OFF -DWORDBREADTH_BENCH=OFF -DWORDBREADTH_CUDA=$(cuda) \
	    --log-level=NOTICE
	@cmake --build build --parallel $(JOBS)

demo: build  ## build, then run everything on real texts: extraction, ranking, tests
	@tools/setup.sh demo
	@tools/model.sh
	@examples/demo.sh

install: build  ## install the program and the library under PREFIX (/usr/local)
	cmake --install build --prefix $(PREFIX)

# In build/ itself, whose objects are used; what it needs of the system goes into the wheel. Made with a PYTHON of 3.12 or newer
# it is for all of those, else for that version alone.
wheel: python = $(CURDIR)/build/wheel-env/bin/python
wheel: setup-build  ## the Python package as one file that needs nothing but Python (PYTHON, python3), in build/wheel
	@tools/python_env.sh build/wheel-env python/build-requirements.txt $(PYTHON)
	@rm -rf build/wheel && mkdir -p build/wheel/plain
	$(python) -m pip wheel . --quiet --no-deps --no-build-isolation --wheel-dir build/wheel/plain \
	    -Cbuild-dir=build -Ccmake.define.WORDBREADTH_CUDA=$(cuda) -Ccmake.define.Python_EXECUTABLE=$(python)
	PATH=$(dir $(python)):$$PATH $(python) -m auditwheel repair --strip --wheel-dir build/wheel build/wheel/plain/*.whl
	@rm -r build/wheel/plain
	@cmake -U 'SKBUILD*' -U '*Python*' -U CMAKE_MODULE_PATH -DWORDBREADTH_PYTHON=OFF --log-level=WARNING build >/dev/null  # of this Python alone
	@ls -l build/wheel

clean:  ## remove build/
	rm -rf build

# ---- checking

.PHONY: test check
test: setup-test setup-parity setup-python setup-ray check-format check-sources test-release  ## release build, all tests, source checks
	@echo
	@python3 tools/ctest_summary.py build/ctest-release.xml
	@echo "make test: everything passed"

check: setup-cuda setup-parity check-build check-library test-installed lint test-asan test-tsan  ## what CI adds to `make test`: CUDA, lint, sanitizers, installed package
	@echo
	@python3 tools/ctest_summary.py build/ctest-gpu.xml build/ctest-asan.xml build/ctest-tsan.xml
	@echo "make check: everything passed"

.PHONY: format check-format check-sources lint check-library
format: setup-test  ## format the sources
	@clang-format -i $(SOURCES)

check-format: setup-test
	@clang-format --dry-run -Werror $(SOURCES)
	@echo "format: ok"

check-sources: setup-test setup-python
	@[ ! -x $(python) ] || { $(python) -m ruff check --quiet python && $(python) -m ruff format --check --quiet python && echo "ruff: ok"; }
	@for check in $(SOURCE_CHECKS); do python3 -B tests/checks/$$check.py; done

check-library: check-build
	for library in build/src/lib*.a; do tests/checks/no_output.sh $$library; done
	tests/checks/needs.sh build/wordbreadth

lint: setup-test  ## clang-tidy over src
	cmake --preset lint -DWORDBREADTH_CUDA=$(cuda) --log-level=WARNING
	run-clang-tidy -quiet -p build/lint -j $(JOBS) "$(CURDIR)/src/.*\.cc$$" >build/lint.log 2>&1 || \
	    { grep -E -A3 'error:|warning:' build/lint.log; exit 1; }
	@echo "lint: ok"

# `make test` and `make check` share build/: check adds the CUDA engines and the benchmarks, and compiles nothing else again.
.PHONY: build-release build-asan build-tsan build-cuda check-build test-release test-asan test-tsan test-installed
build-release build-asan build-tsan build-cuda: build-%: setup-test
	cmake --preset $* -DWORDBREADTH_TESTS=ON $(preset_options) --log-level=NOTICE
	cmake --build --preset $* --parallel $(JOBS)
build-release: setup-python
build-release: preset_options = -DWORDBREADTH_CUDA=$(cuda) -DWORDBREADTH_BENCH=OFF $(python_options)
build-cuda: setup-cuda
build-cuda: preset_options = -DWORDBREADTH_BENCH=ON

# The Python and the model that the tests compare with; where they are missing, those tests are skipped and say so.
test-release check-build test-asan test-tsan: export WORDBREADTH_PYTHON = $(CURDIR)/build/parity/bin/python
test-release check-build test-asan test-tsan: export WORDBREADTH_MODEL = $(CURDIR)/build/models/all-minilm-l6-v2
test-release test-asan test-tsan: test-%: build-% setup-parity
	ctest --preset $* --parallel $(JOBS) --output-junit $(CURDIR)/build/ctest-$*.xml

check-build: setup-test
	cmake --preset release -DWORDBREADTH_TESTS=ON -DWORDBREADTH_BENCH=ON -DWORDBREADTH_CUDA=$(cuda) --log-level=NOTICE
	cmake --build --preset release --parallel $(JOBS)
	ctest --preset gpu --parallel $(JOBS) --output-junit $(CURDIR)/build/ctest-gpu.xml

# A project that knows only the installed files.
test-installed: check-build
	rm -rf build/prefix build/find_package
	cmake --install build --prefix build/prefix >/dev/null
	cmake -S examples/find_package -B build/find_package -G Ninja -DCMAKE_PREFIX_PATH=$(CURDIR)/build/prefix --log-level=WARNING
	cmake --build build/find_package
	build/find_package/two_clouds
	build/find_package/all_pairs examples/clouds/clouds.npz >/dev/null
	examples/corpora.sh build/corpora
	@if [ -e build/models/all-minilm-l6-v2 ]; then rm -rf build/find_package/stores && mkdir build/find_package/stores && \
	    build/find_package/two_corpora build/models/all-minilm-l6-v2 build/corpora/scripture/Ge.txt build/corpora/scripture/Exo.txt \
	        build/find_package/stores | python3 -m json.tool --compact && \
	    build/find_package/parts build/find_package/stores/a.store build/models/all-minilm-l6-v2 build/find_package/stores/new.store >/dev/null; \
	else echo "test-installed: the demo's model could not be fetched; two_corpora and parts were built, not run"; fi
	build/prefix/bin/wordbreadth --version

# For a machine with a GPU.
.PHONY: gpu-test
gpu-test: build-cuda  ## the CUDA engines' tests, on this machine's GPU
	ctest --preset cuda
	@echo
	@build/cuda/wordbreadth devices
	@build/cuda/wordbreadth devices --format tsv | \
	    awk -F '\t' '$$1 == "cuda" && $$NF != "" { print "make gpu-test: the GPU tests were skipped: " $$NF }'

# ---- measuring: what each measures, and against what, stands in bench/README.md

peers = build/peers/bin
.PHONY: bench-build bench bench-encoder bench-tokenizer bench-user gpu-bench calibration
bench-build: setup-test setup-python
	cmake --preset release -DWORDBREADTH_TESTS=OFF -DWORDBREADTH_BENCH=ON -DWORDBREADTH_CUDA=$(cuda) $(python_options) --log-level=NOTICE
	cmake --build --preset release --parallel $(JOBS)
	python3 -m venv build/peers

bench: bench-build  ## time the test against the alternatives
	$(peers)/pip install --quiet --requirement bench/engine/requirements.txt
	$(peers)/python bench/engine/cpu.py
	$(peers)/pip install --quiet --requirement bench/python/requirements.txt
	$(peers)/python bench/python/table.py

bench-encoder: bench-build  ## time the encoder on the CPU against the alternatives
	tools/model.sh
	$(peers)/pip install --quiet --requirement bench/encoder/requirements.txt
	$(peers)/python bench/encoder/cpu.py
	$(peers)/python bench/encoder/cpu_architectures.py

bench-tokenizer: bench-build setup-parity  ## time the tokenizers against Python's
	build/parity/bin/python bench/tokenizer/table.py

bench-user: build  ## time whole commands, from start to exit, beside torch and transformers
	tools/model.sh
	python3 -m venv build/peers
	$(peers)/pip install --quiet --requirement bench/user/requirements.txt
	$(peers)/python bench/user/table.py --program build/wordbreadth

gpu-bench: build-cuda  ## time the CUDA engines, the encoder and whole commands against the alternatives, on this machine's GPU
	python3 bench/engine/gpu.py
	python3 bench/encoder/gpu.py
	tools/model.sh
	python3 bench/user/table.py --program build/cuda/wordbreadth

calibration: build-release  ## simulations with known truth: level, coverage, family-wise error, modes; TRIALS (400) per case
	failed=; for simulation in calibration documents by_size rank_intervals max_t equivalence mode_counts centered; do \
	    build/tests/$$simulation --trials $(TRIALS) || failed="$$failed $$simulation"; done; \
	    test -z "$$failed" || { echo "not as promised:$$failed"; exit 1; }
