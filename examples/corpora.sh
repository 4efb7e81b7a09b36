#!/usr/bin/env bash
# Makes plain-text corpora from Debian packages: examples/corpora.sh FOLDER
#   FOLDER/scripture   the King James Bible (bible-kjv, bible-kjv-text): one file per book, one verse per line
#   FOLDER/manuals     the Debian handbook (debian-handbook) and the Perl manuals (perl-doc): running text
# A corpus that already exists is left as it is.
set -euo pipefail
folder=${1:?usage: examples/corpora.sh FOLDER}
handbook=/usr/share/doc/debian-handbook/html/en-US

need() {  # FILE PACKAGE...
    [ -e "$1" ] && return
    echo "corpora: $1 is missing; as root, run: apt-get install ${*:2}" >&2
    exit 1
}

scripture() {  # "Ge1:2 And the earth ..." goes to Ge.txt without its number
    bible -f gen1:1-rev22:21 | FOLDER=$1 perl -ne '
        my ($book, $verse) = /^(\d*[A-Za-z]+)\d+:\d+ (.*)$/ or next;
        open($out, ">", "$ENV{FOLDER}/" . ($last = $book) . ".txt") or die "$!\n" if $book ne ($last // "");
        print $out "$verse\n"'
}

handbook() {  # the text of paragraphs and list items
    perl -CSD -0777 -ne '
        s/<(script|style|pre|head)\b.*?<\/\1>//gs;
        s/<\/?(p|div|li|dt|dd|h\d|tr|td|th|ul|ol|dl|table|br)\b[^>]*>/\n\n/g;
        s/<[^>]*>//g;
        s/&#(\d+);/chr $1/ge; s/&nbsp;/ /g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/&/g;
        print' "$1"
}

pod() {  # prose only: indented paragraphs are code, those that begin with = are commands
    perl -CSD -00 -ne '
        next if /^\s/ || /^=/;
        s/E<lt>/\x{1}/g; s/E<gt>/\x{2}/g; s/E<(\w+)>/ /g;
        1 while s/([A-Z])(?:<<+\s(.*?)\s>>+|<([^<>]*)>)/my $t = $2 \/\/ $3; $t =~ s{\|.*}{}s if $1 eq "L"; $t/ges;
        tr/\x{1}\x{2}/<>/;
        print' "$1"
}

manuals() {
    local file
    for file in "$handbook"/*.html; do handbook "$file" >"$1/handbook-$(basename "$file" .html).txt"; done
    for file in /usr/share/perl/5*/pod/*.pod; do
        [ -L "$(dirname "$(dirname "$file")")" ] && continue  # a symbolic link to the same folder
        case $file in */perl5*delta.pod | */perltoc.pod) continue ;; esac  # change logs and the table of contents
        pod "$file" >"$1/$(basename "$file" .pod).txt"
    done
    find "$1" -size -2k -delete  # too short to be useful as documents
}

make_corpus() {  # NAME: under a temporary name first, so that an existing corpus is always complete
    [ -d "$folder/$1" ] && return
    rm -rf "$folder/$1.part"
    mkdir -p "$folder/$1.part"
    "$1" "$folder/$1.part"
    mv "$folder/$1.part" "$folder/$1"
}

need /usr/bin/bible bible-kjv bible-kjv-text
need "$handbook" debian-handbook
need /usr/share/doc/perl-doc perl-doc
make_corpus scripture
make_corpus manuals
