#!/bin/sh
# A program that has nvJitLink link its kernel: what it links of PTX runs, and other code is refused.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

[ "$sanitizers" = no ] || skip_all "sanitizers want to be first in the process"
[ -x tests/runtime/links ] || skip_all "no runtime was built"
work=$(pwd)/tests/runtime/jit-link.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
rill=$(pwd)/src/command/rill

timeout 120 "$rill" run tests/runtime/links >"$work/log" 2>&1
status=$?
[ $status -ne 77 ] || skip_all "no nvJitLink"
expect "two texts are linked and run" test "$status: $(cat "$work/log")" = "0: linked and run"
timeout 120 "$rill" run --check tests/runtime/links >"$work/log" 2>&1
expect "it is in order" grep -q 'no findings' "$work/log"
timeout 120 "$rill" run tests/runtime/links wrong >"$work/log" 2>"$work/errors"
expect "what is wrong is told in the linker's log" test "$?: $(cat "$work/log")" = "0: \
asks: LTO-IR cannot be linked, only PTX
'give', which 'k' in asks uses, is nowhere defined"
expect "code for optimization of the whole is refused by name" \
  grep -q '^rill: nvJitLink: asks: LTO-IR cannot be linked' "$work/errors"
done_testing
