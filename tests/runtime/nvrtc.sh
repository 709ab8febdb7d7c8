#!/bin/sh
# A program that has NVRTC compile its kernels: it runs, whether it asks for PTX or for machine code.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

[ "$sanitizers" = no ] || skip_all "sanitizers want to be first in the process"
[ -x tests/runtime/compiles ] || skip_all "no runtime was built"
work=$(pwd)/tests/runtime/nvrtc.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
rill=$(pwd)/src/command/rill

timeout 120 "$rill" run tests/runtime/compiles >"$work/log" 2>&1
status=$?
[ $status -ne 77 ] || skip_all "no NVRTC"
expect "it runs" test "$status: $(cat "$work/log")" = "0: compiled and run"
timeout 120 "$rill" run --check tests/runtime/compiles >"$work/log" 2>&1
expect "it is in order" grep -q 'no findings' "$work/log"
timeout 120 "$rill" run tests/runtime/compiles machine-code >"$work/log" 2>&1
status=$?
expect "so it does when it asks for machine code" \
  test "$status: $(cat "$work/log")" = "0: compiled and run"
RILL_LOG=kernels timeout 120 "$rill" run env -u LD_PRELOAD tests/runtime/compiles machine-code \
  >"$work/log" 2>&1
expect "where nothing is redirected, machine code alone is refused by name" \
  grep -Eq "kernel '_Z5scaleILi3EEvPfi' cannot be launched: it is machine code alone" "$work/log"
done_testing
