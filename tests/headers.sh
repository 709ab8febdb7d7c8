#!/bin/sh
# Each public header compiles alone, and twice: those for C as strict C11 and as C++17,
# those for C++ as C++17 and C++20 with every warning that a user may have switched on.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

strict="-pedantic-errors -Wall -Wextra -Werror -fsyntax-only"

# knows STANDARD: there is a C++ compiler for it.
# shellcheck disable=SC2086
knows() {
  echo 'int x;' | ${CXX:-false} -std=$1 -fsyntax-only -x c++ - 2>/dev/null
}

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
  if knows c++17; then
    expect "<$header> as C++17" as_cxx
  else
    skip "no C++17 compiler" "<$header> as C++17"
  fi
done

# What a program needs to declare what it touches comes with the one header.
# shellcheck disable=SC2086
declares_touches() {
  printf '%s\n' '#include <rill/check.h>' \
    'void f(rill_devptr a) { rill_touch(a, 4, RILL_TOUCH_READ | RILL_TOUCH_ATOMIC); }' |
    "$@" $strict "-I$top_srcdir/include" -
}
# shellcheck disable=SC2086
expect "<rill/check.h> has all that declaring takes, in C" declares_touches $CC -std=c11 -x c
# shellcheck disable=SC2086
if knows c++17; then
  expect "and in C++" declares_touches $CXX -std=c++17 -x c++
else
  skip "no C++17 compiler" "and in C++"
fi

careful="$strict -Wpedantic -Wshadow -Wconversion -fno-rtti"
# shellcheck disable=SC2086
for path in "$top_srcdir"/include/rill/*.hpp "$top_srcdir"/include/rill/hpp/*.hpp; do
  header=${path#"$top_srcdir/include/"}
  unit=$(printf '#include <%s>\n#include <%s>\nint rill_unit;\n' "$header" "$header")
  for standard in c++17 c++20; do
    as_cxx() {
      printf '%s\n' "$unit" | $CXX $careful -std=$standard "-I$top_srcdir/include" -x c++ -
    }
    if knows $standard; then
      expect "<$header> as $standard" as_cxx
    else
      skip "no compiler for it" "<$header> as $standard"
    fi
  done
done
done_testing
