#!/usr/bin/env bash
# The library never prints and never ends the program: no_output.sh libwordbreadth.a
# Looks at what its objects call, and at what its sources say (a call may hide behind a macro or be optimised away).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
archive=$1
sources=${2:-$here/../..}

# std::terminate is not among the symbols: the destructor of std::thread, compiled into our objects, calls it. The sources
# may not name it. std::ios_base::Init is what including <iostream> leaves behind.
calls='printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|putc|fputc|perror|__printf_chk|__fprintf_chk|__vfprintf_chk'
calls+='|exit|_exit|_Exit|quick_exit|abort|__assert_fail|syslog|err|errx|warn|warnx'
streams='stdout|stderr|std::(cout|cerr|clog|wcout|wcerr|wclog)|std::ios_base::Init::Init\(\)'
words='std::(cout|cerr|clog|wcout|wcerr|wclog|terminate|set_terminate|print|println)|#\s*include\s*<iostream>'
words+='|(^|[^_[:alnum:].>])(std::)?(v?f?printf|puts|putchar|perror|exit|_exit|_Exit|quick_exit|abort)\s*\('

# nvcc gives every device function a twin for the host that calls exit, and is never called itself. The sources still may
# not name it.
twins='\.cu\.o: +U exit(@.*)?$'

status=0
symbols=$(nm --demangle --undefined-only --print-file-name "$archive")
if grep -E " U ($calls|$streams)(@.*)?$" <<<"$symbols" | grep -vE "$twins"; then
    echo "no_output: the objects above print or end the program (last column: what they call)" >&2
    status=1
fi
if grep -rnE --include='*.h' --include='*.cc' --include='*.cu' --include='*.cuh' "$words" \
    "$sources/include" "$sources/src" --exclude-dir=cli | grep -vE '^[^:]*:[0-9]+:\s*//'; then
    echo "no_output: the lines above print or end the program" >&2
    status=1
fi
[ $status = 0 ] && echo "no_output: ok"
exit $status
