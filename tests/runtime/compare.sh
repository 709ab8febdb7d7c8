# compare_answers FOLDER OURS: the answers in OURS are those in FOLDER/expected.txt, but for those
# in FOLDER/differences.txt. Where hardware's runtime crashes, any answer will do.
# Source tests/tap.sh first.
# shellcheck shell=sh
compare_answers() {
  expect "every question is answered" [ "$(wc -l <"$2")" = "$(wc -l <"$1/expected.txt")" ]
  # What hardware answered where rill answers something else.
  awk 'NR == FNR { expected[FNR] = $0; next }
       expected[FNR] ~ /: crashes$/ { next }
       $0 != expected[FNR] { print expected[FNR] }' "$1/expected.txt" "$2" >"$2.differences"
  grep -v '^#' "$1/differences.txt" >"$2.known"
  expect_empty "no answer differs that is not listed" "$(diff "$2.known" "$2.differences")"
}
