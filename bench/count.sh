#!/bin/sh
# Instructions for each operation of rill-count, counted by callgrind:
#   bench/count.sh [RILL-COUNT]
# Unlike times they do not depend on what else the machine does. Instructions of
# the kernel, and what a cache miss costs, are not in them.
set -eu
program=${1:-./bench/rill-count}
VALGRIND=${VALGRIND:-valgrind}

# collected FUNCTION CASE: instructions spent in FUNCTION and what it calls.
collected() {
  # VALGRIND is a command line.
  # shellcheck disable=SC2086
  $VALGRIND --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$1" \
    "$program" "$2" 2>&1 >/dev/null | awk '/Collected *:/ { print $NF }'
}

runs=
printf '%-32s %10s %10s %10s\n' "instructions for each" submit "run, wait" together
for name in $("$program"); do
  [ -n "$runs" ] || runs=$("$program" "$name")
  submit=$(collected counted_submit "$name")
  finish=$(collected counted_finish "$name")
  if [ -z "$submit" ] || [ -z "$finish" ]; then
    echo "count.sh: callgrind did not count $name" >&2
    exit 1
  fi
  awk -v name="$name" -v submit="$submit" -v finish="$finish" -v runs="$runs" 'BEGIN {
    printf "%-32s %10.1f %10.1f %10.1f\n", name, submit / runs, finish / runs,
      (submit + finish) / runs
  }'
done
