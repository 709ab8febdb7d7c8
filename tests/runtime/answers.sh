#!/bin/sh
# The runtime's answers are hardware's (answers/expected.txt, of an H100 with the runtime of CUDA
# 13.0), but for those in answers/differences.txt.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
# shellcheck source=tests/runtime/compare.sh
. "$srcdir/tests/runtime/compare.sh"

[ -x tests/runtime/answers/answers ] || skip_all "no runtime was built"
work=tests/runtime/answers-work.tmp
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

LD_LIBRARY_PATH=$(pwd)/src/standin:$(pwd)/src/runtime${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
  timeout 300 tests/runtime/answers/answers >"$work/ours"
compare_answers "$top_srcdir/tests/runtime/answers" "$work/ours"
done_testing
