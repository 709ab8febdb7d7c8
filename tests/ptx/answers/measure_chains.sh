#!/bin/sh
# Asks a GPU: sh tests/ptx/answers/measure_chains.sh >chains.txt, in the folder of the sources.
# Needs a C compiler and the driver.  chains.sh holds the simulator to the chains.txt
# beside it.
set -eu
program=$(mktemp)
trap 'rm -f "$program"' EXIT
${CC:-cc} -std=gnu11 -O1 -Itests tests/ptx/answers/warps/measure_chains.c \
  tests/ptx/answers/warps/chain_lines.c \
  tests/ptx/answers/warps/driver.c -o "$program" -ldl
"$program"
