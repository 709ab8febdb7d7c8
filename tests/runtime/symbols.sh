#!/bin/sh
# The runtime exports what its table says, each name under the version of its library.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

table=$top_srcdir/src/runtime/library/symbols.def
[ -n "$NM" ] || skip_all "no nm"
[ -e src/runtime/libcudart.so.13 ] || skip_all "no runtime was built"

for file in libcudart.so.11.0 libcudart.so.12 libcudart.so.13; do
  library=${file#libcudart.so.} library=${library%.0}
  rows=$(awk -f "${table%/*}/exports.awk" -v library="$library" -v what=list "$table" |
    sed "s/\$/@@$file/" | LC_ALL=C sort)
  if [ "$sanitizers" = no ]; then
    # NM may have options of its own.
    # shellcheck disable=SC2086
    exported=$($NM -D --defined-only "src/runtime/$file" |
      awk 'NF == 3 && $2 != "A" { print $3 }' | LC_ALL=C sort)
    if [ "$rows" = "$exported" ]; then same=yes; else same=no; fi
    expect "$file has what its table says" [ "$same" = yes ]
  else
    skip "sanitizers add their own names" "$file has what its table says"
  fi
done
expect "the table is sorted" sh -c "grep '^SYMBOL' '$table' | sed 's/,.*//' | LC_ALL=C sort -c"
done_testing
