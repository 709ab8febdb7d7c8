#!/bin/sh
# What kernels cost with each way to take steps (RILL_PTX_CODE), in instructions counted by
# callgrind: those that one launch more adds.
#   bench/ways.sh [RILL-KERNELS] [KERNEL...]
set -eu
program=${1:-./bench/rill-kernels}
[ $# -eq 0 ] || shift
VALGRIND=${VALGRIND:-valgrind}

# collected WAY CASE RUNS: all instructions of a program.
collected() {
  # VALGRIND is a command line.
  # shellcheck disable=SC2086
  RILL_PTX_CODE=$1 $VALGRIND --tool=callgrind --callgrind-out-file=/dev/null "$program" "$2" \
    "$3" 2>&1 >/dev/null | awk '/Collected *:/ { print $NF }'
}

# more WAY CASE: what one launch more adds.
more() {
  echo $(($(collected "$1" "$2" 2) - $(collected "$1" "$2" 1)))
}

if [ $# -eq 0 ]; then
  "$program"
else
  printf '%s\n' "$@"
fi | {
  printf '%-24s %12s %12s %8s\n' "thousands for each" lanes affine less
  while read -r name; do
    awk -v name="$name" -v lanes="$(more lanes "$name")" -v affine="$(more affine "$name")" \
      'BEGIN { printf "%-24s %12.0f %12.0f %8.2f\n", name, lanes / 1000, affine / 1000,
                      lanes / affine }'
  done
}
