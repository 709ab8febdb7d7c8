#!/bin/sh
# The checker names the lines of the program that called the runtime, not the runtime's.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

[ -x tests/runtime/racer ] || skip_all "no runtime was built"
work=tests/runtime/sites.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

LD_LIBRARY_PATH=$(pwd)/src/standin:$(pwd)/src/runtime${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
  RILL_LAYERS=check RILL_CHECK="log=$work/log" timeout 60 tests/runtime/racer >"$work/out" 2>&1
expect "the race is found" grep -Eq 'mem(set|cpy) writes what mem(cpy|set) writes' "$work/log"
expect "the copy is the program's" grep -Eq 'memcpy  +(.*racer\.c:[0-9]+ in copy_first|.*racer[+(])' "$work/log"
expect "the fill is the program's" grep -Eq 'memset  +(.*racer\.c:[0-9]+ in fill_at_once|.*racer[+(])' "$work/log"
expect_empty "no line of the runtime is named" \
  "$(grep -E 'libcudart|[( ](copy|fill|allocation|stream)\.c:' "$work/log")"
done_testing
