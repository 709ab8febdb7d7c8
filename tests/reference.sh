#!/bin/sh
# The reference: of each public function the manual says what its parameters are, which statuses
# it returns, whether it waits, what it does in a capture and in a host function, which threads
# may call it, and since when it is there; and each page has an example. What is said is what
# the simulator does, and the examples build and run.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"
# shellcheck source=tests/config.sh.in
. ./tests/config.sh

work=$(pwd)/tests/reference.tmp
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"

# ---- What is said

# The functions of a page, by its synopsis, and the lines of one of its sections.
functions_of() {
  sed -n 's/^\.Fo //p' "$1"
}
section() {
  awk -v name="$2" '/^\.Sh / { inside = $0 == ".Sh " name; next } inside' "$1"
}

untold() {
  for page in man/*.3; do
    section "$page" PROPERTIES > "$work/properties"
    for function in $(functions_of "$page"); do
      [ "$(grep -c "^\.It Fn $function\$" "$work/properties")" = 1 ] ||
        echo "$page: PROPERTIES has no entry for $function"
    done
  done
}
expect_empty "each function has its properties" "$(untold)"

# Which functions these are is said with their names: pages for backends say less.
unsaid() {
  for page in man/*.3; do
    case $page in */rill_backend.3 | */rill_layer.3) continue ;; esac
    section "$page" PROPERTIES | awk -v page="$page" '
      function check() {
        if (names == "") return
        if (text !~ /thread/) print page ": nothing of threads:" names
        if (text !~ /Since [0-9]/) print page ": no version:" names
        if (status && text !~ /Statuses: /) print page ": no statuses:" names
      }
      /^\.It Fn / { if (text != "") { check(); names = text = "" } names = names " " $3; next }
      names != "" { text = text " " $0 }
      END { check() }'
  done
}
expect_empty "threads and versions are said of each" "$(unsaid)"

statusless() {
  for page in man/*.3; do
    case $page in */rill_backend.3 | */rill_layer.3) continue ;; esac
    awk '/^\.Ft / { kind = $0 } /^\.Fo / && kind == ".Ft \"rill_status\"" { print $2 }' "$page" |
      while read -r function; do
        section "$page" PROPERTIES | awk -v wanted="$function" '
          /^\.It Fn / { if (said) inside = said = 0; if ($3 == wanted) inside = 1; next }
          { said = 1 }
          inside && /^Statuses: / { found = 1 }
          END { exit !found }' || echo "$page: no statuses of $function"
      done
  done
}
expect_empty "statuses are said of each that returns one" "$(statusless)"

