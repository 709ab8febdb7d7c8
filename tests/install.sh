#!/bin/sh
# What `make install` puts down is enough to build and run a program with pkg-config, with
# CMake and with Meson, against the shared library and against the static one; and
# `make uninstall` leaves nothing of it.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

root=$(pwd)/tests/install.tmp
tree=$root/tree
rm -rf "$root"
trap 'rm -rf "$root"' EXIT
mkdir -p "$root"

# make_in_tree TARGET [TREE]: a make of its own, and not a part of the one that runs the tests.
make_in_tree() {
  (
    unset MAKEFLAGS MFLAGS MAKELEVEL
    make "$1" "DESTDIR=${2-$tree}"
  )
}

expect "make install DESTDIR=…" make_in_tree install || {
  done_testing
  exit 0
}

headers_missing() {
  for path in "$top_srcdir"/include/rill/*.h "$top_srcdir"/include/rill/*.hpp \
    "$top_srcdir"/include/rill/hpp/*.hpp; do
    header=${path#"$top_srcdir/include/"}
    found=$(find "$tree" -path "*/include/$header")
    [ -n "$found" ] || echo "include/$header is not in include/local.mk"
  done
}
expect_empty "every public header is installed" "$(headers_missing)"

# Pages of functions are files that lead to the page of their header.
pages_missing() {
  for name in rill.1 rill-run.1 rill.7 rill_backend.7 rill_stream.3 rill_stream_create.3; do
    [ -n "$(find "$tree" -path "*/man/man?/$name")" ] || echo "$name is not installed"
  done
  find "$tree" -path '*/man/man?/*' -exec sed -n 's/^\.so //p' {} + | sort -u |
    while read -r target; do
      [ -n "$(find "$tree" -path "*/man/$target")" ] || echo "something leads to $target"
    done
}
expect_empty "the manual pages are installed" "$(pages_missing)"
expect "so is completion for bash" \
  test -n "$(find "$root" -path '*/bash-completion/completions/rill')"
expect "and for zsh" test -n "$(find "$root" -path '*/zsh/site-functions/_rill')"

