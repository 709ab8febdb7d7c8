#!/bin/sh
# Python's faulthandler has a handler of SIGSEGV: it gets none of the faults of pinned memory that
# is protected, and those of the program.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

# shellcheck disable=SC2154 # config.sh
[ "$sanitizers" = no ] || skip_all "python3 has no sanitizer"
[ -e src/standin/libcuda.so.1 ] || skip_all "no stand-in was built"
command -v python3 > /dev/null 2>&1 || skip_all "python3 is not installed"
python3 -c 'import ctypes, faulthandler' 2> /dev/null || skip_all "python3 has no ctypes"

work=$(pwd)/tests/layer-check/handler_python.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

# run WHEN: leaves its status, what it says, and the report.
run() {
  LD_LIBRARY_PATH=$(pwd)/src/standin${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} RILL_LAYERS=check \
    RILL_CHECK="log=$work/log" timeout 60 \
    python3 "$srcdir/tests/layer-check/handler_python.py" "$1" > "$work/said" 2>&1
  status=$?
}

sees_both() {
  run "$1"
  [ "$status" -eq 0 ] && [ "$(cat "$work/said")" = "both were made" ] &&
    grep -q 'the host writes what memcpy reads' "$work/log" &&
    grep -q '  id .*, 2 times$' "$work/log"
}

expect "one that was there before gets no fault of protected memory" sees_both first
expect "one that comes later gets none either" sees_both later
run missed
expect "one that gets such a fault ends the program" test "$status" -gt 128
expect "and the report says so" grep -q '^==rill== SIGSEGV was sent, as by a handler' "$work/log"
run crash
expect "a fault of the program is told by it" grep -q '^Fatal Python error: Segmentation fault' \
  "$work/said"
expect "and ends the program" test "$status" -gt 128
expect "which has reported what was found" grep -q '^==rill== 1 finding: 1 race' "$work/log"
done_testing
