#!/usr/bin/env bash
# Makes build/python-env, the virtual environment that builds and tests the Python package (python/requirements.txt). Does nothing
# where it exists. Where PyPI cannot be reached it says so and succeeds: the package is then neither built nor tested.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/python-env
wanted=python/requirements.txt

install_into() {  # FOLDER
    python3 -m venv "$1" &&
        "$1/bin/pip" install --quiet --disable-pip-version-check --requirement $wanted &&
        cp $wanted "$1/installed.txt"
}

cmp --silent $wanted $venv/installed.txt && exit 0
tools/setup.sh fetch python
echo "setup: installing what the Python package is built with into $venv"
rm -rf $venv
install_into $venv || { rm -rf $venv && echo "setup: continuing without the Python package, which is neither built nor tested" >&2; }
