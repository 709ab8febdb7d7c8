#!/bin/sh
# Each public header compiles alone, and twice, as strict C11 and as C++17.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

strict="-pedantic-errors -Wall -Wextra -Werror -fsyntax-only"

# The compilers and their flags are words.
# shellcheck disable=SC2086
for path in "$top_srcdir"/include/rill/*.h; do
  header="rill/${path##*/}"
  include="-I$top_srcdir/include"
  if [ "$header" = rill/cuda.h ]; then
    if [ "$have_cuda_h" != yes ]; then
      skip "needs cuda.h" "<$header>"
      continue
    fi
    include="$include $CUDA_CPPFLAGS"
  fi
  unit=$(printf '#include <%s>\n#include <%s>\nint rill_unit;\n' "$header" "$header")
  as_c() { printf '%s\n' "$unit" | $CC $strict -std=c11 $include -x c -; }
  as_cxx() { printf '%s\n' "$unit" | $CXX $strict -std=c++17 $include -x c++ -; }
  expect "<$header> as C11" as_c
  if echo 'int x;' | ${CXX:-false} -std=c++17 -fsyntax-only -x c++ - 2>/dev/null; then
    expect "<$header> as C++17" as_cxx
  else
    skip "no C++17 compiler" "<$header> as C++17"
  fi
done
done_testing
