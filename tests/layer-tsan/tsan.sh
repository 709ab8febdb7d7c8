#!/bin/sh
# Programs that are built with -fsanitize=thread and linked with this library, which is not: what
# streams, events and graphs promise gets no report, and where such a promise is missing there is
# one, however many threads ran it.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

# shellcheck disable=SC2154 # config.sh
[ "$sanitizers" = no ] || skip_all "built with a sanitizer"
if [ -f .libs/librill.so ]; then library=.libs/librill.so
elif [ -f .libs/librill.a ]; then library=.libs/librill.a
else skip_all "nothing was built"
fi

work=$(pwd)/tests/layer-tsan/tsan.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
unset RILL_LAYERS RILL_CHECK TSAN_OPTIONS
export RILL_BACKEND=sim # the layer is put on no other by itself
sources=$top_srcdir/tests/layer-tsan

# build COMPILER SOURCE PROGRAM LIBRARY
build() {
  # shellcheck disable=SC2086 # the compiler, its flags and the libraries are words
  $1 -g -O1 -fsanitize=thread $instrument "-I$top_srcdir/include" "$sources/$2" -o "$work/$3" \
    "$4" $LIBS -lpthread "-Wl,-rpath,$(pwd)/.libs"
}

# silent PROGRAM ARGUMENTS...: it ends well, and nothing is reported.
silent() {
  silent_program=$1
  shift
  silent_said=$("$work/$silent_program" "$@" 2>&1) && return
  echo "$silent_said" | head -40
  return 1
}

# reports PROGRAM ARGUMENTS...: a race is reported.
reports() {
  reports_program=$1
  shift
  reports_said=$("$work/$reports_program" "$@" 2>&1)
  case $reports_said in
  *"ThreadSanitizer: data race"*) true ;;
  *) echo "$reports_said" && false ;;
  esac
}

# missed PROGRAM: what is missing and not reported.
missed() {
  "$work/$1" names | while read -r name; do
    reports "$1" missing "$name" >"$work/said" || echo "$name, with $RILL_SIM_WORKERS workers"
  done
}

# try_programs COMPILER: those in C.
try_programs() {
  for source in promises graphs; do
    expect "$source.c is built by $1" build "$1" "$source.c" "$source" "$library" || return
    for workers in 1 2 64; do
      export RILL_SIM_WORKERS=$workers
      expect "nothing is reported that is promised, $workers workers" silent "$source" right
      expect_empty "what is missing is reported, $workers workers" "$(missed "$source")"
    done
  done
}

# try_threads COMPILER: that in C++.
try_threads() {
  expect "functions.cpp is built by $1" build "$1 -std=c++17" functions.cpp functions "$library" ||
    return
  for workers in 1 2 64; do
    export RILL_SIM_WORKERS=$workers
    expect "threads of C++ get no report, $workers workers" silent functions right
    expect "but where they do not wait, $workers workers" reports functions missing
  done
}

# can_build COMPILER: it links such programs, and they run.
can_build() {
  echo 'int main(void) { return 0; }' >"$work/none.c"
  # shellcheck disable=SC2086
  $1 -fsanitize=thread "$work/none.c" -o "$work/none" 2>/dev/null && "$work/none" 2>/dev/null
}

some=
for compiler in gcc clang; do
  can_build "$compiler" || {
    skip "$compiler does not build with ThreadSanitizer here" "programs of $compiler"
    continue
  }
  some=$compiler
  try_programs "$compiler"
  case $compiler in gcc) cxx=g++ ;; *) cxx=clang++ ;; esac
  if [ "$have_cxx17" = yes ] && command -v "$cxx" >/dev/null; then try_threads "$cxx"; fi
done
[ -n "$some" ] || {
  done_testing
  exit 0
}

# ---- The layer --------------------------------------------------------------------------------
export RILL_SIM_WORKERS=2
compiler=$some
build "$compiler" promises.c promises "$library"

# without_layer: what was said before there was a layer, or if another one is asked for.
without_layer() {
  without_said=$(RILL_LAYERS='' "$work/promises" right 2>&1)
  case $without_said in
  *"ThreadSanitizer: data race"*) true ;;
  *) echo "$without_said" && false ;;
  esac
}
expect "an empty list of layers leaves it out" without_layer

# names_calls: a report names the lines of both calls, and the streams.
names_calls() {
  names_said=$("$work/promises" missing same_stream 2>&1)
  line=$(grep -n 'missing ? it->b : it->a, add_one' "$sources/promises.c" | head -1 | cut -d: -f1)
  case $names_said in
  *"promises.c:$line"*"'stream "*"'stream "*) true ;;
  *) echo "line $line of: $names_said" && false ;;
  esac
}
expect "a report names the call that submitted a function, and its stream" names_calls

# The example that doc/tsan.md is about.
expect "the example is built" build "$compiler" ../../examples/sanitized.c sanitized "$library"
expect "it gets no report" silent sanitized
expect "without its wait it gets one" reports sanitized forgotten

if [ -f .libs/librill.a ]; then
  expect "so it is with the static library" build "$compiler" promises.c static .libs/librill.a
  expect "what is promised gets no report there" silent static right
  expect "what is missing gets one" reports static missing event_wait
fi

# refused PROGRAM WORDS: it does not open a platform, and says why.
refused() {
  ! refused_said=$(RILL_LAYERS=tsan "$1" right 2>&1) && case $refused_said in
  *"$2"*) true ;;
  *) echo "$refused_said" && false ;;
  esac
}
# shellcheck disable=SC2086
$compiler "-I$top_srcdir/include" "$sources/promises.c" -o "$work/plain" "$library" $LIBS \
  -lpthread "-Wl,-rpath,$(pwd)/.libs"
expect "who asks for it in a program without TSan is told" \
  refused "$work/plain" "built with -fsanitize=thread"
done_testing
