#!/usr/bin/env bash
# Installs the missing packages of packages.txt: tools/setup.sh GROUP...
# Does nothing, and needs no root, where none is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted() {  # GROUP...: the packages of these groups
    awk -v groups=" $* " '!/^#/ && NF && index(groups, " " substr($3, 1, length($3) - 1) " ") { print $1 }' packages.txt
}

is_installed() {
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "setup: packages are missing and there is no sudo; as root, run: apt-get install ${missing[*]}" >&2
        exit 1
    fi
}

if ! command -v dpkg-query >/dev/null; then
    echo "setup: no dpkg here, nothing installed. These packages, or their counterparts, are needed:" $(wanted "$@") >&2
    exit 0
fi

missing=()
for package in $(wanted "$@"); do
    is_installed "$package" || missing+=("$package")
done
[ ${#missing[@]} = 0 ] && exit 0

echo "setup: installing ${missing[*]}"
as_root apt-get update -qq
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
