#!/bin/sh
# The programs of programs.sh as nvcc 11 compiles them, where that is not the nvcc in the path.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
# shellcheck source=tests/runtime/nvcc.sh
. "$srcdir/tests/runtime/nvcc.sh"

find_nvcc_11 || skip_all "no nvcc of CUDA 11"
[ "$nvcc" != nvcc ] || skip_all "nvcc is of CUDA 11: programs.sh has it"
NVCC=$nvcc exec sh "$srcdir/tests/runtime/programs.sh"
