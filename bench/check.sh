#!/bin/sh
# What the layer `check` costs, in instructions counted by callgrind: those of operations
# (rill-count) and of kernels (rill-kernels), with and without it.
#   bench/check.sh [FOLDER]
# All threads are counted, and what a run of a few has more than one of fewer.
set -eu
folder=${1:-./bench}
VALGRIND=${VALGRIND:-valgrind}
RILL_CHECK=log=/dev/null
export RILL_CHECK

# collected PROGRAM CASE RUNS: all instructions of a program.
collected() {
  # VALGRIND is a command line.
  # shellcheck disable=SC2086
  $VALGRIND --tool=callgrind --callgrind-out-file=/dev/null "$folder/$1" "$2" "$3" 2>&1 \
    >/dev/null | awk '/Collected *:/ { print $NF }'
}

# more PROGRAM CASE RUNS: what so many more runs add.
more() {
  echo $(($(collected "$1" "$2" $((2 * $3))) - $(collected "$1" "$2" "$3")))
}

# compare PROGRAM RUNS UNIT: a line for each case of a program.
compare() {
  "$folder/$1" | while read -r name; do
    awk -v name="$name" -v without="$(more "$1" "$name" "$2")" \
      -v with="$(RILL_LAYERS=check more "$1" "$name" "$2")" -v of="$(($2 * $3))" 'BEGIN {
        printf "%-32s %10.0f %10.0f %10.0f %7.2f\n", name, without / of, with / of,
          (with - without) / of, with / without
      }'
  done
}

printf '%-32s %10s %10s %10s %7s\n' "instructions for each" without checked more times
compare rill-count 300 1
printf '%-32s %10s %10s %10s %7s\n' "thousands for each kernel" without checked more times
compare rill-kernels 2 1000
