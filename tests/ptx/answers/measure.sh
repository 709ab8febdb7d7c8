#!/bin/sh
# Asks a GPU: sh tests/ptx/answers/measure.sh >answers.txt, in the folder of the sources.
# Needs a C compiler and the driver, nothing that configure or nvcc makes. What the tests
# then hold the simulator to is answers.txt beside this script. Lines that begin with '#'
# say where the references of the tests are not what the GPU computes.
set -eu
program=$(mktemp)
trap 'rm -f "$program"' EXIT
${CC:-cc} -std=gnu11 -O1 -g -w -ffp-contract=off -Iinclude -Itests/ptx/answers/gpu -Isrc -Itests \
  "-DPTX_SAMPLES=\"$PWD/tests/ptx/cuda\"" tests/ptx/answers/gpu/*.c tests/ptx/answers/expand.c \
  tests/ptx/answers/forms.c tests/ptx/apply.c tests/ptx/kernel*.c tests/ptx/torture_*.c \
  -o "$program" -ldl -lm -pthread
"$program"