# Of a function pointer among the parameters the words up to the first comma are compared.
strangers() {
  for page in man/*.3; do
    section "$page" PARAMETERS > "$work/parameters"
    sed -n 's/^\.Fa "\(.*\)"$/\1/p' "$page" | sort -u | while read -r parameter; do
      [ "$parameter" = void ] || grep -qF "\"$parameter" "$work/parameters" ||
        grep -qF "$parameter\"" "$work/parameters" || echo "$page: $parameter"
    done
  done
}
expect_empty "each parameter is explained" "$(strangers)"

# Lines that no page has taken are of functions that are gone.
idle_parameters() {
  grep -vE '^(#.*)?$' "$top_srcdir/man/parameters.txt" | while IFS= read -r line; do
    what=${line%%: *}
    page=man/${what%% *}.3
    if [ -f "$page" ] && [ "${what%% *}" != rill ] && grep -qF ".It Fa \"${what#* }\"" "$page"; then
      continue
    fi
    cat man/*.3 | grep -qF ".It Fa \"$what\"" || echo "$what"
  done
}
expect_empty "no parameter is explained that no function has" "$(idle_parameters)"

idle_calls() {
  sed -n 's/^\(rill_[a-z0-9_]*\) .*/\1/p' "$top_srcdir/man/calls.txt" | while read -r function; do
    cat man/*.3 | grep -qx "\.Fo $function" || echo "$function"
  done
}
expect_empty "no call is told of that there is not" "$(idle_calls)"

unknown_statuses() {
  awk '/^rill_/ { for (i = 3; i <= NF; i++) if (i != 5) print $i }' "$top_srcdir/man/calls.txt" |
    sed 's/!$//' | grep '^[A-Z]' | sort -u | while read -r status; do
    grep -q "^    RILL_ERROR_$status " "$top_srcdir/include/rill/status.h" || echo "$status"
  done
}
expect_empty "the statuses are those of <rill/status.h>" "$(unknown_statuses)"

# ---- What is so

# differences SAID MEASURED: where the simulator does something else.
differences() {
  awk '
    FNR == NR { if (/^rill_/) { waits[$1] = $2; capture[$1] = $3; host[$1] = $4 } next }
    { gsub(/RILL_ERROR_/, "") }
    waits[$1] != $2 && waits[$1] != "some" { print $1 ": waits: " waits[$1] ", but: " $2 }
    capture[$1] != $3 && !(capture[$1] == "order" && $3 == "free") {
      print $1 ": in a capture: " capture[$1] ", but: " $3
    }
    host[$1] != $4 { print $1 ": in a host function: " host[$1] ", but: " $4 }' "$@"
}
# untried MEASURED: calls of the manual that have no line there. Those of the driver need one.
untried() {
  driver=rill_cuda_
  [ -z "$RILL_CUDA_LIBRARY" ] || driver=none
  cat man/*.3 | sed -n 's/^\.Fo //p' | sort -u | while read -r function; do
    case $function in $driver*) continue ;; esac
    grep -q "^$function " "$1" || echo "$function"
  done
}
if [ -x tests/reference/measure ]; then
  # It has a process for each call, which ends without a second of sleep and may leave threads.
  export TSAN_OPTIONS="halt_on_error=1 atexit_sleep_ms=0 report_thread_leaks=0"
  unset RILL_CUDA_LIBRARY
  standin=$(pwd)/src/standin/libcuda.so.1
  if [ -x tests/conformance/run_cuda ] && [ -e "$standin" ]; then
    export RILL_CUDA_LIBRARY="$standin"
  else
    skip "no stand-in was built" "what the manual says of calls on the driver is so"
  fi
  sh "$srcdir/tests/run.sh" tests/reference/measure > "$work/measured" 2> "$work/complaints"
  expect_empty "each call can be tried" "$(untried "$work/measured")"
  expect_empty "each as it should be" "$(cat "$work/complaints")"
  expect_empty "what the manual says of them is so" \
    "$(differences "$top_srcdir/man/calls.txt" "$work/measured")"
else
  skip "no cmocka" "what the manual says of calls is so"
fi

# ---- Examples

without_example() {
  for page in man/*.3; do
    grep -qE '^\.Bd -literal -offset|^\.Sh EXAMPLES' "$page" || echo "$page"
  done
}
expect_empty "each page has an example" "$(without_example)"

library=.libs/librill-all.a
# build SOURCE: links those that have something to run.
build() {
  name=$(basename "$1" .c)
  if grep -q '^rill_status example(' "$1"; then
    set -- "$1" "$top_srcdir/tests/reference/main.c"
  elif ! grep -q '^int main' "$1"; then
    set -- -c "$1"
  fi
  # LIBS is a list.
  # shellcheck disable=SC2086
  [ "$1" = -c ] || set -- "$@" $library $LIBS -pthread
  # shellcheck disable=SC2086
  $CC $instrument -std=c11 -Wall -Wextra -Werror -I"$top_srcdir/include" "$@" -o "$work/$name"
}
if [ -f $library ]; then
  for source in "$top_srcdir"/man/examples/*.c; do
    name=$(basename "$source" .c)
    expect "the example of $name builds" build "$source" || continue
    ! grep -qE '^rill_status example\(|^int main' "$source" ||
      expect "and runs" env RILL_BACKEND=sim sh "$srcdir/tests/run.sh" "$work/$name"
  done
else
  skip "no $library" "the examples build and run"
fi
done_testing
