#!/usr/bin/env bash
# An example study: from two real corpora and a real model to rankings, tests and pages. examples/demo.sh [PROGRAM]
# `make demo` installs what it needs. The results are in build/demo; a second run reuses the stores.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/wordbreadth}
model=build/models/all-minilm-l6-v2
folder=build/demo
scripture=$folder/scripture.store
manuals=$folder/manuals.store

for needed in "$program" "$model"; do
    [ -e "$needed" ] && continue
    echo "demo: $needed is missing; run \`make demo\`" >&2
    exit 1
done

say() { printf '\n%s\n' "$@"; }

show() {  # prints a command as a user would type it
    printf '\n  $ wordbreadth %s\n\n' "$*"
}

run() {  # shows a command, then runs it
    show "$@"
    "$program" "$@" | sed 's/^/  /'
}

store() {  # NAME FORMAT: makes the store of a corpus unless it exists; resumes an interrupted run
    local out=$folder/$1.store
    [ -e "$out/clouds.safetensors" ] && { printf '\n  %s already exists.\n' "$out"; return; }
    local command=(extract --model $model --corpus $folder/$1 --corpus-format "$2" --min-count 40 --deduplicate near --out "$out")
    show "${command[@]}"
    "$program" "${command[@]}" --resume >$folder/$1.log  # its progress stays on the terminal
    sed 's/^/  /' $folder/$1.log
}

say "TWO CORPORA from Debian packages: the King James Bible, and the manuals of Debian and Perl, 0.8 million words each.
EVERY WORD BECOMES A CLOUD: up to 100 of its occurrences, each encoded as a vector, in its sentence, by the model MiniLM.
Notices and formulas are repeated; copies and near copies of a sentence are dropped first."
examples/corpora.sh $folder
store scripture lines
store manuals text

say "THE RANKING. Breadth v is large if the occurrences of a word differ. Function words are broad, names are narrow,
and so is a word that nearly always begins its sentence, such as moreover."
run rank $scripture --common-size 100 --top 12
run rank $manuals --common-size 100 --top 12

say "IS A WORD BROADER IN ONE CORPUS? A permutation test with 20,000 random permutations. In scripture a hand is
a hand, or the power that it stands for; in manuals there are the other hand, the left-hand side and what is done by hand."
run test $manuals:hand $scripture:hand
run contexts $manuals hand --count 6
run contexts $scripture hand --count 6

say "The other way round: in scripture people rest, and there is the rest of the people; in manuals there is the rest of a list."
run test $manuals:rest $scripture:rest

say "And a word without a clear difference, which is not to say that it is equally broad: whether it is, within 10%, remains open."
run test $manuals:child $scripture:child --equivalence 1.1

say "WHY THE CLOUDS ARE ALIGNED FIRST. Words with different meanings point in different directions, and a test without alignment
mistakes that for a difference in breadth. Two halves of one cloud, turned apart, show how often:"
run calibrate $scripture --common-size 100 --count 400 --svg $folder/calibration.svg

say "WORD BY WORD: scripture against manuals."
run compare $scripture $manuals --names scripture,manuals --top 10 --html $folder/compare.html

say "THE STUDY of the paper (Ehara, ACL 2026) on the words of the Bible, as a page with tables and figures:"
run experiment $scripture $manuals --common-size 100 --out $folder/study
"$program" rank $scripture --common-size 100 --html $folder/ranking.html >/dev/null

say "Open in a browser:
  $PWD/$folder/ranking.html         the words of scripture, broadest first
  $PWD/$folder/compare.html         scripture against manuals
  $PWD/$folder/study/report.html    the study

To use your own texts, see docs/extract.md; for what the numbers mean, docs/method.md."
