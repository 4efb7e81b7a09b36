#!/usr/bin/env bash
# Fetches what the tests compare with: Python's `tokenizers`, `safetensors` and numpy, a MeCab dictionary
# (tests/tools/requirements.txt, into build/parity) and the demo's model. Does nothing where they exist. Where they
# cannot be fetched it says so and succeeds: the tests that need them are skipped, and counted.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/parity
wanted=tests/tools/requirements.txt

install_into() {  # FOLDER
    python3 -m venv "$1" &&
        "$1/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement $wanted &&
        cp $wanted "$1/installed.txt"
}

without() { echo "setup: continuing without $1; the tests that need it are skipped" >&2; }

if ! cmp --silent $wanted $venv/installed.txt; then
    tools/setup.sh fetch
    echo "setup: installing what the tests compare with into $venv"
    rm -rf $venv
    install_into $venv || { rm -rf $venv && without "Python's libraries"; }
fi
tools/model.sh || without "the model"
