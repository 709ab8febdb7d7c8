#!/bin/sh
# The runtime's answers are hardware's (answers/expected.txt, of an H100 with the runtime of CUDA
# 13.0), but for those in answers/differences.txt. Where hardware's runtime crashes, any answer
# will do.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

[ -x tests/runtime/answers/answers ] || skip_all "no runtime was built"
folder=$top_srcdir/tests/runtime/answers
work=tests/runtime/answers-work.tmp
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

LD_LIBRARY_PATH=$(pwd)/src/standin:$(pwd)/src/runtime${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
  timeout 300 tests/runtime/answers/answers >"$work/ours"
expect "every question is answered" \
  [ "$(wc -l <"$work/ours")" = "$(wc -l <"$folder/expected.txt")" ]

# What hardware answered where rill answers something else.
awk 'NR == FNR { expected[FNR] = $0; next }
     expected[FNR] ~ /: crashes$/ { next }
     $0 != expected[FNR] { print expected[FNR] }' "$folder/expected.txt" "$work/ours" \
  >"$work/differences"
grep -v '^#' "$folder/differences.txt" >"$work/known"
expect_empty "no answer differs that is not listed" "$(diff "$work/known" "$work/differences")"
done_testing
