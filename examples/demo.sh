#!/usr/bin/env bash
# Goes all the way: from two real corpora and a real model to a ranking and tests. examples/demo.sh [PROGRAM]
# `make demo` brings what it needs. What it makes lies in build/demo, and a second run uses it again.
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

show() {  # prints a command as a person would type it
    printf '\n  $ wordbreadth %s\n\n' "$*"
}

run() {  # shows a command, then runs it
    show "$@"
    "$program" "$@" | sed 's/^/  /'
}

store() {  # NAME FORMAT: makes the store of a corpus, unless it is there; goes on where it was stopped
    local out=$folder/$1.store
    [ -e "$out/clouds.safetensors" ] && { printf '\n  %s is there already.\n' "$out"; return; }
    local command=(extract --model $model --corpus $folder/$1 --corpus-format "$2" --min-count 40 --out "$out")
    show "${command[@]}"
    "$program" "${command[@]}" --resume >$folder/$1.log  # its progress stays on the terminal
    sed 's/^/  /' $folder/$1.log
}

say "TWO CORPORA that Debian packages: the King James Bible, and the manuals of Debian and Perl, 0.8 million words each.
EVERY WORD BECOMES A CLOUD: up to 100 of its occurrences, each turned into a vector by the model MiniLM in its sentence."
examples/corpora.sh $folder
store scripture lines
store manuals text

say "THE RANKING. Breadth v is large where the occurrences of a word differ. Grammatical words are broad, names are narrow."
run rank $scripture --common-size 100 --top 12
run rank $manuals --common-size 100 --top 12

say "IS A WORD BROADER HERE THAN THERE? The vectors are dealt out anew 20,000 times, to see what chance alone does. A host is an army
in scripture, mostly the same one; in manuals it is any computer, or what a program runs inside of."
run test $manuals:host $scripture:host
run contexts $manuals host --count 6
run contexts $scripture host --count 6

say "The other way round: people rest, and there is a rest of the people; in manuals there is the rest of a list. And a word that
is as broad in both, as far as 100 occurrences can tell:"
run test $manuals:rest $scripture:rest
run test $manuals:child $scripture:child

say "WHY THE CLOUDS ARE ALIGNED FIRST. Two words that mean different things point in different directions, and that alone looks
like a difference of breadth to a test that does not align them. Halves of one cloud, turned apart, show how often it is misled:"
run calibrate $scripture --common-size 100 --count 400 --svg $folder/calibration.svg

say "WORD BY WORD: scripture against manuals."
run compare $scripture $manuals --names scripture,manuals --top 10 --html $folder/compare.html

say "THE STUDY of the paper behind all this, on the words of the Bible, as a page with tables and pictures:"
run experiment $scripture $manuals --common-size 100 --out $folder/study
"$program" rank $scripture --common-size 100 --html $folder/ranking.html >/dev/null

say "To look at in a browser:
  $PWD/$folder/ranking.html         the words of scripture, broadest first
  $PWD/$folder/compare.html         scripture against manuals
  $PWD/$folder/study/report.html    the study

Your own texts go the same way: docs/extract.md. What the numbers mean: docs/method.md."
