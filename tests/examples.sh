#!/bin/sh
# Each example runs to its end and prints what the comment in its source says: the indented
# lines after one that ends in "prints:". There "…" stands for what changes from run to run,
# and alone on its line for any number of lines. The README shows one of them as it is.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

# Some have no code for a GPU, should there be one.
export RILL_BACKEND=sim

work=$(pwd)/tests/examples.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

# source_of PROGRAM: examples/pipeline_cpp is made of examples/pipeline.cpp.
source_of() {
  case $1 in
  *_cpp) echo "$top_srcdir/${1%_cpp}.cpp" ;;
  *) echo "$top_srcdir/$1.c" ;;
  esac
}

promised() {
  awk '/prints:$/ { inside = 1; next }
       inside && /^ \*     / { print gap substr($0, 8); gap = ""; some = 1; next }
       inside && /^ \*$/ { if (some) gap = gap "\n"; next }
       inside { exit }' "$1"
}

# as_promised PROMISED PRINTED: a complaint about the first line that is not, or nothing.
as_promised() {
  awk -v any='…' '
    function fits(line, promise,    parts, count, i, at) {
      count = split(promise, parts, any)
      if (count < 2) return line == promise
      if (substr(line, 1, length(parts[1])) != parts[1]) return 0
      line = substr(line, length(parts[1]) + 1)
      for (i = 2; i < count; i++) {
        if (!(at = index(line, parts[i]))) return 0
        line = substr(line, at + length(parts[i]))
      }
      at = length(line) - length(parts[count]) + 1
      return at > 0 && substr(line, at) == parts[count]
    }
    FILENAME == ARGV[1] { promise[++promises] = $0; next }
    { printed[++lines] = $0 }
    END {
      at = 1
      for (i = 1; i <= promises; i++) {
        if (promise[i] == any) { skips = 1; continue }
        while (skips && at <= lines && !fits(printed[at], promise[i])) at++
        skips = 0
        if (at > lines || !fits(printed[at], promise[i])) {
          print "promised: " promise[i]
          print "printed:  " (at > lines ? "(nothing more)" : printed[at])
          exit
        }
        at++
      }
      if (!skips && at <= lines) print "not promised: " printed[at]
    }' "$1" "$2"
}

# prints PROGRAM
prints() {
  name=${1##*/}
  promised "$(source_of "$1")" > "$work/$name.promised"
  [ -s "$work/$name.promised" ] || { echo "its source does not say what it prints"; return 1; }
  "${SHELL:-sh}" "$srcdir/tests/run.sh" "./$1" > "$work/$name.printed" || return
  complaint=$(as_promised "$work/$name.promised" "$work/$name.printed")
  [ -z "$complaint" ] || { echo "$complaint"; return 1; }
}

[ -n "$RILL_TEST_EXAMPLES" ] || skip_all "there are no examples yet"
for example in $RILL_TEST_EXAMPLES; do
  case $sanitizers-$example in
  no-* | *-examples/[!c]* | *-examples/c[!h]*)
    expect "$example prints what its source says" prints "$example" ;;
  *)
    skip "sanitizers find its mistakes as well" "$example prints what its source says" ;;
  esac
done

# Without the comment at its top; and what it prints, indented.
program=$(sed '1,/^ \*\/$/d' "$top_srcdir/examples/hello.c")
shown=$(awk '/^```/ { inside = /^```c$/; next } inside' "$top_srcdir/README.md")
expect "the README shows examples/hello.c" test "$shown" = "$program"
printed=$("${SHELL:-sh}" "$srcdir/tests/run.sh" ./examples/hello)
expect "and what it prints" test "$(echo "$printed" | sed 's/^/    /')" = \
  "$(sed -n '/^    \$ \.\/hello$/,/^$/ { /^    [^$]/p; }' "$top_srcdir/README.md")"

# In languages that bring their own way to call C.
says_hello() {
  [ "$(LD_LIBRARY_PATH=.libs "$@")" = "$printed" ]
}
# compiled SOURCE: that of rustc, which it links with the shared library.
compiled() {
  rustc -D warnings -L .libs "$1" -o "$work/hello_rs"
}
# bound: what bindgen makes of the headers compiles, by the command of doc/bindings.md.
bound() {
  {
    echo '#![allow(non_camel_case_types, non_upper_case_globals, non_snake_case)]'
    bindgen "$top_srcdir/include/rill/rill.h" --allowlist-function 'rill_.*' \
      --allowlist-var 'RILL_.*' -- -I"$top_srcdir/include"
  } > "$work/bindings.rs" &&
    rustc --edition 2021 --crate-type lib "$work/bindings.rs" -o "$work/bindings.rlib"
}
if [ "$sanitizers" != no ] || [ ! -f .libs/librill.so ]; then
  skip "no shared library that others can load" "in Python and Rust it is the same"
else
  if /usr/bin/python3 -c 'import ctypes' 2> /dev/null; then
    expect "in Python it is the same" says_hello /usr/bin/python3 "$top_srcdir/examples/hello.py"
  else
    skip "no python3" "in Python it is the same"
  fi
  if rustc --version > /dev/null 2>&1; then
    expect "and in Rust" compiled "$top_srcdir/examples/hello.rs" && \
      expect "which says so" says_hello "$work/hello_rs"
  else
    skip "no rustc" "and in Rust"
  fi
  if /usr/bin/python3 -c 'import cffi' 2> /dev/null; then
    export CPPFLAGS="-I$top_srcdir/include"
    printed=$(sed -n '/^"""$/q; s/^    //p' "$top_srcdir/examples/graph.py")
    expect "Python has all of the interface" says_hello /usr/bin/python3 \
      "$top_srcdir/examples/graph.py"
  else
    skip "no python3-cffi" "Python has all of the interface"
  fi
  if bindgen --version > /dev/null 2>&1 && rustc --version > /dev/null 2>&1; then
    expect "and so has Rust" bound
  else
    skip "no bindgen" "and so has Rust"
  fi
fi
done_testing
