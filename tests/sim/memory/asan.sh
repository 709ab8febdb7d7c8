#!/bin/sh
# In a program that is built with AddressSanitizer, accesses to memory of a device outside of
# allocations are its reports, although the library is built without it (src/base/asan.h).
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

# shellcheck disable=SC2154 # config.sh
[ "$sanitizers" = no ] || skip_all "built with a sanitizer"
[ -f .libs/librill.a ] || skip_all "there is no static library"
child=tests/sim/memory/asan_child
trap 'rm -f "$child"' EXIT
# shellcheck disable=SC2086 # the compiler, its flags and the libraries are words
$CC -g -O1 -fsanitize=address $instrument "-I$top_srcdir/include" \
  "$srcdir/tests/sim/memory/asan_child.c" .libs/librill.a $LIBS -lpthread -o "$child" \
  2>/dev/null || skip_all "the compiler cannot build with AddressSanitizer"
[ "$("./$child" 2>/dev/null)" = "done" ] || skip_all "AddressSanitizer does not run here"

# reports WHERE: touching there is reported, as an access to poisoned memory.
reports() {
  ! said=$("./$child" "$1" 2>&1) && case $said in
  *"AddressSanitizer: use-after-poison"*) true ;;
  *) echo "$said" && false ;;
  esac
}

expect "what is allocated can be touched, again and again" "./$child" inside
expect "a byte behind an allocation is reported" reports behind
expect "also where it fills its pages" reports behind-full
expect "and behind memory of a pool" reports behind-pool
expect "memory that was freed is reported" reports freed
expect "memory that was freed in stream order is reported" reports freed-in-order
expect "so is memory of a pool" reports freed-pool
expect "and of a graph" reports freed-graph
expect "a byte behind memory of a graph is reported" reports behind-graph
expect "memory that was never allocated is reported" reports never
done_testing