# What README.md leads to, of what is for readers; links into the sources are for those
# who have them.
documents_missing() {
  folder=$tree$docdir
  grep -oE '\]\([^)#:]+' "$top_srcdir/README.md" | sed 's/.*(//' | sort -u |
    grep -vE '^(man|include|tools)/' | while read -r path; do
    [ -e "$folder/$path" ] || echo "README.md leads to $path, which is not installed"
  done
  for path in "$top_srcdir"/examples/*.* "$top_srcdir"/examples/ci/*; do
    path=${path#"$top_srcdir/"}
    case $path in
    *.mk | *.o | *.log | *.trs | *'*') ;; # not for readers, or built in the tree
    *) [ -f "$folder/$path" ] || echo "$path is not installed" ;;
    esac
  done
}
expect_empty "so are the documents that README.md leads to, and the examples" \
  "$(documents_missing)"

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

# Everything is below $tree, which pkg-config puts before the paths in rill.pc.
rill_flags() {
  PKG_CONFIG_LIBDIR="$tree$pkgconfigdir" PKG_CONFIG_SYSROOT_DIR="$tree" \
    PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 \
    "$PKG_CONFIG" "$@" rill
}

installed() {
  find "$tree" -name "$1" | head -n 1
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

# ---- pkg-config ---------------------------------------------------------------

shared=$(installed librill.so)
static=$(installed librill.a)

with_pkg_config() {
  expect "rill.pc has the version of the library" test "$(rill_flags --modversion)" = "$version"

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

  if [ -n "$static" ]; then
    libs=$(rill_flags --libs --static | sed 's/-lrill\>/-l:librill.a/')
    expect "a program builds with the static library" build static "$libs" &&
      expect "and runs without the shared one" runs static /nonexistent
  else
    skip "no static library in this build" "a program with the static library"
  fi
}

if [ -n "$PKG_CONFIG" ]; then
  with_pkg_config
else
  skip "no pkg-config" "a program built with pkg-config"
fi

# ---- CMake ----------------------------------------------------------------------

# The tree is not where it was built for, so the package is one that was moved.
mkdir -p "$root/cmake"
cat > "$root/cmake/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.13)
project(user C)
find_package(rill ${asked} CONFIG REQUIRED COMPONENTS command)
add_executable(user ../user.c)
target_link_libraries(user PRIVATE rill::rill)
if(TARGET rill::static)
  add_executable(user_static ../user.c)
  target_link_libraries(user_static PRIVATE rill::static)
endif()
enable_testing()
add_test(NAME version COMMAND rill::command --version)
END

# cmake_for VERSION: configures for one that is asked for.
cmake_for() {
  rm -rf "$root/cmake/build"
  CC=$CC CFLAGS=$instrument cmake -S "$root/cmake" -B "$root/cmake/build" "-Dasked=$1" \
    "-DCMAKE_PREFIX_PATH=$tree$prefix" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
}

cmake_refuses() {
  ! cmake_for "$1" || { echo "version $1 is taken"; return 1; }
}

cmake_builds() {
  cmake_for "$version" && cmake --build "$root/cmake/build" &&
    grep -q "^rill_DIR:PATH=$tree" "$root/cmake/build/CMakeCache.txt"
}

cmake_tests() {
  (cd "$root/cmake/build" && ctest --output-on-failure)
}

if command -v cmake >/dev/null 2>&1; then
  if expect "a program builds with CMake" cmake_builds; then
    expect "and runs" runs cmake/build/user /nonexistent
    [ -z "$static" ] || expect "and with rill::static" runs cmake/build/user_static /nonexistent
    expect "ctest finds the command" cmake_tests
  fi
  expect "a later version is refused" cmake_refuses 0.2
  expect "and one of another series" cmake_refuses 1.0
else
  skip "no cmake" "a program built with CMake"
fi

# ---- Meson ----------------------------------------------------------------------

mkdir -p "$root/meson"
cp "$root/user.c" "$root/meson/"
cat > "$root/meson/meson.build" << 'END'
project('user', 'c')
executable('user', 'user.c', dependencies: dependency('rill', version: '>=0.1'))
END

meson_builds() {
  PKG_CONFIG_LIBDIR="$tree$pkgconfigdir" PKG_CONFIG_SYSROOT_DIR="$tree" \
    CC=$CC CFLAGS=$instrument LDFLAGS=$instrument \
    meson setup "$root/meson/build" "$root/meson" -Db_lundef=false &&
    meson compile -C "$root/meson/build"
}

if ! command -v meson >/dev/null 2>&1 || ! command -v ninja >/dev/null 2>&1; then
  skip "no meson" "a program built with Meson"
elif [ -z "$PKG_CONFIG" ] || [ -z "$shared" ]; then
  skip "no pkg-config, or no shared library" "a program built with Meson"
else
  expect "a program builds with Meson" meson_builds &&
    expect "and runs" runs meson/build/user "${shared%/*}"
fi

# ---- make uninstall -------------------------------------------------------------

# Where the tree is rill's alone, nothing stays but what leads to it.
left_over() {
  find "$tree" -mindepth 1 | while read -r path; do
    case $tree$prefix/ in "$path"/*) ;; *) echo "${path#"$tree"}" ;; esac
  done
}
expect "make uninstall" make_in_tree uninstall &&
  expect_empty "and nothing is left" "$(left_over | head -n 20)"

# ---- make install-strip ---------------------------------------------------------

# The sanitizers' own code is many times the size.
if [ "$sanitizers" != no ]; then
  skip "a build with sanitizers" "a stripped installation takes at most 18 MB"
else
  expect "make install-strip" make_in_tree install-strip "$root/stripped" &&
    expect "a stripped installation takes at most 18 MB" \
      [ "$(du -sk "$root/stripped" | cut -f1)" -le 18000 ]
fi
done_testing
