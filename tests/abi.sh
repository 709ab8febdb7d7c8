#!/bin/sh
# The binary interface is the one that is written down: each function with what it takes, each
# public struct with where its members begin, each constant with its value, as the compiler's
# debug information has them. tests/librill.abi is what tools/abi/list prints of the library.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

command -v abidw >/dev/null 2>&1 || skip_all "no abidw"
[ -f .libs/librill.so ] || skip_all "no shared library in this build"
[ "$sanitizers" = no ] || skip_all "sanitizers have debug information of their own"
# Flags of a packager may leave it out, and other compilers tell other parts of it.
case $($CC --version 2>/dev/null) in *Free\ Software*) ;; *) skip_all "not compiled by gcc" ;; esac
[ "$pointer_bytes" = 8 ] || skip_all "the list is for addresses of 64 bits"

work=$(pwd)/tests/abi.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
sh "$top_srcdir/tools/abi/list" .libs/librill.so "$top_srcdir/include/rill" > "$work/all"
grep -q '^struct' "$work/all" || skip_all "no debug information in the library"

# What is of the backend comes with it.
listed=$top_srcdir/tests/librill.abi
if ! grep -q '^function rill_cuda_' "$work/all"; then
  grep -v '^[a-z]* rill_cuda_' "$listed" > "$work/listed"
  listed=$work/listed
fi

expect "there are functions, structs and constants" \
  test "$(cut -d' ' -f1 "$work/all" | sort -u | tr '\n' ' ')" = "enum function struct "
# A line that is gone, or is another one, breaks programs that were compiled before
# (doc/versions.md says when that may be). A new one is added to the list.
expect_empty "the interface is what tests/librill.abi lists" \
  "$(diff "$listed" "$work/all" | sed -n 's/^< /gone: /p; s/^> /new: /p' | head -n 40)"
done_testing
