#!/bin/sh
# Asks a GPU: sh tests/ptx/answers/measure_groups.sh >groups.txt, in the folder of the sources.
# Needs a GPU of sm_90, a C compiler and the driver.  What test_groups holds the simulator to is
# groups.txt beside this script.
set -eu
program=$(mktemp)
trap 'rm -f "$program"' EXIT
${CC:-cc} -std=gnu11 -O1 -Itests tests/ptx/answers/warps/measure_groups.c \
  tests/ptx/answers/warps/driver.c tests/ptx/answers/groups.c tests/ptx/answers/values.c \
  tests/ptx/answers/group_forms.c -o "$program" -ldl
"$program" ${1+"$1"}
