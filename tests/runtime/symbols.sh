#!/bin/sh
# The runtime exports what its table says, each name under the version of its library.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

table=$top_srcdir/src/runtime/library/symbols.def
[ -n "$NM" ] || skip_all "no nm"
[ -e src/runtime/libcudart.so.13 ] || skip_all "no runtime was built"

for library in 12 13; do
  rows=$(awk -F '[(), ]+' -v library="$library" '
    /^SYMBOL/ && ($4 == "BOTH" || $4 == library) { print $2 "@@libcudart.so." library }' "$table" |
    LC_ALL=C sort)
  if [ "$sanitizers" = no ]; then
    # NM may have options of its own.
    # shellcheck disable=SC2086
    exported=$($NM -D --defined-only "src/runtime/libcudart.so.$library" |
      awk 'NF == 3 && $2 != "A" { print $3 }' | LC_ALL=C sort)
    if [ "$rows" = "$exported" ]; then same=yes; else same=no; fi
    expect "libcudart.so.$library has what its table says" [ "$same" = yes ]
  else
    skip "sanitizers add their own names" "libcudart.so.$library has what its table says"
  fi
done
expect "the table is sorted" sh -c "grep '^SYMBOL' '$table' | sed 's/,.*//' | LC_ALL=C sort -c"
done_testing
