#!/bin/sh
# The programs of programs.sh as nvcc 11 compiles them, which Debian 12 has, where that is not the
# nvcc in the path. NVCC_11 names one that is not where packages put it.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

is_11() {
  "$1" --version 2>/dev/null | grep -q 'release 11\.'
}

if is_11 nvcc; then skip_all "nvcc is of CUDA 11: programs.sh has it"; fi
for nvcc in ${NVCC_11:-} /usr/lib/nvidia-cuda-toolkit/bin/nvcc /usr/local/cuda-11*/bin/nvcc; do
  if is_11 "$nvcc"; then NVCC=$nvcc exec sh "$top_srcdir/tests/runtime/programs.sh"; fi
done
skip_all "no nvcc of CUDA 11"
