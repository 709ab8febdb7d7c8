#!/bin/sh
# Asks a GPU: sh tests/ptx/answers/measure_tiles.sh >tiles.txt, in the folder of the sources.
# Needs a C compiler and the driver.  What test_tiles holds the simulator to is tiles.txt
# beside this script.
set -eu
program=$(mktemp)
trap 'rm -f "$program"' EXIT
${CC:-cc} -std=gnu11 -O1 -Itests tests/ptx/answers/warps/measure_tiles.c \
  tests/ptx/answers/warps/driver.c tests/ptx/answers/tiles.c tests/ptx/answers/values.c \
  tests/ptx/answers/tile_forms.c -o "$program" -ldl
"$program" ${1+"$1"}
