#!/bin/sh
# The answers of the runtime of CUDA 11 are hardware's (cuda_11/expected.txt, of an H200 with the
# runtime of 11.8 inside the program), but for those in cuda_11/differences.txt.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
# shellcheck source=tests/runtime/compare.sh
. "$srcdir/tests/runtime/compare.sh"
# shellcheck source=tests/runtime/nvcc.sh
. "$srcdir/tests/runtime/nvcc.sh"

[ "$sanitizers" = no ] || skip_all "sanitizers want to be first in the process"
[ -e src/runtime/libcudart.so.11.0 ] || skip_all "no runtime was built"
find_nvcc_11 || skip_all "no nvcc of CUDA 11"
folder=$top_srcdir/tests/runtime/cuda_11
work=tests/runtime/answers-11-work.tmp
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

expect "the questions compile" "$nvcc" -w -std=c++17 -gencode arch=compute_75,code=compute_75 \
  -o "$work/answers" "$folder"/*.cu
timeout 300 src/command/rill run --quiet "$work/answers" >"$work/ours"
compare_answers "$folder" "$work/ours"
done_testing
