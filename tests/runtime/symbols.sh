#!/bin/sh
# The runtime exports what its table says, each name under the version of its library, and programs
# find each library where rill has it.
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

work=tests/runtime/symbols.tmp
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
cat >"$work/loads.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **words)
{
    int version = 0;
    void *library = count > 1 ? dlopen(words[1], RTLD_NOW) : NULL;
    int (*get)(int *) = library ? (int (*)(int *))dlsym(library, "cudaRuntimeGetVersion") : NULL;
    if (get) get(&version);
    printf("%d\n", version);
    return 0;
}
END

# finds FILE VERSION: a program that loads the library by its name gets this one.
finds() {
  [ "$(timeout 60 src/command/rill run "$work/loads" "$1" 2>&1)" = "$2" ]
}

if [ "$sanitizers" = no ] && $CC -w -o "$work/loads" "$work/loads.c" -ldl 2>"$work/log"; then
  expect "programs find that of 11" finds libcudart.so.11.0 11080
  expect "programs find that of 12" finds libcudart.so.12 12090
  expect "programs find that of 13" finds libcudart.so.13 13000
else
  skip "sanitizers want to be first in the process" "programs find each"
fi
expect "the table is sorted" sh -c "grep '^SYMBOL' '$table' | sed 's/,.*//' | LC_ALL=C sort -c"
done_testing
