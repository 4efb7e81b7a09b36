#!/usr/bin/env bash
# The program starts where nothing of CUDA is installed: needs.sh PROGRAM
# CUDA's runtime is linked statically, and driver and cuBLAS are opened when they are asked for.
set -euo pipefail
needed=$(readelf --dynamic "$1")
if grep -E 'NEEDED.*\[lib(cuda|cudart|cublas|nv)' <<<"$needed"; then
    echo "needs: $1 does not start without the libraries above" >&2
    exit 1
fi
echo "needs: ok"
