# Front door: every target brings what it needs, on a bare Debian 12 with make and git. `make` alone lists the targets.
# The work itself is CMake's (CMakePresets.json) and that of the scripts named below.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:   # the steps of `test` run in the order written, cheapest first

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
TRIALS ?= 400

# The CUDA engines: AUTO builds them where nvcc is found, ON fails where it is not, OFF does without. `make test` builds
# them unless it is OFF, and fetches nvcc for that where there is none.
WORDBREADTH_CUDA ?= AUTO
cuda = $(WORDBREADTH_CUDA)
test: cuda = $(if $(filter OFF,$(WORDBREADTH_CUDA)),OFF,ON)

SOURCES = $(shell find include src tests examples bench -name '*.cc' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh')

.PHONY: help
help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

# ---- building and using

.PHONY: setup-build setup-test setup-cuda setup-parity
setup-build:
	@tools/setup.sh build
setup-test:
	@tools/setup.sh build fetch demo test
setup-parity: setup-test
	@tools/parity.sh
setup-cuda: setup-test
	@[ $(WORDBREADTH_CUDA) = OFF ] || tools/cuda.sh

.PHONY: build demo install clean
build: setup-build  ## the program, as build/wordbreadth
	@cmake --preset release -DWORDBREADTH_TESTS=OFF -DWORDBREADTH_BENCH=OFF -DWORDBREADTH_CUDA=$(cuda) \
	    --log-level=NOTICE
	@cmake --build build --parallel $(JOBS)

demo: build  ## build, then go all the way from real texts to a ranking and tests
	@tools/setup.sh demo
	@tools/model.sh
	@examples/demo.sh

install: build  ## put program and library under PREFIX (/usr/local)
	cmake --install build --prefix $(PREFIX)

clean:  ## remove all that was built
	rm -rf build

# ---- checking

.PHONY: test
test: setup-cuda setup-parity check-format check-sources test-release check-library test-installed lint test-asan test-tsan  ## all that CI checks
	@echo
	@python3 tools/ctest_summary.py build/ctest-release.xml build/ctest-asan.xml build/ctest-tsan.xml
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
	tests/checks/no_output.sh build/src/libwordbreadth_core.a
	tests/checks/no_output.sh build/src/libwordbreadth.a
	tests/checks/needs.sh build/wordbreadth

lint: setup-test  ## clang-tidy over src
	cmake --preset release -DWORDBREADTH_CUDA=$(cuda) --log-level=WARNING
	run-clang-tidy -quiet -p build -j $(JOBS) "$(CURDIR)/src/.*\.cc$$" >build/lint.log 2>&1 || \
	    { grep -E -A3 'error:|warning:' build/lint.log; exit 1; }
	@echo "lint: ok"

.PHONY: build-release build-asan build-tsan build-cuda test-release test-asan test-tsan test-installed
build-release: preset_options = -DWORDBREADTH_CUDA=$(cuda)
build-cuda: setup-cuda
build-release build-asan build-tsan build-cuda: build-%: setup-test
	cmake --preset $* -DWORDBREADTH_TESTS=ON -DWORDBREADTH_BENCH=ON $(preset_options) --log-level=NOTICE
	cmake --build --preset $* --parallel $(JOBS)

# The Python and the model with which the tests compare; where they are missing, those tests are skipped and say so.
test-release test-asan test-tsan: export WORDBREADTH_PYTHON = $(CURDIR)/build/parity/bin/python
test-release test-asan test-tsan: export WORDBREADTH_MODEL = $(CURDIR)/build/models/all-minilm-l6-v2
test-release test-asan test-tsan: test-%: build-% setup-parity
	ctest --preset $* --parallel $(JOBS) --output-junit $(CURDIR)/build/ctest-$*.xml

# A stranger's project that knows only the installed files.
test-installed: test-release
	rm -rf build/prefix build/find_package
	cmake --install build --prefix build/prefix >/dev/null
	cmake -S examples/find_package -B build/find_package -G Ninja -DCMAKE_PREFIX_PATH=$(CURDIR)/build/prefix --log-level=WARNING
	cmake --build build/find_package
	build/find_package/two_clouds
	build/find_package/all_pairs examples/clouds/clouds.npz >/dev/null
	build/prefix/bin/wordbreadth --version

# For a machine with a GPU.
.PHONY: gpu-test
gpu-test: build-cuda  ## the CUDA engines' tests, on this machine's GPU
	build/cuda/tests/wordbreadth_gpu_tests --gtest_brief=1 --gtest_filter='*Cuda*:*Gpu*:*Device*:*Golden*:Execution*'
	@echo
	@build/cuda/wordbreadth devices
	@build/cuda/wordbreadth devices --format tsv | \
	    awk -F '\t' '$$1 == "cuda" && $$NF != "" { print "make gpu-test: the GPU tests were skipped: " $$NF }'

# ---- measuring

.PHONY: bench bench-encoder gpu-bench calibration
bench: build-release  ## time it against the alternatives
	python3 -m venv build/peers
	build/peers/bin/pip install --quiet --requirement bench/requirements.txt
	build/peers/bin/python bench/table.py

bench-encoder: build-release  ## time the encoder on the CPU against the alternatives
	tools/model.sh
	python3 -m venv build/peers
	build/peers/bin/pip install --quiet --requirement bench/encoder_requirements.txt
	build/peers/bin/python bench/encoder_table.py

gpu-bench: build-cuda  ## time the CUDA engines and the encoder against the alternatives, on this machine's GPU
	python3 bench/gpu_table.py
	python3 bench/gpu_encoder_table.py

calibration: build-release  ## rejection rates under the null, TRIALS (400) a case
	build/tests/calibration --trials $(TRIALS)
