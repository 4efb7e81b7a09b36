#!/usr/bin/env bash
# Shows what the program does, on the real words of examples/clouds: examples/demo.sh [PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/wordbreadth}
clouds=examples/clouds/clouds.npz

if [ ! -x "$program" ]; then
    echo "demo: no program at $program; run \`make build\` first, or name it: examples/demo.sh PROGRAM" >&2
    exit 1
fi

say() { printf '\n%s\n' "$@"; }

run() {  # shows a command, then runs it
    printf '\n  $ %s\n\n' "wordbreadth $*"
    "$program" "$@" | sed 's/^/  /'
}

broadest_first() {  # sorts the rows of a table by its sixth column, below the command and the heading
    sed -u 4q
    LC_ALL=C sort --key=6,6gr
}

say "EVERY WORD IS A CLOUD. examples/clouds holds 21 of them: 100 occurrences each, in the King James Bible (scripture)
or in the Perl and Debian manuals (manuals), as the model MiniLM sees them in context.

Breadth v is large where the occurrences of a word differ. The grammatical word \"and\" is broad, the name \"Moses\"
narrow; \"hand\" is a part of the body in scripture, but manuals write \"on the other hand\", \"by hand\", \"the left hand side\"."
run breadth "$clouds" | broadest_first

say "IS ONE WORD BROADER THAN ANOTHER? \"hand\" in manuals against \"hand\" in scripture: the 200 vectors are dealt out
anew 20,000 times, and chance alone never makes two halves as different as these."
run test "$clouds:hand@manuals" "$clouds:hand@scripture"

say "WHY THE CLOUDS ARE ALIGNED FIRST. \"father\" and \"server\" mean different things, so their clouds point in different
directions. Dealt out anew, both halves are the same mixture of the two, always about equally broad; beside that, any
difference looks extraordinary, and the test without alignment is sure that \"father\" is broader."
run test "$clouds:father" "$clouds:server" --align none
say "Once one cloud is reflected onto the direction of the other, which is the default, only breadth is compared. Now
chance alone gives a difference of 5% one time in four."
run test "$clouds:father" "$clouds:server"

say "MANY PAIRS, with p adjusted for their number (q). The last five pairs are as broad as each other, as far as 100
occurrences can tell; with --align none, four of the five come out different, at p below 0.0003."
run pairs "$clouds" --pairs examples/clouds/pairs.tsv

say "Your own vectors go the same way: an .npz or .safetensors file with one (occurrences, dimensions) array a word.
How these were made: examples/clouds/README.md. What the numbers mean: docs/method.md."
