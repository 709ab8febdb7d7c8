#!/bin/sh
# What `make install` puts down is enough to build and run a program with
# pkg-config, against the shared library and against the static one.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

root=$(pwd)/tests/install.tmp
rm -rf "$root"
trap 'rm -rf "$root"' EXIT
mkdir -p "$root"

# A make of its own, and not a part of the one that runs the tests.
install_all() {
  (
    unset MAKEFLAGS MFLAGS MAKELEVEL
    make install "DESTDIR=$root"
  )
}

expect "make install DESTDIR=…" install_all || {
  done_testing
  exit 0
}

headers_missing() {
  for path in "$top_srcdir"/include/rill/*.h "$top_srcdir"/include/rill/*.hpp \
    "$top_srcdir"/include/rill/hpp/*.hpp; do
    header=${path#"$top_srcdir/include/"}
    found=$(find "$root" -path "*/include/$header")
    [ -n "$found" ] || echo "include/$header is not in include/local.mk"
  done
}
expect_empty "every public header is installed" "$(headers_missing)"

# Pages of functions are files that lead to the page of their header.
pages_missing() {
  for name in rill.1 rill-run.1 rill.7 rill_backend.7 rill_stream.3 rill_stream_create.3; do
    [ -n "$(find "$root" -path "*/man/man?/$name")" ] || echo "$name is not installed"
  done
  find "$root" -path '*/man/man?/*' -exec sed -n 's/^\.so //p' {} + | sort -u |
    while read -r target; do
      [ -n "$(find "$root" -path "*/man/$target")" ] || echo "something leads to $target"
    done
}
expect_empty "the manual pages are installed" "$(pages_missing)"

cat > "$root/user.c" << 'END'
#include <rill/rill.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char header[64];
    snprintf(header, sizeof header, "%d.%d.%d", RILL_VERSION_MAJOR, RILL_VERSION_MINOR,
             RILL_VERSION_PATCH);
    printf("%s\n", rill_version());
    return strcmp(header, rill_version()) != 0;
}
END

cat > "$root/user.cpp" << 'END'
#include <rill/rill.hpp>

int main()
{
    const rill::platform platform = rill::open("sim");
    const rill::context context(platform);
    return platform.backend() != "sim";
}
END

# Everything is below $root, which pkg-config puts before the paths in rill.pc.
rill_flags() {
  PKG_CONFIG_LIBDIR="$root$pkgconfigdir" PKG_CONFIG_SYSROOT_DIR="$root" \
    PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 \
    "$PKG_CONFIG" "$@" rill
}

installed() {
  find "$root" -name "$1" | head -n 1
}

# build OUTPUT FLAGS: the flags of pkg-config and of the build are words.
build() {
  # shellcheck disable=SC2046,SC2086
  $CC $instrument "$root/user.c" $(rill_flags --cflags) $2 -o "$root/$1"
}

build_cxx() {
  # shellcheck disable=SC2046,SC2086
  $CXX -std=c++17 $instrument "$root/user.cpp" $(rill_flags --cflags --libs) -o "$root/$1"
}

runs() {
  LD_LIBRARY_PATH=$2 "${SHELL:-sh}" "$srcdir/tests/run.sh" "$root/$1"
}

if [ -z "$PKG_CONFIG" ]; then
  skip "no pkg-config" "rill.pc has the version of the library"
  skip "no pkg-config" "a program with the shared library"
  skip "no pkg-config" "a program with the static library"
  done_testing
  exit 0
fi

expect "rill.pc has the version of the library" test "$(rill_flags --modversion)" = "$version"

shared=$(installed librill.so)
if [ -n "$shared" ]; then
  expect "a program builds with the shared library" build shared "$(rill_flags --libs)" &&
    expect "and runs" runs shared "${shared%/*}"
  if [ "$have_cxx17" = yes ]; then
    expect "so does one in C++" build_cxx shared_cxx &&
      expect "and runs" runs shared_cxx "${shared%/*}"
  else
    skip "no C++17 compiler" "a program in C++"
  fi
else
  skip "no shared library in this build" "a program with the shared library"
fi

if [ -n "$(installed librill.a)" ]; then
  libs=$(rill_flags --libs --static | sed 's/-lrill\>/-l:librill.a/')
  expect "a program builds with the static library" build static "$libs" &&
    expect "and runs without the shared one" runs static /nonexistent
else
  skip "no static library in this build" "a program with the static library"
fi
done_testing
