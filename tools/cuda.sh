#!/usr/bin/env bash
# Provides a CUDA compiler. Does nothing where nvcc is found; otherwise installs the one of tools/cuda.txt (100 MB to
# download, 300 on disk) into build/cuda-toolkit, where cmake/cuda.cmake looks last. Needs python3-venv, but not root.
set -euo pipefail
cd "$(dirname "$0")/.."
toolkit=build/cuda-toolkit

is_installed() {
    local nvcc
    for nvcc in "${CUDACXX:-}" "${CUDA_HOME:-}/bin/nvcc" "${CUDA_PATH:-}/bin/nvcc" /usr/local/cuda/bin/nvcc; do
        [ -x "$nvcc" ] && return
    done
    command -v nvcc >/dev/null
}

install_into() {  # FOLDER
    python3 -m venv "$1/venv" &&
        "$1/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --target "$1" --requirement tools/cuda.txt &&
        rm -r "$1/venv" &&
        ln -s lib "$1/nvidia/cu13/lib64" &&  # where nvcc looks for its libraries
        cp tools/cuda.txt "$1/"
}

is_installed && exit 0
cmp --silent tools/cuda.txt $toolkit/cuda.txt && exit 0

echo "setup: no nvcc found; installing NVIDIA's from PyPI into $toolkit"
rm -rf $toolkit $toolkit.part
if ! install_into $toolkit.part; then
    rm -rf $toolkit.part
    echo "setup: the CUDA compiler could not be installed; to do without it: make check WORDBREADTH_CUDA=OFF" >&2
    exit 1
fi
mv $toolkit.part $toolkit
