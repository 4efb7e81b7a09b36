#!/usr/bin/env bash
# Makes the virtual environment in FOLDER that builds and tests the Python package, of a list of packages, by PYTHON. Does nothing
# where it exists. Where PyPI cannot be reached it says so and succeeds: the package is then neither built nor tested.
#
#     tools/python_env.sh [FOLDER [REQUIREMENTS [PYTHON]]]     build/python-env python/requirements.txt python3
set -euo pipefail
cd "$(dirname "$0")/.."
venv=${1:-build/python-env}
wanted=${2:-python/requirements.txt}
python=${3:-python3}

tools/setup.sh python
contents() {
    "$python" -VV && cat python/build-requirements.txt "$wanted"
}

install_into() {  # FOLDER
    "$python" -m venv "$1" &&
        "$1/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted" &&
        contents >"$1/installed.txt"
}

contents | cmp --silent - "$venv/installed.txt" && exit 0
tools/setup.sh fetch
echo "setup: installing $wanted into $venv"
rm -rf "$venv"
install_into "$venv" || { rm -rf "$venv" && echo "setup: continuing without $venv: what needs it is neither built nor tested" >&2; }
